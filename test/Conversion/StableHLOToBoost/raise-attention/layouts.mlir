// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Dimensions may stand in any order; transposes around the products go away.

// jax.nn.dot_product_attention
// CHECK-LABEL: func @library
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x4x16xf32>
// CHECK:         %[[O:.*]], %{{.*}} = boost.attention %[[Q]], %[[K]], %[[V]] causal {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
// CHECK-NEXT:    return %[[O]]
func.func @library(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<-2.38197633E+38> : tensor<1x2x4x8x8xf32>
  %c = stablehlo.constant dense<false> : tensor<8x8xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<8x8xi1>
  %cst_1 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x1x8xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reshape %arg0 : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x1x16xf32>
  %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x1x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x1x8xf32>
  %2 = stablehlo.multiply %1, %cst_1 : tensor<2x4x8x1x8xf32>
  %3 = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %4 = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %5 = stablehlo.compare GE, %3, %4, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %6 = stablehlo.select %5, %c_0, %c : tensor<8x8xi1>, tensor<8x8xi1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [3, 4] : (tensor<8x8xi1>) -> tensor<1x2x4x8x8xi1>
  %8 = stablehlo.transpose %2, dims = [3, 0, 1, 2, 4] : (tensor<2x4x8x1x8xf32>) -> tensor<1x2x4x8x8xf32>
  %9 = stablehlo.select %7, %8, %cst : tensor<1x2x4x8x8xi1>, tensor<1x2x4x8x8xf32>
  %10 = stablehlo.reduce(%9 init: %cst_3) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x8x8xf32>, tensor<f32>) -> tensor<1x2x4x8xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x2x4x8xf32>) -> tensor<1x2x4x8x8xf32>
  %12 = stablehlo.subtract %9, %11 : tensor<1x2x4x8x8xf32>
  %13 = stablehlo.exponential %12 : tensor<1x2x4x8x8xf32>
  %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x8x8xf32>, tensor<f32>) -> tensor<1x2x4x8xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<1x2x4x8xf32>) -> tensor<1x2x4x8x8xf32>
  %16 = stablehlo.divide %13, %15 : tensor<1x2x4x8x8xf32>
  %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<1x2x4x8x8xf32>) -> tensor<2x4x16x1x8xf32>
  %18 = stablehlo.transpose %17, dims = [0, 4, 1, 3, 2] : (tensor<2x4x16x1x8xf32>) -> tensor<2x8x4x1x16xf32>
  %19 = stablehlo.reshape %18 : (tensor<2x8x4x1x16xf32>) -> tensor<2x8x4x16xf32>
  return %19 : tensor<2x8x4x16xf32>
}

