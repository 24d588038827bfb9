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
