// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Which dimensions are batch, heads, queries and keys, and which masks are causal.

// One sequence: its sums have no dimension for the batch.
// CHECK-LABEL: func @sums_without_a_batch
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<1x5x3x8xf32>,
func.func @sums_without_a_batch(%q: tensor<1x3x5x8xf32>, %k: tensor<1x3x5x8xf32>, %v: tensor<1x3x5x8xf32>) -> tensor<1x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<1x3x5x8xf32>, tensor<1x3x5x8xf32>) -> tensor<1x3x5x5xf32>
  %e = stablehlo.exponential %s : tensor<1x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x3x5x5xf32>, tensor<f32>) -> tensor<1x3x5xf32>
  %u = stablehlo.reshape %t : (tensor<1x3x5xf32>) -> tensor<3x5xf32>
  %b = stablehlo.broadcast_in_dim %u, dims = [1, 2] : (tensor<3x5xf32>) -> tensor<1x3x5x5xf32>
  %p = stablehlo.divide %e, %b : tensor<1x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<1x3x5x5xf32>, tensor<1x3x5x8xf32>) -> tensor<1x3x5x8xf32>
  return %o : tensor<1x3x5x8xf32>
}

// Multiplied by the inverse of each sum.
// CHECK-LABEL: func @times_the_inverse
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @times_the_inverse(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %s : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %one = stablehlo.constant dense<1.0> : tensor<2x3x5xf32>
  %inverse = stablehlo.divide %one, %t : tensor<2x3x5xf32>
  %b = stablehlo.broadcast_in_dim %inverse, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.multiply %e, %b : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// The keys stand before the queries in the scores.
// CHECK-LABEL: func @keys_first
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<2x5x3x8xf32>, tensor<2x6x3x8xf32>, tensor<2x6x3x8xf32>)
func.func @keys_first(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %k, %q, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x6x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x6x5xf32>
  %e = stablehlo.exponential %s : tensor<2x3x6x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x6x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 3] : (tensor<2x3x5xf32>) -> tensor<2x3x6x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x3x6x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x3x6x5xf32>, tensor<2x3x6x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// The size of a head comes before the queries in the result.
// CHECK-LABEL: func @head_size_before_queries
// CHECK:         %[[O:.*]], %{{.*}} = boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
// CHECK:         stablehlo.transpose %[[O]], dims = [0, 2, 3, 1] : (tensor<2x5x3x8xf32>) -> tensor<2x3x8x5xf32>
func.func @head_size_before_queries(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf32>) -> tensor<2x3x8x5xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x6x8xf32>) -> tensor<2x3x5x6xf32>
  %e = stablehlo.exponential %s : tensor<2x3x5x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x6xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x3x5x6xf32>
  %o = stablehlo.dot_general %v, %p, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3] : (tensor<2x3x6x8xf32>, tensor<2x3x5x6xf32>) -> tensor<2x3x8x5xf32>
  return %o : tensor<2x3x8x5xf32>
}

// Fewer queries than keys: a causal attention would need as many.
// CHECK-LABEL: func @more_keys_than_queries
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale
func.func @more_keys_than_queries(%q: tensor<2x3x4x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf32>) -> tensor<2x3x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x4x8xf32>, tensor<2x3x6x8xf32>) -> tensor<2x3x4x6xf32>
  %i2 = stablehlo.iota dim = 2 : tensor<2x3x4x6xi32>
  %i3 = stablehlo.iota dim = 3 : tensor<2x3x4x6xi32>
  %c = stablehlo.compare GE, %i2, %i3, SIGNED : (tensor<2x3x4x6xi32>, tensor<2x3x4x6xi32>) -> tensor<2x3x4x6xi1>
  %low = stablehlo.constant dense<-1.0e9> : tensor<2x3x4x6xf32>
  %m = stablehlo.select %c, %s, %low : tensor<2x3x4x6xi1>, tensor<2x3x4x6xf32>
  %e = stablehlo.exponential %m : tensor<2x3x4x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x4x6xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x4xf32>) -> tensor<2x3x4x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x3x4x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x4x6xf32>, tensor<2x3x6x8xf32>) -> tensor<2x3x4x8xf32>
  return %o : tensor<2x3x4x8xf32>
}

