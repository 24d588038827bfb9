// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Blocks of a sequence are entries of a batch, not heads.

// Each block sees the one before it, too.
// CHECK-LABEL: func @block_before
// CHECK: boost.attention %{{.*}} mask %{{.*}} {scale = 5.000000e-01 : f64} : (tensor<4x2x2x4xf32>, tensor<4x4x2x4xf32>, tensor<4x4x2x4xf32>, tensor<4x1x2x4xi1>)
func.func @block_before(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<-1.000000e+30> : tensor<2x2x2x2x4xf32>
  %c = stablehlo.constant dense<2> : tensor<2x4xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<2x4xi32>
  %c_1 = stablehlo.constant dense<2> : tensor<4xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<2x1x1xi32>
  %c_3 = stablehlo.constant dense<2> : tensor<2x1xi32>
  %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x2x2x4xf32>
  %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reshape %arg1 : (tensor<2x4x2x4xf32>) -> tensor<2x2x2x2x4xf32>
  %1 = stablehlo.reshape %arg0 : (tensor<2x4x2x4xf32>) -> tensor<2x2x2x2x4xf32>
  %2 = stablehlo.pad %1, %cst_6, low = [0, 1, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<2x2x2x2x4xf32>, tensor<f32>) -> tensor<2x3x2x2x4xf32>
  %3 = stablehlo.slice %2 [0:2, 0:2, 0:2, 0:2, 0:4] : (tensor<2x3x2x2x4xf32>) -> tensor<2x2x2x2x4xf32>
  %4 = stablehlo.concatenate %3, %1, dim = 2 : (tensor<2x2x2x2x4xf32>, tensor<2x2x2x2x4xf32>) -> tensor<2x2x4x2x4xf32>
  %5 = stablehlo.reshape %arg2 : (tensor<2x4x2x4xf32>) -> tensor<2x2x2x2x4xf32>
  %6 = stablehlo.pad %5, %cst_6, low = [0, 1, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<2x2x2x2x4xf32>, tensor<f32>) -> tensor<2x3x2x2x4xf32>
  %7 = stablehlo.slice %6 [0:2, 0:2, 0:2, 0:2, 0:4] : (tensor<2x3x2x2x4xf32>) -> tensor<2x2x2x2x4xf32>
  %8 = stablehlo.concatenate %7, %5, dim = 2 : (tensor<2x2x2x2x4xf32>, tensor<2x2x2x2x4xf32>) -> tensor<2x2x4x2x4xf32>
  %9 = stablehlo.dot_general %0, %4, batching_dims = [0, 1, 3] x [0, 1, 3], contracting_dims = [4] x [4] : (tensor<2x2x2x2x4xf32>, tensor<2x2x4x2x4xf32>) -> tensor<2x2x2x2x4xf32>
  %10 = stablehlo.divide %9, %cst_4 : tensor<2x2x2x2x4xf32>
  %11 = stablehlo.iota dim = 0 : tensor<2xi32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
  %13 = stablehlo.add %12, %c_3 : tensor<2x1xi32>
  %14 = stablehlo.iota dim = 0 : tensor<4xi32>
  %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x4xi32>
  %16 = stablehlo.broadcast_in_dim %14, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
  %17 = stablehlo.subtract %15, %16 : tensor<2x4xi32>
  %18 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1xi32>
  %19 = stablehlo.compare GT, %18, %c_2, SIGNED : (tensor<2x1x1xi32>, tensor<2x1x1xi32>) -> tensor<2x1x1xi1>
  %20 = stablehlo.compare GE, %14, %c_1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %21 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x1x4xi1>
  %22 = stablehlo.broadcast_in_dim %20, dims = [2] : (tensor<4xi1>) -> tensor<2x1x4xi1>
  %23 = stablehlo.or %21, %22 : tensor<2x1x4xi1>
  %24 = stablehlo.compare GE, %17, %c_0, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
  %25 = stablehlo.compare LT, %17, %c, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
  %26 = stablehlo.and %24, %25 : tensor<2x4xi1>
  %27 = stablehlo.broadcast_in_dim %26, dims = [1, 2] : (tensor<2x4xi1>) -> tensor<2x2x4xi1>
  %28 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x1x4xi1>) -> tensor<2x2x4xi1>
  %29 = stablehlo.and %27, %28 : tensor<2x2x4xi1>
  %30 = stablehlo.broadcast_in_dim %29, dims = [1, 3, 4] : (tensor<2x2x4xi1>) -> tensor<2x2x2x2x4xi1>
  %31 = stablehlo.select %30, %10, %cst : tensor<2x2x2x2x4xi1>, tensor<2x2x2x2x4xf32>
  %32 = stablehlo.reduce(%31 init: %cst_5) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x2x4xf32>, tensor<f32>) -> tensor<2x2x2x2xf32>
  %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<2x2x2x2xf32>) -> tensor<2x2x2x2x4xf32>
  %34 = stablehlo.subtract %31, %33 : tensor<2x2x2x2x4xf32>
  %35 = stablehlo.exponential %34 : tensor<2x2x2x2x4xf32>
  %36 = stablehlo.reduce(%35 init: %cst_6) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x2x4xf32>, tensor<f32>) -> tensor<2x2x2x2xf32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<2x2x2x2xf32>) -> tensor<2x2x2x2x4xf32>
  %38 = stablehlo.divide %35, %37 : tensor<2x2x2x2x4xf32>
  %39 = stablehlo.dot_general %8, %38, batching_dims = [0, 1, 3] x [0, 1, 2], contracting_dims = [2] x [4] : (tensor<2x2x4x2x4xf32>, tensor<2x2x2x2x4xf32>) -> tensor<2x2x2x4x2xf32>
  %40 = stablehlo.transpose %39, dims = [0, 1, 4, 2, 3] : (tensor<2x2x2x4x2xf32>) -> tensor<2x2x2x2x4xf32>
  %41 = stablehlo.reshape %40 : (tensor<2x2x2x2x4xf32>) -> tensor<2x4x8xf32>
  return %41 : tensor<2x4x8xf32>
}

