// RUN: boost-opt %s -boost-raise-embedding | FileCheck %s --implicit-check-not=boost.embedding
// Gathers of parts of rows, and from what is no parameter, stay.

// CHECK-LABEL: func @part_of_row
func.func @part_of_row(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x5xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// CHECK-LABEL: func @activation
func.func @activation(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<batch "t">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Ids are signed, tables have rows of floats.
// CHECK-LABEL: func @unsigned_ids
func.func @unsigned_ids(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xui32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xui32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @short_ids
func.func @short_ids(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi16> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi16>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @integer_table
func.func @integer_table(%f: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xi32> {
  %t = stablehlo.convert %f : (tensor<64x8xf32>) -> tensor<64x8xi32>
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xi32>, tensor<4x1xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func @vector
func.func @vector(%t: tensor<64xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<64xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @several_matrices
func.func @several_matrices(%t: tensor<64x2x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x2x8xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2, 8>}> : (tensor<64x2x8xf32>, tensor<4x1xi32>) -> tensor<4x2x8xf32>
  return %0 : tensor<4x2x8xf32>
}

// The elements of a row come first, before the ids or between them.
// CHECK-LABEL: func @rows_first
func.func @rows_first(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<8x4xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func @rows_between
func.func @rows_between(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<1x4x8xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// The one column of the table is dropped, not the row.
// CHECK-LABEL: func @column_dropped
func.func @column_dropped(%t: tensor<64x1xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x1xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<64x1xf32>, tensor<4x1xi32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// Ids of columns, and columns before rows.
// CHECK-LABEL: func @ids_of_columns
func.func @ids_of_columns(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @columns_first
func.func @columns_first(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<4x1xi32>
  %p = stablehlo.concatenate %i, %zero, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %0 = "stablehlo.gather"(%t, %p) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x2xi32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Pairs of row and column that are joined along the batch, and that are one
// tensor.
// CHECK-LABEL: func @pairs_joined
func.func @pairs_joined(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<1x2xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<2x8xf32> {
  %p = stablehlo.concatenate %i, %i, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %0 = "stablehlo.gather"(%t, %p) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<2x2xi32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @pairs
func.func @pairs(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<2x2xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<2x8xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<2x2xi32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