// The number of the head and that of the key, not that of the query.
// CHECK-LABEL: func @heads_and_keys
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale
func.func @heads_and_keys(%q: tensor<2x5x3x8xf32>, %k: tensor<2x5x5x8xf32>, %v: tensor<2x5x5x8xf32>) -> tensor<2x5x3x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x5x3x8xf32>, tensor<2x5x5x8xf32>) -> tensor<2x5x3x5xf32>
  %i1 = stablehlo.iota dim = 1 : tensor<2x5x3x5xi32>
  %i3 = stablehlo.iota dim = 3 : tensor<2x5x3x5xi32>
  %c = stablehlo.compare GE, %i1, %i3, SIGNED : (tensor<2x5x3x5xi32>, tensor<2x5x3x5xi32>) -> tensor<2x5x3x5xi1>
  %low = stablehlo.constant dense<-1.0e9> : tensor<2x5x3x5xf32>
  %m = stablehlo.select %c, %s, %low : tensor<2x5x3x5xi1>, tensor<2x5x3x5xf32>
  %e = stablehlo.exponential %m : tensor<2x5x3x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x5x3x5xf32>, tensor<f32>) -> tensor<2x5x3xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x5x3xf32>) -> tensor<2x5x3x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x5x3x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x5x3x5xf32>, tensor<2x5x5x8xf32>) -> tensor<2x5x3x8xf32>
  return %o : tensor<2x5x3x8xf32>
}

// Twice the number of the key.
// CHECK-LABEL: func @every_second_key
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale
func.func @every_second_key(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i2 = stablehlo.iota dim = 2 : tensor<2x3x5x5xi32>
  %i3 = stablehlo.iota dim = 3 : tensor<2x3x5x5xi32>
  %two = stablehlo.constant dense<2> : tensor<2x3x5x5xi32>
  %d = stablehlo.multiply %i3, %two : tensor<2x3x5x5xi32>
  %c = stablehlo.compare GE, %i2, %d, SIGNED : (tensor<2x3x5x5xi32>, tensor<2x3x5x5xi32>) -> tensor<2x3x5x5xi1>
  %low = stablehlo.constant dense<-1.0e9> : tensor<2x3x5x5xf32>
  %m = stablehlo.select %c, %s, %low : tensor<2x3x5x5xi1>, tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %m : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// Every query sees the first key only.
// CHECK-LABEL: func @first_key
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale
func.func @first_key(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i3 = stablehlo.iota dim = 3 : tensor<2x3x5x5xi32>
  %none = stablehlo.constant dense<0> : tensor<2x3x5x5xi32>
  %c = stablehlo.compare GE, %none, %i3, SIGNED : (tensor<2x3x5x5xi32>, tensor<2x3x5x5xi32>) -> tensor<2x3x5x5xi1>
  %low = stablehlo.constant dense<-1.0e9> : tensor<2x3x5x5xf32>
  %m = stablehlo.select %c, %s, %low : tensor<2x3x5x5xi1>, tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %m : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// Both the query and its place in the group count.
// CHECK-LABEL: func @sum_of_two
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale
func.func @sum_of_two(%q: tensor<2x2x4x4x8xf32>, %k: tensor<2x2x4x8xf32>, %v: tensor<2x2x4x8xf32>) -> tensor<2x2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [4] x [3] : (tensor<2x2x4x4x8xf32>, tensor<2x2x4x8xf32>) -> tensor<2x2x4x4x4xf32>
  %i2 = stablehlo.iota dim = 2 : tensor<2x2x4x4x4xi32>
  %i3 = stablehlo.iota dim = 3 : tensor<2x2x4x4x4xi32>
  %i4 = stablehlo.iota dim = 4 : tensor<2x2x4x4x4xi32>
  %d = stablehlo.add %i2, %i3 : tensor<2x2x4x4x4xi32>
  %c = stablehlo.compare GE, %d, %i4, SIGNED : (tensor<2x2x4x4x4xi32>, tensor<2x2x4x4x4xi32>) -> tensor<2x2x4x4x4xi1>
  %low = stablehlo.constant dense<-1.0e9> : tensor<2x2x4x4x4xf32>
  %m = stablehlo.select %c, %s, %low : tensor<2x2x4x4x4xi1>, tensor<2x2x4x4x4xf32>
  %e = stablehlo.exponential %m : tensor<2x2x4x4x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [4] : (tensor<2x2x4x4x4xf32>, tensor<f32>) -> tensor<2x2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2, 3] : (tensor<2x2x4x4xf32>) -> tensor<2x2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [4] x [2] : (tensor<2x2x4x4x4xf32>, tensor<2x2x4x8xf32>) -> tensor<2x2x4x4x8xf32>
  return %o : tensor<2x2x4x4x8xf32>
}

