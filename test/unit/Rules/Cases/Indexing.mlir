// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and writing at computed places; ids also outside.

func.func @dynamic_slice(%a: tensor<4x8xf64>,
                         %i: tensor<i32> {boost.id_limit = 5 : i64},
                         %j: tensor<i32> {boost.id_limit = 9 : i64})
    -> tensor<2x3xf64> {
  %y = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 3]
      : (tensor<4x8xf64>, tensor<i32>, tensor<i32>) -> tensor<2x3xf64>
  return %y : tensor<2x3xf64>
}

func.func @dynamic_slice_rows(%a: tensor<4x8xf64>,
                              %i: tensor<i32> {boost.id_limit = 5 : i64},
                              %j: tensor<i32> {boost.id_limit = 9 : i64})
    -> tensor<2x8xf64> {
  %y = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 8]
      : (tensor<4x8xf64>, tensor<i32>, tensor<i32>) -> tensor<2x8xf64>
  return %y : tensor<2x8xf64>
}

func.func @dynamic_update_slice(%a: tensor<4x8xf64>,
                                %u: tensor<2x3xf64>,
                                %i: tensor<i32> {boost.id_limit = 5 : i64},
                                %j: tensor<i32> {boost.id_limit = 9 : i64})
    -> tensor<4x8xf64> {
  %y = stablehlo.dynamic_update_slice %a, %u, %i, %j
      : (tensor<4x8xf64>, tensor<2x3xf64>, tensor<i32>, tensor<i32>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @dynamic_update_slice_rows(%a: tensor<4x8xf64>,
                                     %u: tensor<2x8xf64>,
                                     %i: tensor<i32> {boost.id_limit = 5 : i64},
                                     %j: tensor<i32> {boost.id_limit = 9 : i64})
    -> tensor<4x8xf64> {
  %y = stablehlo.dynamic_update_slice %a, %u, %i, %j
      : (tensor<4x8xf64>, tensor<2x8xf64>, tensor<i32>, tensor<i32>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @gather_rows(%a: tensor<8x4xf64>,
                       %i: tensor<2x4x1xi32> {boost.id_limit = 10 : i64})
    -> tensor<2x4x4xf64> {
  %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf64>, tensor<2x4x1xi32>) -> tensor<2x4x4xf64>
  return %y : tensor<2x4x4xf64>
}

// Indices and rows have their dimensions in another order than the result.
func.func @gather_columns(%a: tensor<8x4xf64>,
                          %i: tensor<1x2x6xi32> {boost.id_limit = 10 : i64})
    -> tensor<4x2x6xf64> {
  %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>,
      slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf64>, tensor<1x2x6xi32>) -> tensor<4x2x6xf64>
  return %y : tensor<4x2x6xf64>
}

func.func @gather_windows(%a: tensor<8x4xf64>,
                          %i: tensor<4x2xi32> {boost.id_limit = 9 : i64})
    -> tensor<4x2x2xf64> {
  %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [1, 2], start_index_map = [1, 0], index_vector_dim = 1>,
      slice_sizes = array<i64: 2, 2>}> : (tensor<8x4xf64>, tensor<4x2xi32>) -> tensor<4x2x2xf64>
  return %y : tensor<4x2x2xf64>
}

func.func @gather_window_of_whole_rows(%a: tensor<8x4xf64>,
                                       %i: tensor<4x1xi32> {boost.id_limit = 9 : i64})
    -> tensor<4x2x4xf64> {
  %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 2, 4>}> : (tensor<8x4xf64>, tensor<4x1xi32>) -> tensor<4x2x4xf64>
  return %y : tensor<4x2x4xf64>
}

func.func @gather_batched(%a: tensor<2x4x8xf64>,
                          %i: tensor<2x4x4x1xi32> {boost.id_limit = 8 : i64})
    -> tensor<2x4x4xf64> {
  %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [2], operand_batching_dims = [0, 1],
      start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>,
      slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x4x8xf64>, tensor<2x4x4x1xi32>) -> tensor<2x4x4xf64>
  return %y : tensor<2x4x4xf64>
}

func.func @gather_batches_out_of_order(%a: tensor<4x8x2xf64>,
                                       %i: tensor<2x4x1xi32> {boost.id_limit = 8 : i64})
    -> tensor<2x4xf64> {
  %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [1], operand_batching_dims = [0, 2],
      start_indices_batching_dims = [1, 0], start_index_map = [1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x2xf64>, tensor<2x4x1xi32>) -> tensor<2x4xf64>
  return %y : tensor<2x4xf64>
}

func.func @gather_scalars(%a: tensor<8xf64>,
                          %i: tensor<4xi32> {boost.id_limit = 10 : i64})
    -> tensor<4xf64> {
  %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1>}> : (tensor<8xf64>, tensor<4xi32>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}

func.func @gather_rows_bf16(%a: tensor<8x4xbf16>, %i: tensor<4x1xi64> {boost.id_limit = 10 : i64})
    -> tensor<4x4xbf16> {
  %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xbf16>, tensor<4x1xi64>) -> tensor<4x4xbf16>
  return %y : tensor<4x4xbf16>
}

// The indices are no vectors: their dimension is implied.
func.func @gather_rows_by_scalars(%a: tensor<8x4xf64>, %i: tensor<2x4xi32> {boost.id_limit = 8 : i64})
    -> tensor<2x4x4xf64> {
  %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf64>, tensor<2x4xi32>) -> tensor<2x4x4xf64>
  return %y : tensor<2x4x4xf64>
}
