// RUN: boost-opt %s -boost-raise-embedding | FileCheck %s
// RUN: boost-opt %s -boost-raise-embedding -o %t.values && boost-eval --compare --every-function %s %t.values
// A table may be computed from parameters.

// CHECK-LABEL: func @scaled
func.func @scaled(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %s: tensor<8xf32> {boost.tensor = #boost.tensor<param "s">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  // CHECK: %[[T:.*]] = stablehlo.multiply
  // CHECK: boost.embedding %[[T]]
  %0 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<8xf32>) -> tensor<64x8xf32>
  %1 = stablehlo.multiply %t, %0 : tensor<64x8xf32>
  %2 = "stablehlo.gather"(%1, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// Not if it depends on the batch.
// CHECK-LABEL: func @of_batch
func.func @of_batch(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %s: tensor<64x8xf32> {boost.tensor = #boost.tensor<batch "s">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  // CHECK: stablehlo.gather
  %0 = stablehlo.multiply %t, %s : tensor<64x8xf32>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
