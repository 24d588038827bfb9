// RUN: boost-opt %s -boost-raise-attention | FileCheck %s --implicit-check-not=boost.attention
// Other functions of the scores and no softmax over the keys stay.

// A bias below the cap.
// CHECK-LABEL: func @biased_before_cap
func.func @biased_before_cap(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = stablehlo.multiply %0, %cst_0 : tensor<2x4x8x8xf32>
  %a = stablehlo.add %1, %cst_0 : tensor<2x4x8x8xf32>
  %2 = stablehlo.tanh %a : tensor<2x4x8x8xf32>
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
func.func @linear_attention(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = stablehlo.multiply %0, %cst : tensor<2x4x8x8xf32>
  %2 = stablehlo.dot_general %arg2, %1, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  %3 = stablehlo.transpose %2, dims = [0, 3, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
  return %3 : tensor<2x8x4x16xf32>
}

// CHECK-LABEL: func @softmax_over_queries
func.func @softmax_over_queries(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
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

// A factor behind the mask makes it let through.
// CHECK-LABEL: func @weak_mask
func.func @weak_mask(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = stablehlo.multiply %0, %cst_0 : tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.000000e+04> : tensor<2x4x8x8xf32>
  %small = stablehlo.constant dense<1.000000e-03> : tensor<2x4x8x8xf32>
  %3 = stablehlo.iota dim = 0 : tensor<8xi32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<8xi32>) -> tensor<8x8xi32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<8xi32>) -> tensor<8x8xi32>
  %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %a = stablehlo.select %7, %1, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %8 = stablehlo.multiply %a, %small : tensor<2x4x8x8xf32>
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

// Each sum divides another row than its own.
// CHECK-LABEL: func @sums_of_other_rows
func.func @sums_of_other_rows(%arg0: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg1">}, %arg2: tensor<2x8x4x16xf32> {boost.tensor = #boost.tensor<batch "arg2">}) -> tensor<2x8x4x16xf32> {
  %cst = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = stablehlo.multiply %0, %cst : tensor<2x4x8x8xf32>
  %2 = stablehlo.reduce(%1 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<2x4x8x8xf32>
  %5 = stablehlo.exponential %4 : tensor<2x4x8x8xf32>
  %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %one = stablehlo.constant dense<1.000000e+00> : tensor<2x4x8xf32>
  %inverse = stablehlo.divide %one, %6 : tensor<2x4x8xf32>
  %7 = stablehlo.broadcast_in_dim %inverse, dims = [0, 1, 3] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %8 = stablehlo.multiply %5, %7 : tensor<2x4x8x8xf32>
  %9 = stablehlo.dot_general %arg2, %8, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  %10 = stablehlo.transpose %9, dims = [0, 3, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
  return %10 : tensor<2x8x4x16xf32>
}

// Keys that all of a batch share: taken for heads, its entries could not be
// sharded as a batch.
// CHECK-LABEL: func @memory
func.func @memory(%q: tensor<2x6x16xf32>, %k: tensor<5x16xf32>, %v: tensor<5x16xf32>) -> tensor<2x6x16xf32> {
  %s = stablehlo.dot_general %q, %k, contracting_dims = [2] x [1] : (tensor<2x6x16xf32>, tensor<5x16xf32>) -> tensor<2x6x5xf32>
  %e = stablehlo.exponential %s : tensor<2x6x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x6x5xf32>, tensor<f32>) -> tensor<2x6xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x6x5xf32>
  %o = stablehlo.dot_general %p, %v, contracting_dims = [2] x [0] : (tensor<2x6x5xf32>, tensor<5x16xf32>) -> tensor<2x6x16xf32>
  return %o : tensor<2x6x16xf32>
}

// Not a softmax: other terms, another sum, or other factors.
// CHECK-LABEL: func @terms_are_no_exponentials
func.func @terms_are_no_exponentials(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %e = stablehlo.logistic %s : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @greatest_term
func.func @greatest_term(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %s : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @sum_from_one
func.func @sum_from_one(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %e = stablehlo.exponential %s : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %one) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @sum_of_others
func.func @sum_of_others(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %r: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %f = stablehlo.exponential %r : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %s : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%f init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @sum_of_two_dimensions
func.func @sum_of_two_dimensions(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %s : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @twice_the_inverse
func.func @twice_the_inverse(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %two = stablehlo.constant dense<2.0> : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %s : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %n = stablehlo.divide %two, %b : tensor<2x4x8x8xf32>
  %p = stablehlo.multiply %e, %n : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @times_the_sum
func.func @times_the_sum(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %s : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.multiply %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @less_the_sum
func.func @less_the_sum(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %s : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.subtract %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// Functions of the scores that are no scale, cap, mask or bias.
// CHECK-LABEL: func @times_a_tensor
func.func @times_a_tensor(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %r: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %m = stablehlo.multiply %s, %r : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @by_a_tensor
func.func @by_a_tensor(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %r: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %m = stablehlo.divide %s, %r : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @inverse
func.func @inverse(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %one = stablehlo.constant dense<1.0> : tensor<2x4x8x8xf32>
  %m = stablehlo.divide %one, %s : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @sine
func.func @sine(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %m = stablehlo.sine %s : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @two_caps
func.func @two_caps(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %a = stablehlo.tanh %s : tensor<2x4x8x8xf32>
  %m = stablehlo.tanh %a : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @cap_times_zero
func.func @cap_times_zero(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %none = stablehlo.constant dense<0.0> : tensor<2x4x8x8xf32>
  %a = stablehlo.tanh %s : tensor<2x4x8x8xf32>
  %m = stablehlo.multiply %a, %none : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @mask_below_cap
func.func @mask_below_cap(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %a = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %m = stablehlo.tanh %a : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @bias_subtracted_from
func.func @bias_subtracted_from(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %r: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %m = stablehlo.subtract %r, %s : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @five_biases
func.func @five_biases(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %r: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %b1 = stablehlo.add %s, %r : tensor<2x4x8x8xf32>
  %b2 = stablehlo.add %b1, %r : tensor<2x4x8x8xf32>
  %b3 = stablehlo.add %b2, %r : tensor<2x4x8x8xf32>
  %b4 = stablehlo.add %b3, %r : tensor<2x4x8x8xf32>
  %b5 = stablehlo.add %b4, %r : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %b5 : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @mask_of_one
func.func @mask_of_one(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<i1>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %c, %s, %low : tensor<i1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @both_masked
func.func @both_masked(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %low, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// Only from -1e4 on nothing is left of a score.
// CHECK-LABEL: func @mask_that_lets_through
func.func @mask_that_lets_through(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-9.999e+03> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// The sum has terms that the result does not have.
// CHECK-LABEL: func @mask_outside_of_sum
func.func @mask_outside_of_sum(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}, %arg3: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "batch.0">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<0> : tensor<2x4xi32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %1 = stablehlo.divide %0, %cst_0 : tensor<2x2x4x4xf32>
  %2 = stablehlo.exponential %1 : tensor<2x2x4x4xf32>
  %3 = stablehlo.compare GT, %arg3, %c, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 3] : (tensor<2x4xi1>) -> tensor<2x2x4x4xi1>
  %5 = stablehlo.select %4, %2, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %6 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %8 = stablehlo.divide %5, %7 : tensor<2x2x4x4xf32>
  %9 = stablehlo.dot_general %arg2, %8, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %10 = stablehlo.transpose %9, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %11 = stablehlo.reshape %10 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %11 : tensor<2x4x8xf32>
}

// CHECK-LABEL: func @dropped
func.func @dropped(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}, %arg3: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "batch.0">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<2x4xi32>
  %0 = stablehlo.compare GT, %arg3, %c, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
  %1 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %2 = stablehlo.divide %1, %cst_0 : tensor<2x2x4x4xf32>
  %3 = stablehlo.reduce(%2 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %5 = stablehlo.subtract %2, %4 : tensor<2x2x4x4xf32>
  %6 = stablehlo.exponential %5 : tensor<2x2x4x4xf32>
  %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %9 = stablehlo.divide %6, %8 : tensor<2x2x4x4xf32>
  %10 = stablehlo.broadcast_in_dim %0, dims = [0, 3] : (tensor<2x4xi1>) -> tensor<2x2x4x4xi1>
  %11 = stablehlo.select %10, %9, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %12 = stablehlo.dot_general %arg2, %11, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %13 = stablehlo.transpose %12, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %14 = stablehlo.reshape %13 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %14 : tensor<2x4x8xf32>
}

// In rows where the scores hide what the other mask lets through, that has weight.
// CHECK-LABEL: func @hidden_by_both
func.func @hidden_by_both(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}, %arg3: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "batch.0">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<2x2x4x4xf32>
  %c = stablehlo.constant dense<0> : tensor<2x4xi32>
  %cst_1 = stablehlo.constant dense<-1.000000e+30> : tensor<2x2x4x4xf32>
  %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %c_3 = stablehlo.constant dense<false> : tensor<4x4xi1>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c_6 = stablehlo.constant dense<true> : tensor<4x4xi1>
  %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %1 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %3 = stablehlo.select %2, %c_6, %c_3 : tensor<4x4xi1>, tensor<4x4xi1>
  %4 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %5 = stablehlo.divide %4, %cst_2 : tensor<2x2x4x4xf32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x2x4x4xi1>
  %7 = stablehlo.select %6, %5, %cst_1 : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %8 = stablehlo.compare GT, %arg3, %c, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 3] : (tensor<2x4xi1>) -> tensor<2x2x4x4xi1>
  %10 = stablehlo.select %9, %7, %cst_0 : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %11 = stablehlo.reduce(%10 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %13 = stablehlo.subtract %10, %12 : tensor<2x2x4x4xf32>
  %14 = stablehlo.exponential %13 : tensor<2x2x4x4xf32>
  %15 = stablehlo.select %9, %14, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %16 = stablehlo.reduce(%15 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %18 = stablehlo.divide %14, %17 : tensor<2x2x4x4xf32>
  %19 = stablehlo.select %9, %18, %cst : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
  %20 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %22 = stablehlo.reshape %21 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %22 : tensor<2x4x8xf32>
}

// A term that depends on the greatest score.
// CHECK-LABEL: func @small_number
func.func @small_number(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<1.000000e-03> : tensor<2x2x4x1xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %1 = stablehlo.divide %0, %cst_0 : tensor<2x2x4x4xf32>
  %2 = stablehlo.reduce(%1 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<2x2x4x4xf32>
  %5 = stablehlo.exponential %4 : tensor<2x2x4x4xf32>
  %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
  %8 = stablehlo.add %7, %cst : tensor<2x2x4x1xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
  %10 = stablehlo.divide %5, %9 : tensor<2x2x4x4xf32>
  %11 = stablehlo.dot_general %arg2, %10, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %12 = stablehlo.transpose %11, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %13 = stablehlo.reshape %12 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %13 : tensor<2x4x8xf32>
}

// CHECK-LABEL: func @other_reference
func.func @other_reference(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2xf32> {boost.tensor = #boost.tensor<param "sink">}, %arg3: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x8xf32> {
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
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
  %8 = stablehlo.exponential %arg2 : tensor<2xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<2xf32>) -> tensor<2x2x4x1xf32>
  %10 = stablehlo.add %7, %9 : tensor<2x2x4x1xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
  %12 = stablehlo.divide %5, %11 : tensor<2x2x4x4xf32>
  %13 = stablehlo.dot_general %arg3, %12, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %14 = stablehlo.transpose %13, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %15 = stablehlo.reshape %14 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %15 : tensor<2x4x8xf32>
}

// Two further scores.
// CHECK-LABEL: func @two_sinks
func.func @two_sinks(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2xf32> {boost.tensor = #boost.tensor<param "sink">}, %arg3: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}) -> tensor<2x4x8xf32> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<2x2x4x4xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %1 = stablehlo.divide %0, %cst : tensor<2x2x4x4xf32>
  %2 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<2xf32>) -> tensor<2x2x4x2xf32>
  %3 = stablehlo.concatenate %1, %2, dim = 3 : (tensor<2x2x4x4xf32>, tensor<2x2x4x2xf32>) -> tensor<2x2x4x6xf32>
  %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x6xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x6xf32>
  %6 = stablehlo.subtract %3, %5 : tensor<2x2x4x6xf32>
  %7 = stablehlo.exponential %6 : tensor<2x2x4x6xf32>
  %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x6xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x6xf32>
  %10 = stablehlo.divide %7, %9 : tensor<2x2x4x6xf32>
  %11 = stablehlo.slice %10 [0:2, 0:2, 0:4, 0:4] : (tensor<2x2x4x6xf32>) -> tensor<2x2x4x4xf32>
  %12 = stablehlo.dot_general %arg3, %11, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %13 = stablehlo.transpose %12, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %14 = stablehlo.reshape %13 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %14 : tensor<2x4x8xf32>
}

// Factors that differ between keys.
// CHECK-LABEL: func @per_key
func.func @per_key(%arg0: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "k">}, %arg1: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}, %arg2: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "v">}, %arg3: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">}) -> tensor<2x4x8xf32> {
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
  %9 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %10 = stablehlo.divide %9, %cst : tensor<2x2x4x4xf32>
  %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %13 = stablehlo.subtract %10, %12 : tensor<2x2x4x4xf32>
  %14 = stablehlo.exponential %13 : tensor<2x2x4x4xf32>
  %15 = stablehlo.reduce(%14 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %17 = stablehlo.divide %14, %16 : tensor<2x2x4x4xf32>
  %18 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<4xf32>) -> tensor<2x2x4x4xf32>
  %19 = stablehlo.multiply %18, %17 : tensor<2x2x4x4xf32>
  %20 = stablehlo.subtract %8, %19 : tensor<2x2x4x4xf32>
  %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x4x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %23 = stablehlo.reshape %22 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  return %23 : tensor<2x4x8xf32>
}
