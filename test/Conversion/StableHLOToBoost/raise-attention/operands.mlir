// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// What is neither a scale nor the causal mask becomes operands of the attention.

// A causal window of four positions: causal, and what else is to be seen.
// CHECK-LABEL: func @window
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x4x16xf32>
// CHECK:         %[[SEEN:.*]] = stablehlo.compare LT
// CHECK:         %[[M:.*]] = stablehlo.reshape %[[SEEN]] : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
// CHECK:         boost.attention %[[Q]], %[[K]], %[[V]] mask %[[M]] causal {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<1x1x8x8xi1>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
func.func @window(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
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

// Sequences of several lengths.
// CHECK-LABEL: func @padding
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x4x16xf32>
// CHECK:         %[[SEEN:.*]] = stablehlo.compare LT
// CHECK:         %[[M:.*]] = stablehlo.reshape %[[SEEN]] : (tensor<2x8xi1>) -> tensor<2x1x1x8xi1>
// CHECK:         boost.attention %[[Q]], %[[K]], %[[V]] mask %[[M]] causal {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x1x1x8xi1>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
func.func @padding(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}, %arg3: tensor<2xi32> {boost.id_limit = 9 : i64, boost.tensor = #boost.tensor<batch "arg3">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<-3.40282347E+38> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xi32>) -> tensor<8x8xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xi32>) -> tensor<8x8xi32>
  %3 = stablehlo.compare GE, %1, %2, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xi32>) -> tensor<2x8xi32>
  %b = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<2xi32>) -> tensor<2x8xi32>
  %5 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
  %d = stablehlo.broadcast_in_dim %5, dims = [0, 2] : (tensor<2x8xi1>) -> tensor<2x8x8xi1>
  %e = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<8x8xi1>) -> tensor<2x8x8xi1>
  %6 = stablehlo.and %e, %d : tensor<2x8x8xi1>
  %7 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %8 = stablehlo.multiply %7, %cst_0 : tensor<2x4x8x8xf32>
  %9 = stablehlo.broadcast_in_dim %6, dims = [0, 2, 3] : (tensor<2x8x8xi1>) -> tensor<2x4x8x8xi1>
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

// Scores bounded by tanh, then masked.
// CHECK-LABEL: func @soft_cap
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x4x16xf32>
// CHECK:         boost.attention %[[Q]], %[[K]], %[[V]] causal {scale = 2.500000e-01 : f64, soft_cap = 3.000000e+01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
func.func @soft_cap(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = stablehlo.multiply %0, %cst_0 : tensor<2x4x8x8xf32>
  %cap = stablehlo.constant dense<3.000000e+01> : tensor<2x4x8x8xf32>
  %a = stablehlo.divide %1, %cap : tensor<2x4x8x8xf32>
  %b = stablehlo.tanh %a : tensor<2x4x8x8xf32>
  %2 = stablehlo.multiply %b, %cap : tensor<2x4x8x8xf32>
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

// A bias before the scale, one of position and head, and one after it that is
// a parameter.
// CHECK-LABEL: func @biases
// CHECK-SAME:    %[[Q:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[K:.*]]: tensor<2x8x4x16xf32>{{.*}}, %[[V:.*]]: tensor<2x8x4x16xf32>
// CHECK:         %[[B:.*]] = stablehlo.add %{{.*}}, %{{.*}} : tensor<1x4x8x8xf32>
// CHECK:         boost.attention %[[Q]], %[[K]], %[[V]] bias %[[B]] causal {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<1x4x8x8xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
func.func @biases(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}, %arg3: tensor<4x8x8xbf16> {boost.tensor = #boost.tensor<param "arg3">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %slopes = stablehlo.constant dense<[0.5, 0.25, 0.125, 0.0625]> : tensor<4xf32>
  %h = stablehlo.broadcast_in_dim %slopes, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %j = stablehlo.iota dim = 1 : tensor<4x8xf32>
  %a = stablehlo.multiply %h, %j : tensor<4x8xf32>
  %b = stablehlo.broadcast_in_dim %a, dims = [1, 3] : (tensor<4x8xf32>) -> tensor<2x4x8x8xf32>
  %d = stablehlo.add %b, %0 : tensor<2x4x8x8xf32>
  %1 = stablehlo.multiply %d, %cst_0 : tensor<2x4x8x8xf32>
  %e = stablehlo.convert %arg3 : (tensor<4x8x8xbf16>) -> tensor<4x8x8xf32>
  %f = stablehlo.broadcast_in_dim %e, dims = [1, 2, 3] : (tensor<4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %2 = stablehlo.add %1, %f : tensor<2x4x8x8xf32>
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

// Differences of unsigned numbers are never negative: this is no causal mask.
// CHECK-LABEL: func @unsigned_positions
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 2.500000e-01 : f64}
func.func @unsigned_positions(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %c = stablehlo.constant dense<0> : tensor<8x8xui32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %1 = stablehlo.iota dim = 0 : tensor<8x8xui32>
  %2 = stablehlo.iota dim = 1 : tensor<8x8xui32>
  %3 = stablehlo.subtract %1, %2 : tensor<8x8xui32>
  %6 = stablehlo.compare GE, %3, %c, UNSIGNED : (tensor<8x8xui32>, tensor<8x8xui32>) -> tensor<8x8xi1>
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

// Without a batch, a bias of every head.
// CHECK-LABEL: func @bias_of_heads
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<1x5x3x8xf32>, tensor<1x6x3x8xf32>, tensor<1x6x3x8xf32>, tensor<1x3x1x6xf32>)
func.func @bias_of_heads(%q: tensor<3x5x8xf32>, %k: tensor<3x6x8xf32>, %v: tensor<3x6x8xf32>, %b: tensor<3x6xf32>) -> tensor<3x5x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x5x8xf32>, tensor<3x6x8xf32>) -> tensor<3x5x6xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [0, 2] : (tensor<3x6xf32>) -> tensor<3x5x6xf32>
  %2 = stablehlo.add %0, %1 : tensor<3x5x6xf32>
  %3 = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<3x5x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<3x5xf32>) -> tensor<3x5x6xf32>
  %5 = stablehlo.subtract %2, %4 : tensor<3x5x6xf32>
  %6 = stablehlo.exponential %5 : tensor<3x5x6xf32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<3x5x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<3x5xf32>) -> tensor<3x5x6xf32>
  %9 = stablehlo.divide %6, %8 : tensor<3x5x6xf32>
  %10 = stablehlo.dot_general %9, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x5x6xf32>, tensor<3x6x8xf32>) -> tensor<3x5x8xf32>
  return %10 : tensor<3x5x8xf32>
}
