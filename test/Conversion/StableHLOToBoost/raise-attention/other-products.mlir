// RUN: boost-opt %s -boost-raise-attention | FileCheck %s --implicit-check-not=boost.attention
// Products with a softmax whose dimensions are not those of attention.

// Divided by something else, or by what is no sum over the keys.
// CHECK-LABEL: func @divided_by_a_tensor
func.func @divided_by_a_tensor(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>, %d: tensor<2x4x5x6xf32>) -> tensor<2x4x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x5x8xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x5x6xf32>
  %e = stablehlo.exponential %s : tensor<2x4x5x6xf32>
  %p = stablehlo.divide %e, %d : tensor<2x4x5x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x5x6xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x5x8xf32>
  return %o : tensor<2x4x5x8xf32>
}

// CHECK-LABEL: func @sums_over_nothing
func.func @sums_over_nothing(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x5x8xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x5x6xf32>
  %e = stablehlo.exponential %s : tensor<2x4x5x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
  %p = stablehlo.divide %e, %t : tensor<2x4x5x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x5x6xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x5x8xf32>
  return %o : tensor<2x4x5x8xf32>
}

// One query: the sum of each head divides what belongs to a key.
// CHECK-LABEL: func @sums_of_the_keys_rows
func.func @sums_of_the_keys_rows(%q: tensor<2x4x1x8xf32>, %k: tensor<2x4x4x8xf32>, %v: tensor<2x4x4x8xf32>) -> tensor<2x4x1x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x1x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x1x4xf32>
  %e = stablehlo.exponential %s : tensor<2x4x1x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x1x4xf32>, tensor<f32>) -> tensor<2x4x1xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 3, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x1x4xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x1x4xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x1x4xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x1x8xf32>
  return %o : tensor<2x4x1x8xf32>
}

// The product with the values sums over the heads as well.
// CHECK-LABEL: func @heads_are_summed
func.func @heads_are_summed(%q: tensor<2x8x5x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x5xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<2x8x5x8xf32>, tensor<2x6x8xf32>) -> tensor<2x8x5x6xf32>
  %e = stablehlo.exponential %s : tensor<2x8x5x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x8x5x6xf32>, tensor<f32>) -> tensor<2x8x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x8x5xf32>) -> tensor<2x8x5x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x8x5x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [3, 1] x [1, 2] : (tensor<2x8x5x6xf32>, tensor<2x6x8xf32>) -> tensor<2x5xf32>
  return %o : tensor<2x5xf32>
}

// Values that are numbers, or matrices.
// CHECK-LABEL: func @values_are_numbers
func.func @values_are_numbers(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6xf32>) -> tensor<2x4x5xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x5x8xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x5x6xf32>
  %e = stablehlo.exponential %s : tensor<2x4x5x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x5x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x5x6xf32>, tensor<2x4x6xf32>) -> tensor<2x4x5xf32>
  return %o : tensor<2x4x5xf32>
}

// CHECK-LABEL: func @values_are_matrices
func.func @values_are_matrices(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8x3xf32>) -> tensor<2x4x5x8x3xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x5x8xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x5x6xf32>
  %e = stablehlo.exponential %s : tensor<2x4x5x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x5x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x5x6xf32>, tensor<2x4x6x8x3xf32>) -> tensor<2x4x5x8x3xf32>
  return %o : tensor<2x4x5x8x3xf32>
}

// Keys and values with heads of their own, but not both.
// CHECK-LABEL: func @values_of_all_heads
func.func @values_of_all_heads(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x4x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x5x8xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x5x6xf32>
  %e = stablehlo.exponential %s : tensor<2x4x5x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x5x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x4x5x6xf32>, tensor<2x6x8xf32>) -> tensor<2x4x5x8xf32>
  return %o : tensor<2x4x5x8xf32>
}

// CHECK-LABEL: func @keys_of_all_heads
func.func @keys_of_all_heads(%q: tensor<2x4x5x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<2x4x5x8xf32>, tensor<2x6x8xf32>) -> tensor<2x4x5x6xf32>
  %e = stablehlo.exponential %s : tensor<2x4x5x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x5x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x5x6xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x5x8xf32>
  return %o : tensor<2x4x5x8xf32>
}

// Queries without the heads of the keys.
// CHECK-LABEL: func @keys_of_other_heads
func.func @keys_of_other_heads(%q: tensor<2x5x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf32>) -> tensor<2x3x5x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [3] : (tensor<2x5x8xf32>, tensor<2x3x6x8xf32>) -> tensor<2x5x3x6xf32>
  %e = stablehlo.exponential %s : tensor<2x5x3x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x5x3x6xf32>, tensor<f32>) -> tensor<2x5x3xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x5x3xf32>) -> tensor<2x5x3x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x5x3x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 2] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x5x3x6xf32>, tensor<2x3x6x8xf32>) -> tensor<2x3x5x8xf32>
  return %o : tensor<2x3x5x8xf32>
}

