// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Masks that take terms out of the sum: a query that sees no key has the result 0.

// `jax.nn.softmax(where=)`. All queries see their own keys.
// CHECK-LABEL: func @causal
// CHECK: boost.attention %{{.*}} causal
// CHECK-NOT: stablehlo.reduce
// CHECK: return
func.func @causal(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}, %arg3: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "batch.0">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<false> : tensor<4x4xi1>
  %c_1 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %1 = stablehlo.divide %0, %cst_2 : tensor<2x2x4x4xf32>
  %2 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %3 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %5 = stablehlo.select %4, %c_1, %c : tensor<4x4xi1>, tensor<4x4xi1>
  %6 = stablehlo.broadcast_in_dim %5, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x2x4x4xi1>
  %7 = stablehlo.select %6, %1, %cst_0 : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %8 = stablehlo.reduce(%7 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %10 = stablehlo.subtract %7, %9 : tensor<2x2x4x4xf32>
  %11 = stablehlo.exponential %10 : tensor<2x2x4x4xf32>
  %12 = stablehlo.select %6, %11, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %15 = stablehlo.divide %11, %14 : tensor<2x2x4x4xf32>
  %16 = stablehlo.select %6, %15, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %19 = stablehlo.reshape %18 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %19 : tensor<2x4x8xf32>
}

// So they do where documents are packed.
// CHECK-LABEL: func @documents
// CHECK: %[[EQ:.*]] = stablehlo.compare EQ
// CHECK: boost.attention %{{.*}} mask %{{.*}} causal
// CHECK-NOT: stablehlo.reduce
// CHECK: return
func.func @documents(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}, %arg3: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "batch.0">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<2x2x4x4xf32>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<false> : tensor<4x4xi1>
  %c_2 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %arg3, dims = [0, 2] : (tensor<2x4xi32>) -> tensor<2x1x4x4xi32>
  %1 = stablehlo.broadcast_in_dim %arg3, dims = [0, 3] : (tensor<2x4xi32>) -> tensor<2x1x4x4xi32>
  %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<2x1x4x4xi32>, tensor<2x1x4x4xi32>) -> tensor<2x1x4x4xi1>
  %3 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %4 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %5 = stablehlo.compare GE, %3, %4, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %6 = stablehlo.select %5, %c_2, %c : tensor<4x4xi1>, tensor<4x4xi1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x1x4x4xi1>
  %8 = stablehlo.and %2, %7 : tensor<2x1x4x4xi1>
  %9 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %10 = stablehlo.divide %9, %cst_1 : tensor<2x2x4x4xf32>
  %11 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x1x4x4xi1>) -> tensor<2x2x4x4xi1>
  %12 = stablehlo.select %11, %10, %cst_0 : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %13 = stablehlo.reduce(%12 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %15 = stablehlo.subtract %12, %14 : tensor<2x2x4x4xf32>
  %16 = stablehlo.exponential %15 : tensor<2x2x4x4xf32>
  %17 = stablehlo.select %11, %16, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %20 = stablehlo.divide %16, %19 : tensor<2x2x4x4xf32>
  %21 = stablehlo.select %11, %20, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %23 = stablehlo.transpose %22, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %24 = stablehlo.reshape %23 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %24 : tensor<2x4x8xf32>
}

// Not if keys are padding.
// CHECK-LABEL: func @padded
// CHECK: %[[R:.*]], %{{.*}} = boost.attention %{{.*}} mask %[[M:.*]] {scale
// CHECK: %[[OR:.*]] = stablehlo.reduce(%[[M]] init: %{{.*}}) applies stablehlo.or across dimensions = [3]
// CHECK: stablehlo.select %{{.*}}, %[[R]], %
func.func @padded(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}, %arg3: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "batch.0">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<0> : tensor<2x4xi32>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %1 = stablehlo.divide %0, %cst_1 : tensor<2x2x4x4xf32>
  %2 = stablehlo.compare GT, %arg3, %c, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 3] : (tensor<2x4xi1>) -> tensor<2x2x4x4xi1>
  %4 = stablehlo.select %3, %1, %cst_0 : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %5 = stablehlo.reduce(%4 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %7 = stablehlo.subtract %4, %6 : tensor<2x2x4x4xf32>
  %8 = stablehlo.exponential %7 : tensor<2x2x4x4xf32>
  %9 = stablehlo.select %3, %8, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %12 = stablehlo.divide %8, %11 : tensor<2x2x4x4xf32>
  %13 = stablehlo.select %3, %12, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %16 = stablehlo.reshape %15 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %16 : tensor<2x4x8xf32>
}

