// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// What the scores become on their way to the softmax: scales, caps, biases and
// masks, each beside the nearest one that is something else.

// As many biases as are looked for.
// CHECK-LABEL: func @four_biases
// CHECK:         stablehlo.add
// CHECK:         stablehlo.add
// CHECK:         stablehlo.add
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @four_biases(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %r: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %b1 = stablehlo.add %s, %r : tensor<2x4x8x8xf32>
  %b2 = stablehlo.add %b1, %r : tensor<2x4x8x8xf32>
  %b3 = stablehlo.add %b2, %r : tensor<2x4x8x8xf32>
  %b4 = stablehlo.add %b3, %r : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %b4 : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @weakest_mask
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @weakest_mask(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+04> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// A scale on the left, and one that divides.
// CHECK-LABEL: func @scale_first
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} {scale = 5.000000e-01 : f64} :
func.func @scale_first(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %c = stablehlo.constant dense<0.5> : tensor<2x4x8x8xf32>
  %m = stablehlo.multiply %c, %s : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @divided
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} {scale = 2.500000e-01 : f64} :
func.func @divided(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %c = stablehlo.constant dense<4.0> : tensor<2x4x8x8xf32>
  %m = stablehlo.divide %s, %c : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -2 tanh(y) is 2 tanh(-y).
// CHECK-LABEL: func @negative_cap
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} {scale = -1.000000e+00 : f64, soft_cap = 2.000000e+00 : f64} :
func.func @negative_cap(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %c = stablehlo.constant dense<-2.0> : tensor<2x4x8x8xf32>
  %d = stablehlo.constant dense<0.5> : tensor<2x4x8x8xf32>
  %y = stablehlo.multiply %s, %d : tensor<2x4x8x8xf32>
  %a = stablehlo.tanh %y : tensor<2x4x8x8xf32>
  %m = stablehlo.multiply %a, %c : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// What differs along the keys is a bias, with its sign and its scale.
// CHECK-LABEL: func @bias_of_row_and_column
// CHECK:         stablehlo.constant dense<-1.0
// CHECK:         stablehlo.multiply
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @bias_of_row_and_column(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %r: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %m = stablehlo.subtract %s, %r : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @scaled_bias
// CHECK:         stablehlo.multiply
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale = 5.000000e-01 : f64} :
func.func @scaled_bias(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %r: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %c = stablehlo.constant dense<0.5> : tensor<2x4x8x8xf32>
  %a = stablehlo.add %r, %s : tensor<2x4x8x8xf32>
  %m = stablehlo.multiply %a, %c : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// Conjunctions are taken apart, disjunctions are not; what is negated is the other
// way round.
// CHECK-LABEL: func @and
// CHECK-NOT:     stablehlo.not
// CHECK:         stablehlo.and
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @and(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<2x4x8x8xi1>, %d: tensor<2x4x8x8xi1>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %n = stablehlo.and %c, %d : tensor<2x4x8x8xi1>
  %m = stablehlo.select %n, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @or
// CHECK:         stablehlo.or
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @or(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<2x4x8x8xi1>, %d: tensor<2x4x8x8xi1>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %n = stablehlo.or %c, %d : tensor<2x4x8x8xi1>
  %m = stablehlo.select %n, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @negated_and
// CHECK:         stablehlo.and
// CHECK:         stablehlo.not
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @negated_and(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<2x4x8x8xi1>, %d: tensor<2x4x8x8xi1>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %n = stablehlo.and %c, %d : tensor<2x4x8x8xi1>
  %m = stablehlo.select %n, %low, %s : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @negated_or
// CHECK:         stablehlo.not
// CHECK:         stablehlo.not
// CHECK:         stablehlo.and
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @negated_or(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<2x4x8x8xi1>, %d: tensor<2x4x8x8xi1>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %n = stablehlo.or %c, %d : tensor<2x4x8x8xi1>
  %m = stablehlo.select %n, %low, %s : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @not
// CHECK:         stablehlo.not
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @not(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<2x4x8x8xi1>, %d: tensor<2x4x8x8xi1>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %n = stablehlo.not %c : tensor<2x4x8x8xi1>
  %m = stablehlo.select %n, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @negated_not
// CHECK-NOT:     stablehlo.not
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @negated_not(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<2x4x8x8xi1>, %d: tensor<2x4x8x8xi1>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %n = stablehlo.not %c : tensor<2x4x8x8xi1>
  %m = stablehlo.select %n, %low, %s : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// Which keys are hidden decides whether a mask is causal.
// CHECK-LABEL: func @causal
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @causal(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// A bias that is one mask for all sequences and heads.
// CHECK-LABEL: func @additive_causal
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @additive_causal(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 2 : tensor<1x1x8x8xi32>
  %j = stablehlo.iota dim = 3 : tensor<1x1x8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<1x1x8x8xi32>, tensor<1x1x8x8xi32>) -> tensor<1x1x8x8xi1>
  %none = stablehlo.constant dense<0.0> : tensor<1x1x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<1x1x8x8xf32>
  %m = stablehlo.select %c, %none, %low : tensor<1x1x8x8xi1>, tensor<1x1x8x8xf32>
  %u = stablehlo.broadcast_in_dim %m, dims = [0, 1, 2, 3] : (tensor<1x1x8x8xf32>) -> tensor<2x4x8x8xf32>
  %a = stablehlo.add %s, %u : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %a : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @causal_of_columns
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @causal_of_columns(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare LE, %j, %i : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @without_diagonal
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @without_diagonal(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GT, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @less
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @less(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare LT, %j, %i : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @upper
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @upper(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare LE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @diagonal
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @diagonal(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare EQ, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @negated_upper
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @negated_upper(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare LT, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %low, %s : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @shifted
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @shifted(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %one = stablehlo.constant dense<1> : tensor<8x8xi32>
  %h = stablehlo.add %i, %one : tensor<8x8xi32>
  %c = stablehlo.compare GE, %h, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @shifted_back
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @shifted_back(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %one = stablehlo.constant dense<1> : tensor<8x8xi32>
  %h = stablehlo.add %i, %one : tensor<8x8xi32>
  %c = stablehlo.compare GT, %h, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @difference
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @difference(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %none = stablehlo.constant dense<0> : tensor<8x8xi32>
  %h = stablehlo.subtract %i, %j : tensor<8x8xi32>
  %c = stablehlo.compare GE, %h, %none : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @multiple
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @multiple(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %two = stablehlo.constant dense<2> : tensor<8x8xi32>
  %h = stablehlo.multiply %two, %i : tensor<8x8xi32>
  %c = stablehlo.compare GE, %h, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @product_of_indices
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @product_of_indices(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %h = stablehlo.multiply %i, %j : tensor<8x8xi32>
  %c = stablehlo.compare GE, %h, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// What hides nothing is no mask; what hides everything is one.
// CHECK-LABEL: func @always
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @always(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %i : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @never
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @never(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GT, %i, %i : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @never_negated
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @never_negated(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GT, %i, %i : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %low, %s : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @always_and_causal
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @always_and_causal(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %w = stablehlo.compare GE, %i, %i : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %n = stablehlo.and %w, %c : tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @causal_and_always
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @causal_and_always(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %w = stablehlo.compare GE, %i, %i : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %n = stablehlo.and %c, %w : tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @causal_or_false
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @causal_or_false(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %w = stablehlo.constant dense<false> : tensor<8x8xi1>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %n = stablehlo.select %c, %c, %w : tensor<8x8xi1>, tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @causal_of_select
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @causal_of_select(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %w = stablehlo.constant dense<false> : tensor<8x8xi1>
  %y = stablehlo.constant dense<true> : tensor<8x8xi1>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %n = stablehlo.select %c, %y, %w : tensor<8x8xi1>, tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @select_else_true
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @select_else_true(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %w = stablehlo.constant dense<true> : tensor<8x8xi1>
  %y = stablehlo.constant dense<true> : tensor<8x8xi1>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %n = stablehlo.select %c, %y, %w : tensor<8x8xi1>, tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @through_numbers
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @through_numbers(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %w = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %f = stablehlo.convert %w : (tensor<8x8xi1>) -> tensor<8x8xi32>
  %none = stablehlo.constant dense<0> : tensor<8x8xi32>
  %c = stablehlo.compare NE, %f, %none : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @equal_to_zero
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @equal_to_zero(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %w = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %f = stablehlo.convert %w : (tensor<8x8xi1>) -> tensor<8x8xi32>
  %none = stablehlo.constant dense<0> : tensor<8x8xi32>
  %c = stablehlo.compare EQ, %f, %none : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @unlike_one
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @unlike_one(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %w = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %f = stablehlo.convert %w : (tensor<8x8xi1>) -> tensor<8x8xi32>
  %one = stablehlo.constant dense<1> : tensor<8x8xi32>
  %c = stablehlo.compare NE, %f, %one : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %u = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %m = stablehlo.select %u, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// A bias of 0 and of very low numbers is a mask as well.
// CHECK-LABEL: func @additive
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @additive(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+09> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %m = stablehlo.add %s, %u : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @additive_negated
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @additive_negated(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare LT, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<-1.0e+09> : tensor<8x8xf32>
  %z = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %m = stablehlo.add %s, %u : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @additive_one
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @additive_one(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+09> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %m = stablehlo.add %s, %u : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @additive_times_one
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @additive_times_one(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+09> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %one = stablehlo.constant dense<1.0> : tensor<2x4x8x8xf32>
  %w = stablehlo.multiply %u, %one : tensor<2x4x8x8xf32>
  %m = stablehlo.add %s, %w : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @additive_times_two
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @additive_times_two(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+09> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %one = stablehlo.constant dense<2.0> : tensor<2x4x8x8xf32>
  %w = stablehlo.multiply %u, %one : tensor<2x4x8x8xf32>
  %m = stablehlo.add %s, %w : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @additive_times_little
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @additive_times_little(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+09> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %one = stablehlo.constant dense<1.0e-06> : tensor<2x4x8x8xf32>
  %w = stablehlo.multiply %u, %one : tensor<2x4x8x8xf32>
  %m = stablehlo.add %s, %w : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @additive_weak
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @additive_weak(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+03> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %m = stablehlo.add %s, %u : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @additive_subtracted
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} causal {scale = 1.000000e+00 : f64} :
func.func @additive_subtracted(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<1.0e+09> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %m = stablehlo.subtract %s, %u : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @additive_always
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @additive_always(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %i : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+09> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %m = stablehlo.add %s, %u : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %m : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// A number that the queries are multiplied by is part of the scale.
// CHECK-LABEL: func @scaled_queries
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} {scale = 5.000000e-01 : f64} :
func.func @scaled_queries(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c = stablehlo.constant dense<0.5> : tensor<2x4x8x16xf32>
  %h = stablehlo.multiply %q, %c : tensor<2x4x8x16xf32>
  %s = stablehlo.dot_general %h, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %s : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @queries_times_a_tensor
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @queries_times_a_tensor(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.multiply %q, %k : tensor<2x4x8x16xf32>
  %s = stablehlo.dot_general %h, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %s : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}
