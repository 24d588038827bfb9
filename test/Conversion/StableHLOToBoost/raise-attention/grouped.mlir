// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Fewer key and value heads than query heads: repeated ones are read once.

// The queries have a dimension for the group; the mask is a constant bias.
// CHECK-LABEL: func @group_dimension
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x2x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x2x16xf32>
// CHECK:         %[[O:.*]], %{{.*}} = boost.attention %[[Q]], %[[K]], %[[V]] causal {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
// CHECK-NEXT:    %[[R:.*]] = stablehlo.reshape %[[O]] : (tensor<2x8x4x16xf32>) -> tensor<2x8x64xf32>
// CHECK-NEXT:    return %[[R]]
func.func @group_dimension(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x2x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x2x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x64xf32> {
  %cst = stablehlo.constant dense<-1.000000e+30> : tensor<8x8xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<8x8xf32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %c = stablehlo.constant dense<[[true, false, false, false, false, false, false, false], [true, true, false, false, false, false, false, false], [true, true, true, false, false, false, false, false], [true, true, true, true, false, false, false, false], [true, true, true, true, true, false, false, false], [true, true, true, true, true, true, false, false], [true, true, true, true, true, true, true, false], [true, true, true, true, true, true, true, true]]> : tensor<8x8xi1>
  %0 = stablehlo.reshape %arg0 : (tensor<2x8x4x16xf32>) -> tensor<2x8x2x2x16xf32>
  %1 = stablehlo.dot_general %arg1, %0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x8x2x16xf32>, tensor<2x8x2x2x16xf32>) -> tensor<2x2x8x8x2xf32>
  %2 = stablehlo.transpose %1, dims = [0, 1, 4, 3, 2] : (tensor<2x2x8x8x2xf32>) -> tensor<2x2x2x8x8xf32>
  %3 = stablehlo.sqrt %cst_3 : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2x2x2x8x8xf32>
  %5 = stablehlo.divide %2, %4 : tensor<2x2x2x8x8xf32>
  %6 = stablehlo.select %c, %cst_0, %cst : tensor<8x8xi1>, tensor<8x8xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [3, 4] : (tensor<8x8xf32>) -> tensor<2x2x2x8x8xf32>
  %8 = stablehlo.add %5, %7 : tensor<2x2x2x8x8xf32>
  %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x2x8xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x2x2x8xf32>) -> tensor<2x2x2x8x8xf32>
  %11 = stablehlo.subtract %8, %10 : tensor<2x2x2x8x8xf32>
  %12 = stablehlo.exponential %11 : tensor<2x2x2x8x8xf32>
  %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x2x8xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x2x2x8xf32>) -> tensor<2x2x2x8x8xf32>
  %15 = stablehlo.divide %12, %14 : tensor<2x2x2x8x8xf32>
  %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x8x2x16xf32>, tensor<2x2x2x8x8xf32>) -> tensor<2x2x16x2x8xf32>
  %17 = stablehlo.transpose %16, dims = [0, 4, 1, 3, 2] : (tensor<2x2x16x2x8xf32>) -> tensor<2x8x2x2x16xf32>
  %18 = stablehlo.reshape %17 : (tensor<2x8x2x2x16xf32>) -> tensor<2x8x64xf32>
  return %18 : tensor<2x8x64xf32>
}

// jnp.repeat of keys and values.
// CHECK-LABEL: func @repeated_heads
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x2x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x2x16xf32>
// CHECK:         %[[O:.*]], %{{.*}} = boost.attention %[[Q]], %[[K]], %[[V]] causal {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
// CHECK-NEXT:    return %[[O]]
func.func @repeated_heads(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x2x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x2x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2, 4] : (tensor<2x8x2x16xf32>) -> tensor<2x8x2x2x16xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x8x2x2x16xf32>) -> tensor<2x8x4x16xf32>
  %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2, 4] : (tensor<2x8x2x16xf32>) -> tensor<2x8x2x2x16xf32>
  %3 = stablehlo.reshape %2 : (tensor<2x8x2x2x16xf32>) -> tensor<2x8x4x16xf32>
  %4 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %5 = stablehlo.multiply %4, %cst_0 : tensor<2x4x8x8xf32>
  %6 = stablehlo.iota dim = 0 : tensor<8xi32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<8xi32>) -> tensor<8x8xi32>
  %8 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<8xi32>) -> tensor<8x8xi32>
  %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %10 = stablehlo.broadcast_in_dim %9, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %11 = stablehlo.select %10, %5, %cst : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %14 = stablehlo.subtract %11, %13 : tensor<2x4x8x8xf32>
  %15 = stablehlo.exponential %14 : tensor<2x4x8x8xf32>
  %16 = stablehlo.reduce(%15 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %18 = stablehlo.divide %15, %17 : tensor<2x4x8x8xf32>
  %19 = stablehlo.dot_general %3, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
  return %20 : tensor<2x8x4x16xf32>
}