// CHECK-LABEL: func @grouped
// CHECK: boost.attention %{{.*}} {scale = 1.000000e+00 : f64} : (tensor<4x2x4x4xf32>, tensor<4x2x2x4xf32>, tensor<4x2x2x4xf32>)
func.func @grouped(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x4x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x2x2x2x2x4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reshape %arg0 : (tensor<2x4x2x4xf32>) -> tensor<2x2x2x2x4xf32>
  %1 = stablehlo.reshape %arg2 : (tensor<2x4x2x4xf32>) -> tensor<2x2x2x2x4xf32>
  %2 = stablehlo.reshape %arg1 : (tensor<2x4x4x4xf32>) -> tensor<2x2x2x2x2x4xf32>
  %3 = stablehlo.dot_general %0, %2, batching_dims = [0, 1, 3] x [0, 1, 3], contracting_dims = [4] x [5] : (tensor<2x2x2x2x4xf32>, tensor<2x2x2x2x2x4xf32>) -> tensor<2x2x2x2x2x2xf32>
  %4 = stablehlo.transpose %3, dims = [0, 1, 2, 5, 4, 3] : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
  %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.maximum across dimensions = [5] : (tensor<2x2x2x2x2x2xf32>, tensor<f32>) -> tensor<2x2x2x2x2xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
  %7 = stablehlo.subtract %4, %6 : tensor<2x2x2x2x2x2xf32>
  %8 = stablehlo.exponential %7 : tensor<2x2x2x2x2x2xf32>
  %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [5] : (tensor<2x2x2x2x2x2xf32>, tensor<f32>) -> tensor<2x2x2x2x2xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
  %11 = stablehlo.divide %8, %10 : tensor<2x2x2x2x2x2xf32>
  %12 = stablehlo.dot_general %1, %11, batching_dims = [0, 1, 3] x [0, 1, 2], contracting_dims = [2] x [5] : (tensor<2x2x2x2x4xf32>, tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x4x2x2xf32>
  %13 = stablehlo.transpose %12, dims = [0, 1, 5, 2, 4, 3] : (tensor<2x2x2x4x2x2xf32>) -> tensor<2x2x2x2x2x4xf32>
  return %13 : tensor<2x2x2x2x2x4xf32>
}

// CHECK-LABEL: func @one_head
// CHECK: boost.attention %{{.*}} {scale = 1.000000e+00 : f64} : (tensor<4x2x1x4xf32>, tensor<4x2x1x4xf32>, tensor<4x2x1x4xf32>)
func.func @one_head(%arg0: tensor<2x4x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x2x2x4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reshape %arg1 : (tensor<2x4x4xf32>) -> tensor<2x2x2x4xf32>
  %1 = stablehlo.reshape %arg0 : (tensor<2x4x4xf32>) -> tensor<2x2x2x4xf32>
  %2 = stablehlo.reshape %arg2 : (tensor<2x4x4xf32>) -> tensor<2x2x2x4xf32>
  %3 = stablehlo.dot_general %0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x2x2x4xf32>, tensor<2x2x2x4xf32>) -> tensor<2x2x2x2xf32>
  %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x2x2xf32>, tensor<f32>) -> tensor<2x2x2xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x2x2xf32>) -> tensor<2x2x2x2xf32>
  %6 = stablehlo.subtract %3, %5 : tensor<2x2x2x2xf32>
  %7 = stablehlo.exponential %6 : tensor<2x2x2x2xf32>
  %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x2x2x2xf32>, tensor<f32>) -> tensor<2x2x2xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x2x2xf32>) -> tensor<2x2x2x2xf32>
  %10 = stablehlo.divide %7, %9 : tensor<2x2x2x2xf32>
  %11 = stablehlo.dot_general %10, %2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x2x2x2xf32>, tensor<2x2x2x4xf32>) -> tensor<2x2x2x4xf32>
  return %11 : tensor<2x2x2x4xf32>
}