// Each of two dimensions hides later keys: one of them counts the queries.
// CHECK-LABEL: func @two_masks_of_different_queries
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} mask %{{[^ ]*}} causal {scale
func.func @two_masks_of_different_queries(%q: tensor<2x2x4x4x8xf32>, %k: tensor<2x2x4x8xf32>, %v: tensor<2x2x4x8xf32>) -> tensor<2x2x4x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [4] x [3] : (tensor<2x2x4x4x8xf32>, tensor<2x2x4x8xf32>) -> tensor<2x2x4x4x4xf32>
  %i2 = stablehlo.iota dim = 2 : tensor<2x2x4x4x4xi32>
  %i3 = stablehlo.iota dim = 3 : tensor<2x2x4x4x4xi32>
  %i4 = stablehlo.iota dim = 4 : tensor<2x2x4x4x4xi32>
  %c = stablehlo.compare GE, %i2, %i4, SIGNED : (tensor<2x2x4x4x4xi32>, tensor<2x2x4x4x4xi32>) -> tensor<2x2x4x4x4xi1>
  %low = stablehlo.constant dense<-1.0e9> : tensor<2x2x4x4x4xf32>
  %m = stablehlo.select %c, %s, %low : tensor<2x2x4x4x4xi1>, tensor<2x2x4x4x4xf32>
  %c2 = stablehlo.compare GE, %i3, %i4, SIGNED : (tensor<2x2x4x4x4xi32>, tensor<2x2x4x4x4xi32>) -> tensor<2x2x4x4x4xi1>
  %m2 = stablehlo.select %c2, %m, %low : tensor<2x2x4x4x4xi1>, tensor<2x2x4x4x4xf32>
  %e = stablehlo.exponential %m2 : tensor<2x2x4x4x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [4] : (tensor<2x2x4x4x4xf32>, tensor<f32>) -> tensor<2x2x4x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2, 3] : (tensor<2x2x4x4xf32>) -> tensor<2x2x4x4x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x2x4x4x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [4] x [2] : (tensor<2x2x4x4x4xf32>, tensor<2x2x4x8xf32>) -> tensor<2x2x4x4x8xf32>
  return %o : tensor<2x2x4x4x8xf32>
}

