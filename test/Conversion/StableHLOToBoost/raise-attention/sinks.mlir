// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Sinks: a further term of the sum, which takes a part of all weights.

// CHECK-LABEL: func @in_sum
// CHECK: %[[R:.*]], %[[L:.*]] = boost.attention %{{.*}} causal
// CHECK: %[[D:.*]] = stablehlo.subtract %[[L]], %
// CHECK: %[[G:.*]] = stablehlo.logistic %[[D]]
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %[[G]], dims = [0, 2, 1]
// CHECK: stablehlo.multiply %[[R]], %[[B]]
func.func @in_sum(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2xf32> {boost.tensor = #boost.tensor<param "sink">}, %arg3: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<-1.000000e+30> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<false> : tensor<4x4xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c_3 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %1 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %3 = stablehlo.select %2, %c_3, %c : tensor<4x4xi1>, tensor<4x4xi1>
  %4 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %5 = stablehlo.divide %4, %cst_0 : tensor<2x2x4x4xf32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x2x4x4xi1>
  %7 = stablehlo.select %6, %5, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
  %10 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<2xf32>) -> tensor<2x2x4x1xf32>
  %11 = stablehlo.maximum %9, %10 : tensor<2x2x4x1xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
  %13 = stablehlo.subtract %7, %12 : tensor<2x2x4x4xf32>
  %14 = stablehlo.exponential %13 : tensor<2x2x4x4xf32>
  %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
  %17 = stablehlo.subtract %10, %11 : tensor<2x2x4x1xf32>
  %18 = stablehlo.exponential %17 : tensor<2x2x4x1xf32>
  %19 = stablehlo.add %16, %18 : tensor<2x2x4x1xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
  %21 = stablehlo.divide %14, %20 : tensor<2x2x4x4xf32>
  %22 = stablehlo.dot_general %arg3, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %23 = stablehlo.transpose %22, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %24 = stablehlo.reshape %23 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %24 : tensor<2x4x8xf32>
}

// One more score, whose weight is dropped (gpt-oss).
// CHECK-LABEL: func @as_score
// CHECK: %[[R:.*]], %[[L:.*]] = boost.attention %{{.*}} causal
// CHECK: %[[D:.*]] = stablehlo.subtract %[[L]], %
// CHECK: %[[G:.*]] = stablehlo.logistic %[[D]]
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %[[G]], dims = [0, 2, 1]
// CHECK: stablehlo.multiply %[[R]], %[[B]]
func.func @as_score(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2xf32> {boost.tensor = #boost.tensor<param "sink">}, %arg3: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<-1.000000e+30> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<false> : tensor<4x4xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c_3 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %1 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %3 = stablehlo.select %2, %c_3, %c : tensor<4x4xi1>, tensor<4x4xi1>
  %4 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %5 = stablehlo.divide %4, %cst_0 : tensor<2x2x4x4xf32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x2x4x4xi1>
  %7 = stablehlo.select %6, %5, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %8 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<2xf32>) -> tensor<2x2x4x1xf32>
  %9 = stablehlo.concatenate %7, %8, dim = 3 : (tensor<2x2x4x4xf32>, tensor<2x2x4x1xf32>) -> tensor<2x2x4x5xf32>
  %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x5xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x5xf32>
  %12 = stablehlo.subtract %9, %11 : tensor<2x2x4x5xf32>
  %13 = stablehlo.exponential %12 : tensor<2x2x4x5xf32>
  %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x5xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x5xf32>
  %16 = stablehlo.divide %13, %15 : tensor<2x2x4x5xf32>
  %17 = stablehlo.slice %16 [0:2, 0:2, 0:4, 0:4] : (tensor<2x2x4x5xf32>) -> tensor<2x2x4x4xf32>
  %18 = stablehlo.dot_general %arg3, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %20 = stablehlo.reshape %19 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %20 : tensor<2x4x8xf32>
}

