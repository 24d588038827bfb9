// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Masks in numbers, and constants that are masks.

// As numpy makes it: zero on and below the diagonal, and minus infinity above.
// CHECK-LABEL: func @array_is_added
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @array_is_added(%q: tensor<2x4x4x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
  %a = stablehlo.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %w = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<2x4x4x4xf32>
  %m = stablehlo.add %s, %w : tensor<2x4x4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%m init: %init) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = stablehlo.subtract %m, %tops : tensor<2x4x4x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4x4x4xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x4x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %o : tensor<2x4x4x8xf32>
}

// With dimensions of size 1.
// CHECK-LABEL: func @array_of_a_head_is_subtracted
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @array_of_a_head_is_subtracted(%q: tensor<2x4x4x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
  %a = stablehlo.constant dense<[[[[0.0, 1.0e+09, 1.0e+09, 1.0e+09], [0.0, 0.0, 1.0e+09, 1.0e+09], [0.0, 0.0, 0.0, 1.0e+09], [0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x1x4x4xf32>
  %w = stablehlo.broadcast_in_dim %a, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<2x4x4x4xf32>
  %m = stablehlo.subtract %s, %w : tensor<2x4x4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%m init: %init) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = stablehlo.subtract %m, %tops : tensor<2x4x4x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4x4x4xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x4x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %o : tensor<2x4x4x8xf32>
}

// A query sees the next key as well: a bias.
// CHECK-LABEL: func @array_beside_the_diagonal
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @array_beside_the_diagonal(%q: tensor<2x4x4x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
  %a = stablehlo.constant dense<[[0.0, 0.0, -1.0e+09, -1.0e+09], [0.0, 0.0, 0.0, -1.0e+09], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %w = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<2x4x4x4xf32>
  %m = stablehlo.add %s, %w : tensor<2x4x4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%m init: %init) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = stablehlo.subtract %m, %tops : tensor<2x4x4x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4x4x4xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x4x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %o : tensor<2x4x4x8xf32>
}

// No mask: a bias.
// CHECK-LABEL: func @array_of_three_numbers
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @array_of_three_numbers(%q: tensor<2x4x4x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
  %a = stablehlo.constant dense<[[0.0, -2.0e+09, -1.0e+09, -1.0e+09], [0.0, 0.0, -1.0e+09, -1.0e+09], [0.0, 0.0, 0.0, -1.0e+09], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %w = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<2x4x4x4xf32>
  %m = stablehlo.add %s, %w : tensor<2x4x4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%m init: %init) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = stablehlo.subtract %m, %tops : tensor<2x4x4x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4x4x4xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x4x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %o : tensor<2x4x4x8xf32>
}

// (1 - mask) * -1e9.
// CHECK-LABEL: func @computed_from_numbers
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @computed_from_numbers(%q: tensor<2x4x4x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
  %i = stablehlo.constant dense<[[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<4x4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x4xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<4x4xf32>
  %n = stablehlo.subtract %one, %i : tensor<4x4xf32>
  %a = stablehlo.multiply %n, %low : tensor<4x4xf32>
  %w = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<2x4x4x4xf32>
  %m = stablehlo.add %s, %w : tensor<2x4x4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%m init: %init) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = stablehlo.subtract %m, %tops : tensor<2x4x4x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4x4x4xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x4x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %o : tensor<2x4x4x8xf32>
}

// As GPT-2 has it: the scores times the mask, less 1e10 where it is 0.
// CHECK-LABEL: func @product_and_sum
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @product_and_sum(%q: tensor<2x4x4x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
  %i = stablehlo.constant dense<[[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<4x4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x4xf32>
  %low = stablehlo.constant dense<1.0e+10> : tensor<4x4xf32>
  %f = stablehlo.broadcast_in_dim %i, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<2x4x4x4xf32>
  %n = stablehlo.subtract %one, %i : tensor<4x4xf32>
  %a = stablehlo.multiply %low, %n : tensor<4x4xf32>
  %w = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<2x4x4x4xf32>
  %g = stablehlo.multiply %s, %f : tensor<2x4x4x4xf32>
  %m = stablehlo.subtract %g, %w : tensor<2x4x4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%m init: %init) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = stablehlo.subtract %m, %tops : tensor<2x4x4x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4x4x4xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x4x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %o : tensor<2x4x4x8xf32>
}

// A mask that is not causal keeps its factor.
// CHECK-LABEL: func @product_beside_the_diagonal
// CHECK-NOT:     boost.attention
func.func @product_beside_the_diagonal(%q: tensor<2x4x4x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
  %i = stablehlo.constant dense<[[1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<4x4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x4xf32>
  %low = stablehlo.constant dense<1.0e+10> : tensor<4x4xf32>
  %f = stablehlo.broadcast_in_dim %i, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<2x4x4x4xf32>
  %n = stablehlo.subtract %one, %i : tensor<4x4xf32>
  %a = stablehlo.multiply %low, %n : tensor<4x4xf32>
  %w = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<2x4x4x4xf32>
  %g = stablehlo.multiply %s, %f : tensor<2x4x4x4xf32>
  %m = stablehlo.subtract %g, %w : tensor<2x4x4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%m init: %init) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = stablehlo.subtract %m, %tops : tensor<2x4x4x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4x4x4xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x4x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %o : tensor<2x4x4x8xf32>
}

// Nothing is added where the mask is 0: those keys have weight.
// CHECK-LABEL: func @product_alone
// CHECK-NOT:     boost.attention
func.func @product_alone(%q: tensor<2x4x4x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
  %i = stablehlo.constant dense<[[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<4x4xf32>
  %f = stablehlo.broadcast_in_dim %i, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<2x4x4x4xf32>
  %m = stablehlo.multiply %s, %f : tensor<2x4x4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%m init: %init) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = stablehlo.subtract %m, %tops : tensor<2x4x4x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4x4x4xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x4x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %o : tensor<2x4x4x8xf32>
}

// As nanoGPT has it: hidden where numbers are 0.
// CHECK-LABEL: func @compared_with_zero
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @compared_with_zero(%q: tensor<2x4x4x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
  %i = stablehlo.constant dense<[[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<4x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<4x4xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<2x4x4x4xf32>
  %c = stablehlo.compare EQ, %i, %z : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
  %h = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x4x4x4xi1>
  %m = stablehlo.select %h, %low, %s : tensor<2x4x4x4xi1>, tensor<2x4x4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%m init: %init) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = stablehlo.subtract %m, %tops : tensor<2x4x4x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4x4x4xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x4x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %o : tensor<2x4x4x8xf32>
}

// Booleans that are true above the diagonal.
// CHECK-LABEL: func @upper_triangle
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @upper_triangle(%q: tensor<2x4x4x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
  %i = stablehlo.constant dense<[[false, true, true, true], [false, false, true, true], [false, false, false, true], [false, false, false, false]]> : tensor<4x4xi1>
  %low = stablehlo.constant dense<0xFF800000> : tensor<2x4x4x4xf32>
  %h = stablehlo.broadcast_in_dim %i, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x4x4x4xi1>
  %m = stablehlo.select %h, %low, %s : tensor<2x4x4x4xi1>, tensor<2x4x4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%m init: %init) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = stablehlo.subtract %m, %tops : tensor<2x4x4x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4x4x4xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x4x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %o : tensor<2x4x4x8xf32>
}

// A window of two positions: causal, and what else is to be seen.
// CHECK-LABEL: func @window
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @window(%q: tensor<2x4x4x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
  %i = stablehlo.constant dense<[[true, false, false, false], [true, true, false, false], [false, true, true, false], [false, false, true, true]]> : tensor<4x4xi1>
  %low = stablehlo.constant dense<0xFF800000> : tensor<2x4x4x4xf32>
  %h = stablehlo.broadcast_in_dim %i, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x4x4x4xi1>
  %m = stablehlo.select %h, %s, %low : tensor<2x4x4x4xi1>, tensor<2x4x4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%m init: %init) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = stablehlo.subtract %m, %tops : tensor<2x4x4x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4x4x4xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x4x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %o : tensor<2x4x4x8xf32>
}
