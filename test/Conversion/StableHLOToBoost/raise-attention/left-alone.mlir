// RUN: boost-opt %s -boost-raise-attention | FileCheck %s --implicit-check-not=boost.attention
// Other masks, other functions of the scores and no softmax stay.

// A causal window of four positions.
// CHECK-LABEL: func @window
func.func @window(%arg0: tensor<2x8x4x16xf32> {boost.arg = "batch"}, %arg1: tensor<2x8x4x16xf32> {boost.arg = "batch"}, %arg2: tensor<2x8x4x16xf32> {boost.arg = "batch"}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %c = stablehlo.constant dense<4> : tensor<8x8xi32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xi32>) -> tensor<8x8xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xi32>) -> tensor<8x8xi32>
  %3 = stablehlo.compare GE, %1, %2, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %4 = stablehlo.subtract %1, %2 : tensor<8x8xi32>
  %5 = stablehlo.compare LT, %4, %c, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %6 = stablehlo.and %3, %5 : tensor<8x8xi1>
  %7 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %8 = stablehlo.multiply %7, %cst_0 : tensor<2x4x8x8xf32>
  %9 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %10 = stablehlo.select %9, %8, %cst : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %13 = stablehlo.subtract %10, %12 : tensor<2x4x8x8xf32>
  %14 = stablehlo.exponential %13 : tensor<2x4x8x8xf32>
  %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %17 = stablehlo.divide %14, %16 : tensor<2x4x8x8xf32>
  %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
  return %19 : tensor<2x8x4x16xf32>
}

// The mask excludes the own position.
// CHECK-LABEL: func @shifted
func.func @shifted(%arg0: tensor<2x8x4x16xf32> {boost.arg = "batch"}, %arg1: tensor<2x8x4x16xf32> {boost.arg = "batch"}, %arg2: tensor<2x8x4x16xf32> {boost.arg = "batch"}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xi32>) -> tensor<8x8xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xi32>) -> tensor<8x8xi32>
  %3 = stablehlo.compare GT, %1, %2, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %4 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %5 = stablehlo.multiply %4, %cst_0 : tensor<2x4x8x8xf32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %7 = stablehlo.select %6, %5, %cst : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %10 = stablehlo.subtract %7, %9 : tensor<2x4x8x8xf32>
  %11 = stablehlo.exponential %10 : tensor<2x4x8x8xf32>
  %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %14 = stablehlo.divide %11, %13 : tensor<2x4x8x8xf32>
  %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
  return %16 : tensor<2x8x4x16xf32>
}

// tanh of the scores.
// CHECK-LABEL: func @capped_scores
func.func @capped_scores(%arg0: tensor<2x8x4x16xf32> {boost.arg = "batch"}, %arg1: tensor<2x8x4x16xf32> {boost.arg = "batch"}, %arg2: tensor<2x8x4x16xf32> {boost.arg = "batch"}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = stablehlo.multiply %0, %cst_0 : tensor<2x4x8x8xf32>
  %2 = stablehlo.tanh %1 : tensor<2x4x8x8xf32>
  %3 = stablehlo.iota dim = 0 : tensor<8xi32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<8xi32>) -> tensor<8x8xi32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<8xi32>) -> tensor<8x8xi32>
  %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %8 = stablehlo.select %7, %2, %cst : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %9 = stablehlo.reduce(%8 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %11 = stablehlo.subtract %8, %10 : tensor<2x4x8x8xf32>
  %12 = stablehlo.exponential %11 : tensor<2x4x8x8xf32>
  %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %15 = stablehlo.divide %12, %14 : tensor<2x4x8x8xf32>
  %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
  return %17 : tensor<2x8x4x16xf32>
}

// CHECK-LABEL: func @linear_attention
func.func @linear_attention(%arg0: tensor<2x8x4x16xf32> {boost.arg = "batch"}, %arg1: tensor<2x8x4x16xf32> {boost.arg = "batch"}, %arg2: tensor<2x8x4x16xf32> {boost.arg = "batch"}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = stablehlo.multiply %0, %cst : tensor<2x4x8x8xf32>
  %2 = stablehlo.dot_general %arg2, %1, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  %3 = stablehlo.transpose %2, dims = [0, 3, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
  return %3 : tensor<2x8x4x16xf32>
}

// CHECK-LABEL: func @softmax_over_queries
func.func @softmax_over_queries(%arg0: tensor<2x8x4x16xf32> {boost.arg = "batch"}, %arg1: tensor<2x8x4x16xf32> {boost.arg = "batch"}, %arg2: tensor<2x8x4x16xf32> {boost.arg = "batch"}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = stablehlo.multiply %0, %cst : tensor<2x4x8x8xf32>
  %2 = stablehlo.reduce(%1 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 3] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<2x4x8x8xf32>
  %5 = stablehlo.exponential %4 : tensor<2x4x8x8xf32>
  %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 3] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %8 = stablehlo.divide %5, %7 : tensor<2x4x8x8xf32>
  %9 = stablehlo.dot_general %arg2, %8, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  %10 = stablehlo.transpose %9, dims = [0, 3, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
  return %10 : tensor<2x8x4x16xf32>
}
