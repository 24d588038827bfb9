// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Heads of values that are narrower or wider than those of queries and keys.

// CHECK-LABEL: func @narrower
// CHECK: %[[V:.*]] = stablehlo.pad %{{.*}}, low = [0, 0, 0, 0], high = [0, 0, 0, 2]
// CHECK: %[[R:.*]], %{{.*}} = boost.attention %{{.*}}, %{{.*}}, %[[V]] causal
// CHECK: stablehlo.slice %[[R]] [0:2, 0:4, 0:2, 0:2]
func.func @narrower(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x2xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x4xf32> {
  %cst = stablehlo.constant dense<-1.000000e+30> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<false> : tensor<4x4xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %1 = stablehlo.divide %0, %cst_1 : tensor<2x2x4x4xf32>
  %2 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %3 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %5 = stablehlo.select %4, %c_0, %c : tensor<4x4xi1>, tensor<4x4xi1>
  %6 = stablehlo.broadcast_in_dim %5, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x2x4x4xi1>
  %7 = stablehlo.select %6, %1, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %8 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %10 = stablehlo.subtract %7, %9 : tensor<2x2x4x4xf32>
  %11 = stablehlo.exponential %10 : tensor<2x2x4x4xf32>
  %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %14 = stablehlo.divide %11, %13 : tensor<2x2x4x4xf32>
  %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x2xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x2x4xf32>
  %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x2x2x4xf32>) -> tensor<2x4x2x2xf32>
  %17 = stablehlo.reshape %16 : (tensor<2x4x2x2xf32>) -> tensor<2x4x4xf32>
  return %17 : tensor<2x4x4xf32>
}

// CHECK-LABEL: func @wider
// CHECK: %[[Q:.*]] = stablehlo.pad %{{.*}}, low = [0, 0, 0, 0], high = [0, 0, 0, 2]
// CHECK: %[[K:.*]] = stablehlo.pad %{{.*}}, low = [0, 0, 0, 0], high = [0, 0, 0, 2]
// CHECK: boost.attention %[[Q]], %[[K]], %{{.*}} causal
// CHECK-NOT: stablehlo.slice
// CHECK: return
func.func @wider(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x6xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x12xf32> {
  %cst = stablehlo.constant dense<-1.000000e+30> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<false> : tensor<4x4xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %1 = stablehlo.divide %0, %cst_1 : tensor<2x2x4x4xf32>
  %2 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %3 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %5 = stablehlo.select %4, %c_0, %c : tensor<4x4xi1>, tensor<4x4xi1>
  %6 = stablehlo.broadcast_in_dim %5, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x2x4x4xi1>
  %7 = stablehlo.select %6, %1, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %8 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %10 = stablehlo.subtract %7, %9 : tensor<2x2x4x4xf32>
  %11 = stablehlo.exponential %10 : tensor<2x2x4x4xf32>
  %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %14 = stablehlo.divide %11, %13 : tensor<2x2x4x4xf32>
  %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x6xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x6x4xf32>
  %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x2x6x4xf32>) -> tensor<2x4x2x6xf32>
  %17 = stablehlo.reshape %16 : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
  return %17 : tensor<2x4x12xf32>
}