// The same mask again, in other words.
// CHECK-LABEL: func @causal_twice
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} causal {scale
func.func @causal_twice(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i2 = stablehlo.iota dim = 2 : tensor<2x3x5x5xi32>
  %i3 = stablehlo.iota dim = 3 : tensor<2x3x5x5xi32>
  %c = stablehlo.compare GE, %i2, %i3, SIGNED : (tensor<2x3x5x5xi32>, tensor<2x3x5x5xi32>) -> tensor<2x3x5x5xi1>
  %low = stablehlo.constant dense<-1.0e9> : tensor<2x3x5x5xf32>
  %m = stablehlo.select %c, %s, %low : tensor<2x3x5x5xi1>, tensor<2x3x5x5xf32>
  %c2 = stablehlo.compare LE, %i3, %i2, SIGNED : (tensor<2x3x5x5xi32>, tensor<2x3x5x5xi32>) -> tensor<2x3x5x5xi1>
  %m2 = stablehlo.select %c2, %m, %low : tensor<2x3x5x5xi1>, tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %m2 : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// A mask that shows one key more.
// CHECK-LABEL: func @one_key_more
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} mask %{{[^ ]*}} {scale
func.func @one_key_more(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i2 = stablehlo.iota dim = 2 : tensor<2x3x5x5xi32>
  %i3 = stablehlo.iota dim = 3 : tensor<2x3x5x5xi32>
  %n1 = stablehlo.constant dense<1> : tensor<2x3x5x5xi32>
  %n = stablehlo.add %i2, %n1 : tensor<2x3x5x5xi32>
  %c = stablehlo.compare GE, %n, %i3, SIGNED : (tensor<2x3x5x5xi32>, tensor<2x3x5x5xi32>) -> tensor<2x3x5x5xi1>
  %none = stablehlo.constant dense<0.0> : tensor<2x3x5x5xf32>
  %low = stablehlo.constant dense<-1.0e9> : tensor<2x3x5x5xf32>
  %a = stablehlo.select %c, %none, %low : tensor<2x3x5x5xi1>, tensor<2x3x5x5xf32>
  %m = stablehlo.add %s, %a : tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %m : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// A bias that hides all keys alike.
// CHECK-LABEL: func @no_key
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale
func.func @no_key(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i2 = stablehlo.iota dim = 2 : tensor<2x3x5x5xi32>
  %all = stablehlo.compare GE, %i2, %i2, SIGNED : (tensor<2x3x5x5xi32>, tensor<2x3x5x5xi32>) -> tensor<2x3x5x5xi1>
  %c = stablehlo.not %all : tensor<2x3x5x5xi1>
  %none = stablehlo.constant dense<0.0> : tensor<2x3x5x5xf32>
  %low = stablehlo.constant dense<-1.0e9> : tensor<2x3x5x5xf32>
  %a = stablehlo.select %c, %none, %low : tensor<2x3x5x5xi1>, tensor<2x3x5x5xf32>
  %m = stablehlo.add %s, %a : tensor<2x3x5x5xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %x = stablehlo.subtract %m, %shift : tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %x : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// A bias that hides nothing.
// CHECK-LABEL: func @all_keys
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} {scale
func.func @all_keys(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x5xf32>
  %i2 = stablehlo.iota dim = 2 : tensor<2x3x5x5xi32>
  %c = stablehlo.compare GE, %i2, %i2, SIGNED : (tensor<2x3x5x5xi32>, tensor<2x3x5x5xi32>) -> tensor<2x3x5x5xi1>
  %none = stablehlo.constant dense<0.0> : tensor<2x3x5x5xf32>
  %low = stablehlo.constant dense<-1.0e9> : tensor<2x3x5x5xf32>
  %a = stablehlo.select %c, %none, %low : tensor<2x3x5x5xi1>, tensor<2x3x5x5xf32>
  %m = stablehlo.add %s, %a : tensor<2x3x5x5xf32>
  %e = stablehlo.exponential %m : tensor<2x3x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x3x5xf32>) -> tensor<2x3x5x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x3x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x5x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// All queries read one head of keys, whose number is that of neither dimension: the
// first one counts the queries.
// CHECK-LABEL: func @queries_first_in_the_program
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<2x5x4x8xf32>, tensor<2x6x1x8xf32>, tensor<2x6x1x8xf32>)
func.func @queries_first_in_the_program(%q: tensor<2x5x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x5x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<2x5x4x8xf32>, tensor<2x6x8xf32>) -> tensor<2x5x4x6xf32>
  %e = stablehlo.exponential %s : tensor<2x5x4x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x5x4x6xf32>, tensor<f32>) -> tensor<2x5x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x5x4xf32>) -> tensor<2x5x4x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x5x4x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x5x4x6xf32>, tensor<2x6x8xf32>) -> tensor<2x5x4x8xf32>
  return %o : tensor<2x5x4x8xf32>
}

