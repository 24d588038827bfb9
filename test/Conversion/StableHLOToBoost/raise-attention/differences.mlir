// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Values that sums and differences of softmaxes weigh.

// CHECK-LABEL: func @differential
// CHECK: %[[A:.*]], %{{.*}} = boost.attention %{{.*}} causal
// CHECK: %[[B:.*]], %{{.*}} = boost.attention %{{.*}} causal
// CHECK: %[[L:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 1, 2]
// CHECK: %[[S:.*]] = stablehlo.multiply %[[B]], %[[L]]
// CHECK: stablehlo.subtract %[[A]], %[[S]]
func.func @differential(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<f32> {boost.tensor = #boost.tensor<param "lambda">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg3: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<-1.000000e+30> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<false> : tensor<4x4xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %cst_1 = stablehlo.constant dense<1.41421354> : tensor<2x2x4x4xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.slice %arg2 [0:2, 0:4, 0:2, 0:2] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
  %1 = stablehlo.slice %arg2 [0:2, 0:4, 0:2, 2:4] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
  %2 = stablehlo.slice %arg0 [0:2, 0:4, 0:2, 0:2] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
  %3 = stablehlo.slice %arg0 [0:2, 0:4, 0:2, 2:4] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
  %4 = stablehlo.dot_general %0, %2, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>) -> tensor<2x2x4x4xf32>
  %5 = stablehlo.divide %4, %cst_1 : tensor<2x2x4x4xf32>
  %6 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %7 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %9 = stablehlo.select %8, %c_0, %c : tensor<4x4xi1>, tensor<4x4xi1>
  %10 = stablehlo.broadcast_in_dim %9, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x2x4x4xi1>
  %11 = stablehlo.select %10, %5, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %14 = stablehlo.subtract %11, %13 : tensor<2x2x4x4xf32>
  %15 = stablehlo.exponential %14 : tensor<2x2x4x4xf32>
  %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %18 = stablehlo.divide %15, %17 : tensor<2x2x4x4xf32>
  %19 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>) -> tensor<2x2x4x4xf32>
  %20 = stablehlo.divide %19, %cst_1 : tensor<2x2x4x4xf32>
  %21 = stablehlo.select %10, %20, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %22 = stablehlo.reduce(%21 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %24 = stablehlo.subtract %21, %23 : tensor<2x2x4x4xf32>
  %25 = stablehlo.exponential %24 : tensor<2x2x4x4xf32>
  %26 = stablehlo.reduce(%25 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %28 = stablehlo.divide %25, %27 : tensor<2x2x4x4xf32>
  %29 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x2x4x4xf32>
  %30 = stablehlo.multiply %29, %28 : tensor<2x2x4x4xf32>
  %31 = stablehlo.subtract %18, %30 : tensor<2x2x4x4xf32>
  %32 = stablehlo.dot_general %arg3, %31, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %33 = stablehlo.transpose %32, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %34 = stablehlo.reshape %33 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %34 : tensor<2x4x8xf32>
}

// Numbers of each head, and a product that no transpose reads.
// CHECK-LABEL: func @per_head
// CHECK: boost.attention
// CHECK: boost.attention
// CHECK: stablehlo.add
func.func @per_head(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2xf32> {boost.tensor = #boost.tensor<param "sink">}, %arg3: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x2x4x4xf32> {
  %cst = stablehlo.constant dense<1.41421354> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.slice %arg1 [0:2, 0:4, 0:2, 0:2] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
  %1 = stablehlo.slice %arg1 [0:2, 0:4, 0:2, 2:4] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
  %2 = stablehlo.slice %arg0 [0:2, 0:4, 0:2, 0:2] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
  %3 = stablehlo.slice %arg0 [0:2, 0:4, 0:2, 2:4] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
  %4 = stablehlo.dot_general %0, %2, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>) -> tensor<2x2x4x4xf32>
  %5 = stablehlo.divide %4, %cst : tensor<2x2x4x4xf32>
  %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %8 = stablehlo.subtract %5, %7 : tensor<2x2x4x4xf32>
  %9 = stablehlo.exponential %8 : tensor<2x2x4x4xf32>
  %10 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %12 = stablehlo.divide %9, %11 : tensor<2x2x4x4xf32>
  %13 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>) -> tensor<2x2x4x4xf32>
  %14 = stablehlo.divide %13, %cst : tensor<2x2x4x4xf32>
  %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %17 = stablehlo.subtract %14, %16 : tensor<2x2x4x4xf32>
  %18 = stablehlo.exponential %17 : tensor<2x2x4x4xf32>
  %19 = stablehlo.reduce(%18 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %21 = stablehlo.divide %18, %20 : tensor<2x2x4x4xf32>
  %22 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<2xf32>) -> tensor<2x2x4x4xf32>
  %23 = stablehlo.multiply %12, %22 : tensor<2x2x4x4xf32>
  %24 = stablehlo.add %23, %21 : tensor<2x2x4x4xf32>
  %25 = stablehlo.dot_general %24, %arg3, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x2x4x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  return %25 : tensor<2x2x4x4xf32>
}

// CHECK-LABEL: func @scaled
// CHECK: boost.attention
// CHECK: stablehlo.multiply
func.func @scaled(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2xf32> {boost.tensor = #boost.tensor<param "sink">}, %arg3: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %1 = stablehlo.divide %0, %cst : tensor<2x2x4x4xf32>
  %2 = stablehlo.reduce(%1 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<2x2x4x4xf32>
  %5 = stablehlo.exponential %4 : tensor<2x2x4x4xf32>
  %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %8 = stablehlo.divide %5, %7 : tensor<2x2x4x4xf32>
  %9 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<2xf32>) -> tensor<2x2x4x4xf32>
  %10 = stablehlo.multiply %8, %9 : tensor<2x2x4x4xf32>
  %11 = stablehlo.dot_general %arg3, %10, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %12 = stablehlo.transpose %11, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %13 = stablehlo.reshape %12 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %13 : tensor<2x4x8xf32>
}