// q, k and v transposed to heads first, the scale on q, a triangle as mask.
// CHECK-LABEL: func @heads_first
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x4x16xf32>
// CHECK:         %[[O:.*]], %{{.*}} = boost.attention %[[Q]], %[[K]], %[[V]] causal {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
// CHECK-NEXT:    %[[R:.*]] = stablehlo.reshape %[[O]] : (tensor<2x8x4x16xf32>) -> tensor<2x8x64xf32>
// CHECK-NEXT:    return %[[R]]
func.func @heads_first(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x64xf32> {
  %cst = stablehlo.constant dense<-1.000000e+09> : tensor<2x4x8x8xf32>
  %c = stablehlo.constant dense<false> : tensor<8x8xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<8x8xi1>
  %cst_1 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x16xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.transpose %arg0, dims = [0, 2, 1, 3] : (tensor<2x8x4x16xf32>) -> tensor<2x4x8x16xf32>
  %1 = stablehlo.transpose %arg2, dims = [0, 2, 1, 3] : (tensor<2x8x4x16xf32>) -> tensor<2x4x8x16xf32>
  %2 = stablehlo.multiply %0, %cst_1 : tensor<2x4x8x16xf32>
  %3 = stablehlo.transpose %arg1, dims = [0, 2, 3, 1] : (tensor<2x8x4x16xf32>) -> tensor<2x4x16x8xf32>
  %4 = stablehlo.dot_general %2, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x8x8xf32>
  %5 = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %6 = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %8 = stablehlo.select %7, %c_0, %c : tensor<8x8xi1>, tensor<8x8xi1>
  %9 = stablehlo.broadcast_in_dim %8, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %10 = stablehlo.select %9, %4, %cst : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %11 = stablehlo.reduce(%10 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %13 = stablehlo.subtract %10, %12 : tensor<2x4x8x8xf32>
  %14 = stablehlo.exponential %13 : tensor<2x4x8x8xf32>
  %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %17 = stablehlo.divide %14, %16 : tensor<2x4x8x8xf32>
  %18 = stablehlo.dot_general %17, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  %19 = stablehlo.transpose %18, dims = [0, 2, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<2x8x4x16xf32>
  %20 = stablehlo.reshape %19 : (tensor<2x8x4x16xf32>) -> tensor<2x8x64xf32>
  return %20 : tensor<2x8x64xf32>
}

// [sequence, batch, heads, head size]: transposed to the form of the operation.
// CHECK-LABEL: func @sequence_first
// CHECK-SAME:    %[[Q:[^:]*]]: tensor<8x2x4x16xf32>
// CHECK:         %[[T:.*]] = stablehlo.transpose %[[Q]], dims = [1, 0, 2, 3]
// CHECK:         %[[O:.*]], %{{.*}} = boost.attention %[[T]],
// CHECK:         stablehlo.transpose %[[O]], dims = [1, 0, 2, 3]
func.func @sequence_first(%arg0: tensor<8x2x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<8x2x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<8x2x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<8x2x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %c = stablehlo.constant dense<false> : tensor<8x8xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<8x8xi1>
  %cst_1 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [1, 2] x [1, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x4x16xf32>, tensor<8x2x4x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = stablehlo.multiply %0, %cst_1 : tensor<2x4x8x8xf32>
  %2 = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %5 = stablehlo.select %4, %c_0, %c : tensor<8x8xi1>, tensor<8x8xi1>
  %6 = stablehlo.broadcast_in_dim %5, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %7 = stablehlo.select %6, %1, %cst : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %8 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %10 = stablehlo.subtract %7, %9 : tensor<2x4x8x8xf32>
  %11 = stablehlo.exponential %10 : tensor<2x4x8x8xf32>
  %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %14 = stablehlo.divide %11, %13 : tensor<2x4x8x8xf32>
  %15 = stablehlo.dot_general %arg2, %14, batching_dims = [1, 2] x [0, 1], contracting_dims = [0] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  %16 = stablehlo.transpose %15, dims = [3, 0, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<8x2x4x16xf32>
  return %16 : tensor<8x2x4x16xf32>
}

// One sequence: a batch of one.
// CHECK-LABEL: func @no_batch
// CHECK-SAME:    %[[Q:[^:]*]]: tensor<8x4x16xf32>
// CHECK:         %[[R:.*]] = stablehlo.reshape %[[Q]] : (tensor<8x4x16xf32>) -> tensor<1x8x4x16xf32>
// CHECK:         boost.attention %[[R]],
func.func @no_batch(%arg0: tensor<8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<4x8x8xf32>
  %c = stablehlo.constant dense<false> : tensor<8x8xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<8x8xi1>
  %cst_1 = stablehlo.constant dense<2.500000e-01> : tensor<4x8x8xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<4x8x8xf32>
  %1 = stablehlo.multiply %0, %cst_1 : tensor<4x8x8xf32>
  %2 = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %5 = stablehlo.select %4, %c_0, %c : tensor<8x8xi1>, tensor<8x8xi1>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<8x8xi1>) -> tensor<4x8x8xi1>
  %7 = stablehlo.select %6, %1, %cst : tensor<4x8x8xi1>, tensor<4x8x8xf32>
  %8 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
  %10 = stablehlo.subtract %7, %9 : tensor<4x8x8xf32>
  %11 = stablehlo.exponential %10 : tensor<4x8x8xf32>
  %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
  %14 = stablehlo.divide %11, %13 : tensor<4x8x8xf32>
  %15 = stablehlo.dot_general %arg2, %14, batching_dims = [1] x [0], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<4x8x8xf32>) -> tensor<4x16x8xf32>
  %16 = stablehlo.transpose %15, dims = [2, 0, 1] : (tensor<4x16x8xf32>) -> tensor<8x4x16xf32>
  return %16 : tensor<8x4x16xf32>
}

// Scores with a dimension of size 1 that no operand has.
// CHECK-LABEL: func @unit_of_scores
// CHECK-SAME:    %[[Q:.*]]: tensor<2x4x8x16xf32>{{.*}}, %[[K:.*]]: tensor<2x4x8x16xf32>{{.*}}, %[[V:.*]]: tensor<2x4x8x16xf32>
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>)
func.func @unit_of_scores(%arg0: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x4x8x16xf32> {
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x4x8x8xf32>) -> tensor<2x4x1x8x8xf32>
  %2 = stablehlo.reduce(%1 init: %cst_3) applies stablehlo.maximum across dimensions = [4] : (tensor<2x4x1x8x8xf32>, tensor<f32>) -> tensor<2x4x1x8xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<2x4x1x8xf32>) -> tensor<2x4x1x8x8xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<2x4x1x8x8xf32>
  %5 = stablehlo.exponential %4 : tensor<2x4x1x8x8xf32>
  %6 = stablehlo.reduce(%5 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<2x4x1x8x8xf32>, tensor<f32>) -> tensor<2x4x1x8xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x1x8xf32>) -> tensor<2x4x1x8x8xf32>
  %8 = stablehlo.divide %5, %7 : tensor<2x4x1x8x8xf32>
  %9 = stablehlo.reshape %8 : (tensor<2x4x1x8x8xf32>) -> tensor<2x4x8x8xf32>
  %10 = stablehlo.dot_general %9, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %10 : tensor<2x4x8x16xf32>
}