// CHECK-LABEL: func @head_of_keys_alone
func.func @head_of_keys_alone(%q: tensor<2x5x8xf32>, %k: tensor<2x1x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x5x1x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [3] : (tensor<2x5x8xf32>, tensor<2x1x6x8xf32>) -> tensor<2x5x1x6xf32>
  %e = stablehlo.exponential %s : tensor<2x5x1x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x5x1x6xf32>, tensor<f32>) -> tensor<2x5x1xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x1x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x5x1x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x5x1x6xf32>, tensor<2x6x8xf32>) -> tensor<2x5x1x8xf32>
  return %o : tensor<2x5x1x8xf32>
}

// CHECK-LABEL: func @head_of_values_alone
func.func @head_of_values_alone(%q: tensor<2x5x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x1x6x8xf32>) -> tensor<2x1x5x8xf32> {
  %d = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x5x8xf32>, tensor<2x6x8xf32>) -> tensor<2x5x6xf32>
  %s = stablehlo.reshape %d : (tensor<2x5x6xf32>) -> tensor<2x1x5x6xf32>
  %e = stablehlo.exponential %s : tensor<2x1x5x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x1x5x6xf32>, tensor<f32>) -> tensor<2x1x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x1x5xf32>) -> tensor<2x1x5x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x1x5x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x1x5x6xf32>, tensor<2x1x6x8xf32>) -> tensor<2x1x5x8xf32>
  return %o : tensor<2x1x5x8xf32>
}

// Every key has queries of its own.
// CHECK-LABEL: func @queries_of_every_key
func.func @queries_of_every_key(%q: tensor<2x6x5x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x5x8xf32> {
  %s = stablehlo.dot_general %k, %q, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3] : (tensor<2x6x8xf32>, tensor<2x6x5x8xf32>) -> tensor<2x6x5xf32>
  %e = stablehlo.exponential %s : tensor<2x6x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x6x5xf32>, tensor<f32>) -> tensor<2x5xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 2] : (tensor<2x5xf32>) -> tensor<2x6x5xf32>
  %p = stablehlo.divide %e, %b : tensor<2x6x5xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x6x5xf32>, tensor<2x6x8xf32>) -> tensor<2x5x8xf32>
  return %o : tensor<2x5x8xf32>
}

// The softmax is over a dimension that the product of queries and keys does not have.
// CHECK-LABEL: func @softmax_of_one
func.func @softmax_of_one(%q: tensor<2x5x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x1x8xf32>) -> tensor<2x5x6x8xf32> {
  %d = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x5x8xf32>, tensor<2x6x8xf32>) -> tensor<2x5x6xf32>
  %s = stablehlo.reshape %d : (tensor<2x5x6xf32>) -> tensor<2x5x6x1xf32>
  %e = stablehlo.exponential %s : tensor<2x5x6x1xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x5x6x1xf32>, tensor<f32>) -> tensor<2x5x6xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x5x6xf32>) -> tensor<2x5x6x1xf32>
  %p = stablehlo.divide %e, %b : tensor<2x5x6x1xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x5x6x1xf32>, tensor<2x1x8xf32>) -> tensor<2x5x6x8xf32>
  return %o : tensor<2x5x6x8xf32>
}

// Queries of more dimensions than positions and a group, or without positions.
// CHECK-LABEL: func @three_dimensions_of_queries
func.func @three_dimensions_of_queries(%q: tensor<2x3x5x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x3x5x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [4] x [2] : (tensor<2x3x5x4x8xf32>, tensor<2x6x8xf32>) -> tensor<2x3x5x4x6xf32>
  %e = stablehlo.exponential %s : tensor<2x3x5x4x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [4] : (tensor<2x3x5x4x6xf32>, tensor<f32>) -> tensor<2x3x5x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2, 3] : (tensor<2x3x5x4xf32>) -> tensor<2x3x5x4x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x3x5x4x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [4] x [1] : (tensor<2x3x5x4x6xf32>, tensor<2x6x8xf32>) -> tensor<2x3x5x4x8xf32>
  return %o : tensor<2x3x5x4x8xf32>
}

// CHECK-LABEL: func @one_query_per_head
func.func @one_query_per_head(%q: tensor<2x4x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3] : (tensor<2x4x8xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x6xf32>
  %e = stablehlo.exponential %s : tensor<2x4x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x4x6xf32>, tensor<f32>) -> tensor<2x4xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x4x6xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x8xf32>
  return %o : tensor<2x4x8xf32>
}
