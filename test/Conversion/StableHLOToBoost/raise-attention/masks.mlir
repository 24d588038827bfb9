// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// The causal mask in other spellings, and none.

// No mask, and a softmax without its shift.
// CHECK-LABEL: func @full
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x4x16xf32>
// CHECK:         %[[O:.*]], %{{.*}} = boost.attention %[[Q]], %[[K]], %[[V]] {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
func.func @full(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = stablehlo.multiply %0, %cst : tensor<2x4x8x8xf32>
  %2 = stablehlo.exponential %1 : tensor<2x4x8x8xf32>
  %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %5 = stablehlo.divide %2, %4 : tensor<2x4x8x8xf32>
  %6 = stablehlo.dot_general %arg2, %5, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  %7 = stablehlo.transpose %6, dims = [0, 3, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
  return %7 : tensor<2x8x4x16xf32>
}

// Masked where the key is later, by not.
// CHECK-LABEL: func @less
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x4x16xf32>
// CHECK:         %[[O:.*]], %{{.*}} = boost.attention %[[Q]], %[[K]], %[[V]] causal {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
func.func @less(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xi32>) -> tensor<8x8xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xi32>) -> tensor<8x8xi32>
  %3 = stablehlo.compare LT, %1, %2, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %4 = stablehlo.not %3 : tensor<8x8xi1>
  %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %6 = stablehlo.multiply %5, %cst_0 : tensor<2x4x8x8xf32>
  %7 = stablehlo.broadcast_in_dim %4, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %8 = stablehlo.select %7, %6, %cst : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
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

// What is compared is no position: a mask as any other.
// CHECK-LABEL: func @shifted
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale
func.func @shifted(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}, %shift: tensor<8x8xi32> {boost.tensor = #boost.tensor<batch "shift">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xi32>) -> tensor<8x8xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xi32>) -> tensor<8x8xi32>
  %later = stablehlo.add %2, %shift : tensor<8x8xi32>
  %3 = stablehlo.compare LT, %1, %later, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %4 = stablehlo.not %3 : tensor<8x8xi1>
  %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %6 = stablehlo.multiply %5, %cst_0 : tensor<2x4x8x8xf32>
  %7 = stablehlo.broadcast_in_dim %4, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %8 = stablehlo.select %7, %6, %cst : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
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

// A bias of 0 and a large negative number, scale after it.
// CHECK-LABEL: func @bias
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x4x16xf32>
// CHECK:         %[[O:.*]], %{{.*}} = boost.attention %[[Q]], %[[K]], %[[V]] causal {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
func.func @bias(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<4.000000e+00> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<8x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<8x8xf32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xi32>) -> tensor<8x8xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xi32>) -> tensor<8x8xi32>
  %3 = stablehlo.compare GE, %1, %2, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %4 = stablehlo.select %3, %cst_1, %cst_0 : tensor<8x8xi1>, tensor<8x8xf32>
  %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %6 = stablehlo.broadcast_in_dim %4, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %7 = stablehlo.add %5, %6 : tensor<2x4x8x8xf32>
  %8 = stablehlo.divide %7, %cst : tensor<2x4x8x8xf32>
  %9 = stablehlo.reduce(%8 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %11 = stablehlo.subtract %8, %10 : tensor<2x4x8x8xf32>
  %12 = stablehlo.exponential %11 : tensor<2x4x8x8xf32>
  %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %15 = stablehlo.divide %12, %14 : tensor<2x4x8x8xf32>
  %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
  return %17 : tensor<2x8x4x16xf32>
}
