// RUN: boost-opt %s -boost-raise-cross-entropy | FileCheck %s
// RUN: boost-opt %s -boost-raise-cross-entropy -o %t.values && boost-eval --compare --every-function %s %t.values
// Picks of one token that JAX maps over tokens keep dimensions of size 1.

// CHECK-LABEL: func @tokens
func.func @tokens(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %labels: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4x1xf32> {
  // CHECK: %[[L:.*]], %{{.*}} = boost.cross_entropy %arg0
  // CHECK: %[[N:.*]] = stablehlo.negate %[[L]]
  // CHECK: %[[R:.*]] = stablehlo.reshape %[[N]] : (tensor<4xf32>) -> tensor<4x1xf32>
  // CHECK: return %[[R]]
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %r = "stablehlo.gather"(%p, %labels) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x1xi32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// CHECK-LABEL: func @sequences
func.func @sequences(%x: tensor<2x3x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %labels: tensor<2x3x1xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<2x3x1xf32> {
  // CHECK: boost.cross_entropy
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<2x3x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3xf32>
  %l = stablehlo.log %t : tensor<2x3xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<2x3x8xf32>
  %r = "stablehlo.gather"(%p, %labels) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x3x8xf32>, tensor<2x3x1xi32>) -> tensor<2x3x1xf32>
  return %r : tensor<2x3x1xf32>
}
