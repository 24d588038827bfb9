// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// A low number that is added to scores where a condition does not hold is a
// mask if every query sees its own key.

// A window of two keys is a causal mask and another one.
// CHECK-LABEL: func @window
// CHECK:         %[[N:.*]] = stablehlo.compare LT
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} mask %{{[^ ]*}} causal
func.func @window(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i = stablehlo.iota dim = 0 : tensor<5x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<5x5xi32>
  %causal = stablehlo.compare GE, %i, %j, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %back = stablehlo.subtract %i, %j : tensor<5x5xi32>
  %two = stablehlo.constant dense<2> : tensor<5x5xi32>
  %near = stablehlo.compare LT, %back, %two, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %none = stablehlo.constant dense<0.0> : tensor<5x5xf32>
  %low = stablehlo.constant dense<-1.0e9> : tensor<5x5xf32>
  %both = stablehlo.and %causal, %near : tensor<5x5xi1>
  %a = stablehlo.select %both, %none, %low : tensor<5x5xi1>, tensor<5x5xf32>
  %b = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<2x3x5x5xf32>
  %m = stablehlo.add %s, %b : tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %m : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %d = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %d : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// The two masks may be added one after the other.
// CHECK-LABEL: func @two_terms
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} mask %{{[^ ]*}} causal
func.func @two_terms(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i = stablehlo.iota dim = 0 : tensor<5x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<5x5xi32>
  %causal = stablehlo.compare GE, %i, %j, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %back = stablehlo.subtract %i, %j : tensor<5x5xi32>
  %two = stablehlo.constant dense<2> : tensor<5x5xi32>
  %near = stablehlo.compare LT, %back, %two, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %none = stablehlo.constant dense<0.0> : tensor<5x5xf32>
  %low = stablehlo.constant dense<-1.0e9> : tensor<5x5xf32>
  %first = stablehlo.select %causal, %none, %low : tensor<5x5xi1>, tensor<5x5xf32>
  %a1 = stablehlo.broadcast_in_dim %first, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<2x3x5x5xf32>
  %s1 = stablehlo.add %s, %a1 : tensor<2x3x5x5xf32>
  %a = stablehlo.select %near, %none, %low : tensor<5x5xi1>, tensor<5x5xf32>
  %b = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<2x3x5x5xf32>
  %m = stablehlo.add %s1, %b : tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %m : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %d = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %d : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// Flax models compare a mask in numbers, of jnp.tril and jnp.triu, with 0.
// CHECK-LABEL: func @compared
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} mask %{{[^ ]*}} causal
func.func @compared(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i = stablehlo.iota dim = 0 : tensor<5x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<5x5xi32>
  %causal = stablehlo.compare GE, %i, %j, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %back = stablehlo.subtract %i, %j : tensor<5x5xi32>
  %two = stablehlo.constant dense<2> : tensor<5x5xi32>
  %near = stablehlo.compare LT, %back, %two, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %none = stablehlo.constant dense<0.0> : tensor<5x5xf32>
  %low = stablehlo.constant dense<-1.0e9> : tensor<5x5xf32>
  %bound = stablehlo.constant dense<2> : tensor<5x5xi32>
  %far = stablehlo.compare GE, %back, %bound, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %false = stablehlo.constant dense<false> : tensor<5x5xi1>
  %true = stablehlo.constant dense<true> : tensor<5x5xi1>
  %upper = stablehlo.select %far, %false, %true : tensor<5x5xi1>, tensor<5x5xi1>
  %both = stablehlo.and %causal, %upper : tensor<5x5xi1>
  %number = stablehlo.convert %both : (tensor<5x5xi1>) -> tensor<5x5xf32>
  %seen = stablehlo.compare GT, %number, %none, FLOAT : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xi1>
  %a = stablehlo.select %seen, %none, %low : tensor<5x5xi1>, tensor<5x5xf32>
  %b = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<2x3x5x5xf32>
  %m = stablehlo.add %s, %b : tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %m : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %d = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %d : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// The comparison may hold where the mask does not.
// CHECK-LABEL: func @compared_inverse
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} mask %{{[^ ]*}} causal
func.func @compared_inverse(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i = stablehlo.iota dim = 0 : tensor<5x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<5x5xi32>
  %causal = stablehlo.compare GE, %i, %j, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %back = stablehlo.subtract %i, %j : tensor<5x5xi32>
  %two = stablehlo.constant dense<2> : tensor<5x5xi32>
  %near = stablehlo.compare LT, %back, %two, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %none = stablehlo.constant dense<0.0> : tensor<5x5xf32>
  %low = stablehlo.constant dense<-1.0e9> : tensor<5x5xf32>
  %both = stablehlo.and %causal, %near : tensor<5x5xi1>
  %number = stablehlo.convert %both : (tensor<5x5xi1>) -> tensor<5x5xf32>
  %hidden = stablehlo.compare EQ, %number, %none, FLOAT : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xi1>
  %a = stablehlo.select %hidden, %low, %none : tensor<5x5xi1>, tensor<5x5xf32>
  %b = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<2x3x5x5xf32>
  %m = stablehlo.add %s, %b : tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %m : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %d = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %d : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// A row may see nothing: its gradients are those of a bias.
// CHECK-LABEL: func @keys_of_others
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale
func.func @keys_of_others(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>, %present: tensor<5xi1>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i = stablehlo.iota dim = 0 : tensor<5x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<5x5xi32>
  %causal = stablehlo.compare GE, %i, %j, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %back = stablehlo.subtract %i, %j : tensor<5x5xi32>
  %two = stablehlo.constant dense<2> : tensor<5x5xi32>
  %near = stablehlo.compare LT, %back, %two, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %none = stablehlo.constant dense<0.0> : tensor<5x5xf32>
  %low = stablehlo.constant dense<-1.0e9> : tensor<5x5xf32>
  %p0 = stablehlo.broadcast_in_dim %present, dims = [1] : (tensor<5xi1>) -> tensor<5x5xi1>
  %both = stablehlo.and %causal, %p0 : tensor<5x5xi1>
  %a = stablehlo.select %both, %none, %low : tensor<5x5xi1>, tensor<5x5xf32>
  %b = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<2x3x5x5xf32>
  %m = stablehlo.add %s, %b : tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %m : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %d = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %d : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// Nothing bounds the other bias, which may lower the rest as much.
// CHECK-LABEL: func @beside_a_bias
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale
func.func @beside_a_bias(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>, %learned: tensor<2x3x5x5xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i = stablehlo.iota dim = 0 : tensor<5x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<5x5xi32>
  %causal = stablehlo.compare GE, %i, %j, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %back = stablehlo.subtract %i, %j : tensor<5x5xi32>
  %two = stablehlo.constant dense<2> : tensor<5x5xi32>
  %near = stablehlo.compare LT, %back, %two, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %none = stablehlo.constant dense<0.0> : tensor<5x5xf32>
  %low = stablehlo.constant dense<-1.0e9> : tensor<5x5xf32>
  %both = stablehlo.and %causal, %near : tensor<5x5xi1>
  %s1 = stablehlo.add %s, %learned : tensor<2x3x5x5xf32>
  %a = stablehlo.select %both, %none, %low : tensor<5x5xi1>, tensor<5x5xf32>
  %b = stablehlo.broadcast_in_dim %a, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<2x3x5x5xf32>
  %m = stablehlo.add %s1, %b : tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %m : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %d = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %d : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}