// CHECK-LABEL: func @padded_causal
// CHECK: %[[R:.*]], %{{.*}} = boost.attention %{{.*}} mask %{{.*}} causal
// CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.or across dimensions = [3] : (tensor<2x1x4x4xi1>
// CHECK: stablehlo.select %{{.*}}, %[[R]], %
func.func @padded_causal(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}, %arg3: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "batch.0">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<false> : tensor<4x4xi1>
  %c_1 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<2x4xi32>
  %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %1 = stablehlo.divide %0, %cst_3 : tensor<2x2x4x4xf32>
  %2 = stablehlo.compare GT, %arg3, %c_2, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
  %3 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %4 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %5 = stablehlo.compare GE, %3, %4, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %6 = stablehlo.select %5, %c_1, %c : tensor<4x4xi1>, tensor<4x4xi1>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0, 3] : (tensor<2x4xi1>) -> tensor<2x1x4x4xi1>
  %8 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x1x4x4xi1>
  %9 = stablehlo.and %7, %8 : tensor<2x1x4x4xi1>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x1x4x4xi1>) -> tensor<2x2x4x4xi1>
  %11 = stablehlo.select %10, %1, %cst_0 : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %12 = stablehlo.reduce(%11 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %14 = stablehlo.subtract %11, %13 : tensor<2x2x4x4xf32>
  %15 = stablehlo.exponential %14 : tensor<2x2x4x4xf32>
  %16 = stablehlo.select %10, %15, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %17 = stablehlo.reduce(%16 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %19 = stablehlo.divide %15, %18 : tensor<2x2x4x4xf32>
  %20 = stablehlo.select %10, %19, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %23 = stablehlo.reshape %22 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %23 : tensor<2x4x8xf32>
}

// A mask as a factor of the terms.
// CHECK-LABEL: func @times_mask
// CHECK: %[[R:.*]], %{{.*}} = boost.attention %{{.*}} mask
// CHECK: stablehlo.select %{{.*}}, %[[R]], %
func.func @times_mask(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}, %arg3: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "batch.0">}) -> tensor<2x4x8xf32> {
  %c = stablehlo.constant dense<0> : tensor<2x4xi32>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %1 = stablehlo.divide %0, %cst : tensor<2x2x4x4xf32>
  %2 = stablehlo.exponential %1 : tensor<2x2x4x4xf32>
  %3 = stablehlo.compare GT, %arg3, %c, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 3] : (tensor<2x4xi1>) -> tensor<2x1x1x4xi1>
  %5 = stablehlo.convert %4 : (tensor<2x1x1x4xi1>) -> tensor<2x1x1x4xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x1x1x4xf32>) -> tensor<2x2x4x4xf32>
  %7 = stablehlo.multiply %2, %6 : tensor<2x2x4x4xf32>
  %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %10 = stablehlo.divide %7, %9 : tensor<2x2x4x4xf32>
  %11 = stablehlo.dot_general %arg2, %10, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %12 = stablehlo.transpose %11, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %13 = stablehlo.reshape %12 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %13 : tensor<2x4x8xf32>
}

// Another mask hides scores. Where all queries see their own keys, it does not
// matter how low these are.
// CHECK-LABEL: func @two_fills
// CHECK: boost.attention %{{.*}} mask %{{.*}} causal
// CHECK-NOT: stablehlo.reduce
// CHECK: return
func.func @two_fills(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}, %arg3: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "batch.0">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<2x2x4x4xf32>
  %cst_1 = stablehlo.constant dense<-1.000000e+30> : tensor<2x2x4x4xf32>
  %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<false> : tensor<4x4xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c_5 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %1 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %3 = stablehlo.select %2, %c_5, %c : tensor<4x4xi1>, tensor<4x4xi1>
  %4 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %5 = stablehlo.divide %4, %cst_2 : tensor<2x2x4x4xf32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x2x4x4xi1>
  %7 = stablehlo.select %6, %5, %cst_1 : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %8 = stablehlo.broadcast_in_dim %arg3, dims = [0, 2] : (tensor<2x4xi32>) -> tensor<2x1x4x4xi32>
  %9 = stablehlo.broadcast_in_dim %arg3, dims = [0, 3] : (tensor<2x4xi32>) -> tensor<2x1x4x4xi32>
  %10 = stablehlo.compare EQ, %8, %9, SIGNED : (tensor<2x1x4x4xi32>, tensor<2x1x4x4xi32>) -> tensor<2x1x4x4xi1>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x1x4x4xi1>) -> tensor<2x2x4x4xi1>
  %12 = stablehlo.select %11, %7, %cst_0 : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %13 = stablehlo.reduce(%12 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %15 = stablehlo.subtract %12, %14 : tensor<2x2x4x4xf32>
  %16 = stablehlo.exponential %15 : tensor<2x2x4x4xf32>
  %17 = stablehlo.select %11, %16, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %20 = stablehlo.divide %16, %19 : tensor<2x2x4x4xf32>
  %21 = stablehlo.select %11, %20, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %23 = stablehlo.transpose %22, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %24 = stablehlo.reshape %23 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %24 : tensor<2x4x8xf32>
}
