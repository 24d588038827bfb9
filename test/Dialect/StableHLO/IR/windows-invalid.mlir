// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Sorts and windows that do not fit their tensors are refused.

func.func @window_count(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects one entry of 'window_dimensions' per dimension, but got 1 for rank 2}}
  %r = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @window_positive(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects a positive entry of 'window_strides' in dimension 1, but got 0}}
  %r = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @window_padding(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects padding of shape 2x2, but got 'tensor<1x2xi64>'}}
  %r = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 1, 1>, padding = dense<0> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @window_result(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects a result of type 'tensor<4x7xf32>', but got 'tensor<4x8xf32>'}}
  %r = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @window_init(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects an initial value of type 'tensor<f32>', but got 'tensor<4x8xf32>'}}
  %r = "stablehlo.reduce_window"(%x, %x) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @window_body(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects the body to take ('tensor<f32>', 'tensor<f32>'), but got ('tensor<i32>', 'tensor<f32>')}}
  %r = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sort_dimension(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects 'dimension' in [-2, 2), but got 2}}
  %r = "stablehlo.sort"(%x) <{dimension = 2 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sort_before_the_first(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects 'dimension' in [-2, 2), but got -3}}
  %r = "stablehlo.sort"(%x) <{dimension = -3 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sort_results(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects results of the types of the inputs}}
  %r = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @sort_shapes(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %r:2 = "stablehlo.sort"(%x, %s) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<f32>)
  return
}

// -----

func.func @sort_pairs(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects the comparator to take ('tensor<f32>', 'tensor<f32>'), but got ('tensor<f32>')}}
  %r = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>):
    %p = stablehlo.compare LT, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sort_predicate(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects the comparator to return ('tensor<i1>'), but got ('tensor<f32>')}}
  %r = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-note@+1 {{returned here}}
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @top_k_size(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expects k of at most 8, but got 9}}
  %v, %i = chlo.top_k(%x, k = 9) : tensor<4x8xf32> -> (tensor<4x9xf32>, tensor<4x9xi32>)
  return
}

// -----

func.func @top_k_negative(%x: tensor<4x8xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expects k of at most 8, but got -1}}
  %v, %i = "chlo.top_k"(%x) <{k = -1 : i64}> : (tensor<4x8xf32>) -> (tensor<4x0xf32>, tensor<4x0xi32>)
  return
}

// -----

func.func @top_k_rank(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expects an operand with a last dimension}}
  %v, %i = chlo.top_k(%s, k = 0) : tensor<f32> -> (tensor<f32>, tensor<i32>)
  return
}

// -----

// What a region computes depends on its arguments only.
func.func @window_captures(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-note@+1 {{required by region isolation constraints}}
  %r = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error@+1 {{using value defined outside the region}}
    %m = stablehlo.multiply %a, %s : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @window_overflow(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects a window and a padded input of fewer than 2^63 elements in dimension 0}}
  %r = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 3>, window_dilations = array<i64: 9223372036854775807>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @base_overflow(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects a window and a padded input of fewer than 2^63 elements in dimension 0}}
  %r = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 1>, base_dilations = array<i64: 9223372036854775807>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @window_of_nothing() {
  // expected-error@+1 {{expects one result per input and at least one, but got 0 and 0}}
  "stablehlo.reduce_window"() <{window_dimensions = array<i64>}> ({
    stablehlo.return
  }) : () -> ()
  return
}