// Keys and values are broadcast to the heads, heads first.
// CHECK-LABEL: func @broadcast_heads
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x2x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x2x16xf32>
// CHECK:         %[[O:.*]], %{{.*}} = boost.attention %[[Q]], %[[K]], %[[V]] causal {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
// CHECK-NEXT:    return %[[O]]
func.func @broadcast_heads(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x2x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x2x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %c = stablehlo.constant dense<false> : tensor<8x8xi1>
  %c_1 = stablehlo.constant dense<true> : tensor<8x8xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.transpose %arg1, dims = [0, 2, 1, 3] : (tensor<2x8x2x16xf32>) -> tensor<2x2x8x16xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 3, 4] : (tensor<2x2x8x16xf32>) -> tensor<2x2x2x8x16xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x2x2x8x16xf32>) -> tensor<2x4x8x16xf32>
  %3 = stablehlo.transpose %arg2, dims = [0, 2, 1, 3] : (tensor<2x8x2x16xf32>) -> tensor<2x2x8x16xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 3, 4] : (tensor<2x2x8x16xf32>) -> tensor<2x2x2x8x16xf32>
  %5 = stablehlo.reshape %4 : (tensor<2x2x2x8x16xf32>) -> tensor<2x4x8x16xf32>
  %6 = stablehlo.transpose %arg0, dims = [0, 2, 1, 3] : (tensor<2x8x4x16xf32>) -> tensor<2x4x8x16xf32>
  %7 = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %8 = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %10 = stablehlo.select %9, %c_1, %c : tensor<8x8xi1>, tensor<8x8xi1>
  %11 = stablehlo.transpose %2, dims = [0, 1, 3, 2] : (tensor<2x4x8x16xf32>) -> tensor<2x4x16x8xf32>
  %12 = stablehlo.dot_general %6, %11, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x8x8xf32>
  %13 = stablehlo.multiply %12, %cst_0 : tensor<2x4x8x8xf32>
  %14 = stablehlo.broadcast_in_dim %10, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %15 = stablehlo.select %14, %13, %cst : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %18 = stablehlo.subtract %15, %17 : tensor<2x4x8x8xf32>
  %19 = stablehlo.exponential %18 : tensor<2x4x8x8xf32>
  %20 = stablehlo.reduce(%19 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %22 = stablehlo.divide %19, %21 : tensor<2x4x8x8xf32>
  %23 = stablehlo.dot_general %22, %5, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  %24 = stablehlo.transpose %23, dims = [0, 2, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<2x8x4x16xf32>
  return %24 : tensor<2x8x4x16xf32>
}

// A bias of every head of a group, the same in all groups.
// CHECK-LABEL: func @bias_in_the_group
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<2x5x6x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x8xf32>, tensor<1x6x5x7xf32>)
func.func @bias_in_the_group(%q: tensor<2x2x3x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x8xf32>, %b: tensor<3x5x7xf32>) -> tensor<2x2x3x5x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [4] x [3] : (tensor<2x2x3x5x8xf32>, tensor<2x2x7x8xf32>) -> tensor<2x2x3x5x7xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [2, 3, 4] : (tensor<3x5x7xf32>) -> tensor<2x2x3x5x7xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x2x3x5x7xf32>
  %3 = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x3x5x7xf32>, tensor<f32>) -> tensor<2x2x3x5xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<2x2x3x5xf32>) -> tensor<2x2x3x5x7xf32>
  %5 = stablehlo.subtract %2, %4 : tensor<2x2x3x5x7xf32>
  %6 = stablehlo.exponential %5 : tensor<2x2x3x5x7xf32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [4] : (tensor<2x2x3x5x7xf32>, tensor<f32>) -> tensor<2x2x3x5xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x2x3x5xf32>) -> tensor<2x2x3x5x7xf32>
  %9 = stablehlo.divide %6, %8 : tensor<2x2x3x5x7xf32>
  %10 = stablehlo.dot_general %9, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [4] x [2] : (tensor<2x2x3x5x7xf32>, tensor<2x2x7x8xf32>) -> tensor<2x2x3x5x8xf32>
  return %10 : tensor<2x2x3x5x8xf32>
}