// The same where the scores have the heads first.
// CHECK-LABEL: func @heads_first_in_the_scores
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<2x5x4x8xf32>, tensor<2x6x1x8xf32>, tensor<2x6x1x8xf32>)
func.func @heads_first_in_the_scores(%q: tensor<2x5x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x4x5x8xf32> {
  %d = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<2x5x4x8xf32>, tensor<2x6x8xf32>) -> tensor<2x5x4x6xf32>
  %s = stablehlo.transpose %d, dims = [0, 2, 1, 3] : (tensor<2x5x4x6xf32>) -> tensor<2x4x5x6xf32>
  %e = stablehlo.exponential %s : tensor<2x4x5x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x5x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x4x5x6xf32>, tensor<2x6x8xf32>) -> tensor<2x4x5x8xf32>
  return %o : tensor<2x4x5x8xf32>
}

// There are as many keys as positions, which the scores have before the heads.
// CHECK-LABEL: func @queries_first_in_the_scores
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<2x6x4x8xf32>, tensor<2x6x1x8xf32>, tensor<2x6x1x8xf32>)
func.func @queries_first_in_the_scores(%q: tensor<2x4x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x4x8xf32> {
  %d = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<2x4x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x4x6x6xf32>
  %s = stablehlo.transpose %d, dims = [0, 2, 1, 3] : (tensor<2x4x6x6xf32>) -> tensor<2x6x4x6xf32>
  %e = stablehlo.exponential %s : tensor<2x6x4x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x6x4x6xf32>, tensor<f32>) -> tensor<2x6x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x6x4xf32>) -> tensor<2x6x4x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x6x4x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x6x4x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x4x8xf32>
  return %o : tensor<2x6x4x8xf32>
}

// A single head that queries and keys have as a dimension.
// CHECK-LABEL: func @values_without_their_head
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<2x5x1x8xf32>, tensor<2x5x1x8xf32>, tensor<2x5x1x8xf32>)
func.func @values_without_their_head(%q: tensor<2x1x5x8xf32>, %k: tensor<2x1x5x8xf32>, %v: tensor<2x5x8xf32>) -> tensor<2x1x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x1x5x8xf32>, tensor<2x1x5x8xf32>) -> tensor<2x1x5x5xf32>
  %e = stablehlo.exponential %s : tensor<2x1x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x1x5x5xf32>, tensor<f32>) -> tensor<2x1x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x1x5xf32>) -> tensor<2x1x5x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x1x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x1x5x5xf32>, tensor<2x5x8xf32>) -> tensor<2x1x5x8xf32>
  return %o : tensor<2x1x5x8xf32>
}

// A single head that queries and values have as a dimension.
// CHECK-LABEL: func @keys_without_their_head
// CHECK:         boost.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<2x5x1x8xf32>, tensor<2x5x1x8xf32>, tensor<2x5x1x8xf32>)
func.func @keys_without_their_head(%q: tensor<2x1x5x8xf32>, %k: tensor<2x5x8xf32>, %v: tensor<2x1x5x8xf32>) -> tensor<2x1x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<2x1x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x1x5x5xf32>
  %e = stablehlo.exponential %s : tensor<2x1x5x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x1x5x5xf32>, tensor<f32>) -> tensor<2x1x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x1x5xf32>) -> tensor<2x1x5x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x1x5x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x1x5x5xf32>, tensor<2x1x5x8xf32>) -> tensor<2x1x5x8xf32>
  return %o : tensor<2x1x5x8xf32>
}
