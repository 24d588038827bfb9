// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows, sorts and scatters; places also outside.

func.func @cumulative_sum(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %y = "stablehlo.reduce_window"(%a, %zero) <{padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>,
      window_dimensions = array<i64: 1, 8>}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %s = stablehlo.add %l, %r : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x8xf64>, tensor<f64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @window_sum(%a: tensor<4x8xf64>) -> tensor<4x5xf64> {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %y = "stablehlo.reduce_window"(%a, %zero) <{padding = dense<[[0, 0], [2, 1]]> : tensor<2x2xi64>,
      window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>,
      window_dilations = array<i64: 1, 2>}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %s = stablehlo.add %l, %r : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x8xf64>, tensor<f64>) -> tensor<4x5xf64>
  return %y : tensor<4x5xf64>
}

func.func @cumulative_maximum(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %y = "stablehlo.reduce_window"(%a, %low) <{padding = dense<[[0, 3], [0, 0]]> : tensor<2x2xi64>,
      window_dimensions = array<i64: 4, 1>}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %s = stablehlo.maximum %l, %r : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x8xf64>, tensor<f64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @sort_rows(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %p = stablehlo.compare LT, %l, %r, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @sort_by_keys(%a: tensor<4x8xf64>, %i: tensor<4x8xi32> {boost.id_limit = 3 : i64})
    -> (tensor<4x8xf64>, tensor<4x8xi32>) {
  %y:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>, %m: tensor<i32>, %n: tensor<i32>):
    %p = stablehlo.compare GT, %m, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf64>, tensor<4x8xi32>) -> (tensor<4x8xf64>, tensor<4x8xi32>)
  return %y#0, %y#1 : tensor<4x8xf64>, tensor<4x8xi32>
}

func.func @scatter_add_rows(%a: tensor<8x4xf64>, %i: tensor<6x1xi32> {boost.id_limit = 10 : i64},
                            %u: tensor<6x4xf64>) -> tensor<8x4xf64> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %s = stablehlo.add %l, %r : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<8x4xf64>, tensor<6x1xi32>, tensor<6x4xf64>) -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}

func.func @scatter_add_onto_zeros(%i: tensor<6x1xi32> {boost.id_limit = 10 : i64},
                                  %u: tensor<6x4xf64>) -> tensor<8x4xf64> {
  %zeros = stablehlo.constant dense<0.0> : tensor<8x4xf64>
  %y = "stablehlo.scatter"(%zeros, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %s = stablehlo.add %l, %r : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<8x4xf64>, tensor<6x1xi32>, tensor<6x4xf64>) -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}

func.func @scatter_maximum_of_rows(%a: tensor<8x4xf64>, %i: tensor<6x1xi32> {boost.id_limit = 10 : i64},
                                   %u: tensor<6x4xf64>) -> tensor<8x4xf64> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %s = stablehlo.maximum %l, %r : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<8x4xf64>, tensor<6x1xi32>, tensor<6x4xf64>) -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}

func.func @scatter_add_windows(%a: tensor<8x4xf64>, %i: tensor<3x2xi32> {boost.id_limit = 9 : i64},
                               %u: tensor<3x2x2xf64>) -> tensor<8x4xf64> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %s = stablehlo.add %l, %r : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<8x4xf64>, tensor<3x2xi32>, tensor<3x2x2xf64>) -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}

func.func @scatter_batches(%a: tensor<4x8xf64>, %i: tensor<4x4x1xi32> {boost.id_limit = 10 : i64},
                           %u: tensor<4x4xf64>) -> tensor<4x8xf64> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x8xf64>, tensor<4x4x1xi32>, tensor<4x4xf64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @product_of_rows(%a: tensor<4x8xf64>) -> tensor<4xf64> {
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %y = stablehlo.reduce(%a init: %one) applies stablehlo.multiply across dimensions = [1]
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}