// CHECK-LABEL: func @first
// CHECK: %[[R:.*]], %[[L:.*]] = boost.attention %{{.*}} causal
// CHECK: %[[D:.*]] = stablehlo.subtract %[[L]], %
// CHECK: %[[G:.*]] = stablehlo.logistic %[[D]]
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %[[G]], dims = [0, 2, 1]
// CHECK: stablehlo.multiply %[[R]], %[[B]]
func.func @first(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2xf32> {boost.tensor = #boost.tensor<param "sink">}, %arg3: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<-1.000000e+30> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<false> : tensor<4x4xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c_3 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %1 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %3 = stablehlo.select %2, %c_3, %c : tensor<4x4xi1>, tensor<4x4xi1>
  %4 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %5 = stablehlo.divide %4, %cst_0 : tensor<2x2x4x4xf32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x2x4x4xi1>
  %7 = stablehlo.select %6, %5, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %8 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<2xf32>) -> tensor<2x2x4x1xf32>
  %9 = stablehlo.concatenate %8, %7, dim = 3 : (tensor<2x2x4x1xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x5xf32>
  %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x5xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x5xf32>
  %12 = stablehlo.subtract %9, %11 : tensor<2x2x4x5xf32>
  %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x5xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x5xf32>
  %15 = stablehlo.subtract %12, %14 : tensor<2x2x4x5xf32>
  %16 = stablehlo.exponential %15 : tensor<2x2x4x5xf32>
  %17 = stablehlo.reduce(%16 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x5xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x5xf32>
  %19 = stablehlo.divide %16, %18 : tensor<2x2x4x5xf32>
  %20 = stablehlo.slice %19 [0:2, 0:2, 0:4, 1:5] : (tensor<2x2x4x5xf32>) -> tensor<2x2x4x4xf32>
  %21 = stablehlo.dot_general %arg3, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %23 = stablehlo.reshape %22 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %23 : tensor<2x4x8xf32>
}

// A term whose score is 0.
// CHECK-LABEL: func @of_zero
// CHECK: %[[R:.*]], %[[L:.*]] = boost.attention %{{.*}} causal
// CHECK: stablehlo.logistic
func.func @of_zero(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2x4x1xf32>
  %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<2x2x4x4xf32>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<false> : tensor<4x4xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c_4 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %1 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %3 = stablehlo.select %2, %c_4, %c : tensor<4x4xi1>, tensor<4x4xi1>
  %4 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %5 = stablehlo.divide %4, %cst_1 : tensor<2x2x4x4xf32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x2x4x4xi1>
  %7 = stablehlo.select %6, %5, %cst_0 : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %8 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
  %10 = stablehlo.maximum %9, %cst : tensor<2x2x4x1xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
  %12 = stablehlo.subtract %7, %11 : tensor<2x2x4x4xf32>
  %13 = stablehlo.exponential %12 : tensor<2x2x4x4xf32>
  %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
  %16 = stablehlo.negate %10 : tensor<2x2x4x1xf32>
  %17 = stablehlo.exponential %16 : tensor<2x2x4x1xf32>
  %18 = stablehlo.add %15, %17 : tensor<2x2x4x1xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
  %20 = stablehlo.divide %13, %19 : tensor<2x2x4x4xf32>
  %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %23 = stablehlo.reshape %22 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %23 : tensor<2x4x8xf32>
}

// CHECK-LABEL: func @plus_one
// CHECK: boost.attention
// CHECK: stablehlo.logistic
func.func @plus_one(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<2x2x4x1xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %1 = stablehlo.divide %0, %cst_0 : tensor<2x2x4x4xf32>
  %2 = stablehlo.exponential %1 : tensor<2x2x4x4xf32>
  %3 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
  %5 = stablehlo.add %4, %cst : tensor<2x2x4x1xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
  %7 = stablehlo.divide %2, %6 : tensor<2x2x4x4xf32>
  %8 = stablehlo.dot_general %arg2, %7, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %9 = stablehlo.transpose %8, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %10 = stablehlo.reshape %9 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %10 : tensor<2x4x8xf32>
}

// A query that sees no key has the result 0.
// CHECK-LABEL: func @padded
// CHECK: %[[R:.*]], %[[L:.*]] = boost.attention %{{.*}} mask
// CHECK: stablehlo.logistic
// CHECK: applies stablehlo.or
// CHECK: stablehlo.select
func.func @padded(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2xf32> {boost.tensor = #boost.tensor<param "sink">}, %arg3: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}, %arg4: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "batch.0">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<-1.000000e+30> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<2x4xi32>
  %0 = stablehlo.compare GT, %arg4, %c, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
  %1 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %2 = stablehlo.divide %1, %cst_0 : tensor<2x2x4x4xf32>
  %3 = stablehlo.broadcast_in_dim %0, dims = [0, 3] : (tensor<2x4xi1>) -> tensor<2x2x4x4xi1>
  %4 = stablehlo.select %3, %2, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %5 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<2xf32>) -> tensor<2x2x4x1xf32>
  %6 = stablehlo.concatenate %4, %5, dim = 3 : (tensor<2x2x4x4xf32>, tensor<2x2x4x1xf32>) -> tensor<2x2x4x5xf32>
  %7 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x5xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x5xf32>
  %9 = stablehlo.subtract %6, %8 : tensor<2x2x4x5xf32>
  %10 = stablehlo.exponential %9 : tensor<2x2x4x5xf32>
  %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x5xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x5xf32>
  %13 = stablehlo.divide %10, %12 : tensor<2x2x4x5xf32>
  %14 = stablehlo.slice %13 [0:2, 0:2, 0:4, 0:4] : (tensor<2x2x4x5xf32>) -> tensor<2x2x4x4xf32>
  %15 = stablehlo.dot_general %arg3, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %17 = stablehlo.reshape %16 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %17 : tensor<2x4x8xf32>
}
