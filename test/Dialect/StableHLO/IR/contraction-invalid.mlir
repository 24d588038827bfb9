// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Contractions and reductions whose shapes do not fit are refused.

func.func @dot_contracting_size(%a: tensor<4x8xf32>, %b: tensor<9x3xf32>) {
  // expected-error@+1 {{expects contracting dimensions of one size, but got 8 in dimension 1 of lhs and 9 in dimension 0 of rhs}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<9x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @dot_count(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) {
  // expected-error@+1 {{expects as many contracting dimensions of lhs as of rhs, but got 1 and 0}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @dot_range(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) {
  // expected-error@+1 {{expects dimensions of lhs below rank 2, but got 2}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [2] x [0] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @dot_twice(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) {
  // expected-error@+1 {{expects different dimensions of rhs, but got 0 twice}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @dot_element_types(%a: tensor<4x8xf32>, %b: tensor<8x3xbf16>) {
  // expected-error@+1 {{expects operands of one element type, but got 'f32' and 'bf16'}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x3xbf16>) -> tensor<4x3xf32>
  return
}

// -----

func.func @dot_result(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) {
  // expected-error@+1 {{expects a result of type 'tensor<4x3xf32>', but got 'tensor<3x4xf32>'}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @dot_algorithm(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) {
  // expected-error@+1 {{expected ','}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32> : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @dot_algorithm_beside_precision(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) {
  // expected-error@+1 {{expects precision DEFAULT beside an algorithm, but got}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_nothing() {
  // expected-error@+1 {{expects one result per input and at least one, but got 0 and 0}}
  "stablehlo.reduce"() <{dimensions = array<i64>}> ({
    stablehlo.return
  }) : () -> ()
  return
}

// -----

func.func @reduce_results(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects one result per input and at least one, but got 2 and 1}}
  %0:2 = "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_dimension(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects different dimensions below rank 1, but got 1}}
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_result(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects a result of type 'tensor<4xf32>', but got 'tensor<8xf32>'}}
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @reduce_init(%x: tensor<4xf32>, %s: tensor<2xf32>) {
  // expected-error@+1 {{expects a scalar initial value of type 'f32', but got 'tensor<2xf32>'}}
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_body_name(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.negate' is not a binary operation of the subset}}
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.negate across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_return(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects the body to return ('tensor<f32>'), but got ('tensor<f32>', 'tensor<f32>')}}
  %0 = stablehlo.reduce(%x init: %s) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    // expected-note@+1 {{returned here}}
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @dot_negative(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) {
  // expected-error@+1 {{expects dimensions of rhs below rank 2, but got -1}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [-1] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @dot_lhs_twice(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{expects different dimensions of lhs, but got 1 twice}}
  %0 = stablehlo.dot_general %a, %a, batching_dims = [1] x [0], contracting_dims = [1] x [1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @dot_batch_sizes(%a: tensor<2x8xf32>, %b: tensor<3x8xf32>) {
  // expected-error@+1 {{expects batching dimensions of one size, but got 2 in dimension 0 of lhs and 3 in dimension 0 of rhs}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x8xf32>, tensor<3x8xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @dot_batch_number(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>) {
  // expected-error@+1 {{expects as many batching dimensions of lhs as of rhs, but got 0 and 1}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [] x [0], contracting_dims = [1] x [1] : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @dot_precisions(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) {
  // expected-error@+1 {{expects a precision for each of 2 operands, but got 1}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_negative(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects different dimensions below rank 2, but got -1}}
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [-1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_twice(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects different dimensions below rank 2, but got 1}}
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_init_type(%x: tensor<4x8xf32>, %s: tensor<i32>) {
  // expected-error@+1 {{expects a scalar initial value of type 'f32', but got 'tensor<i32>'}}
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_shapes(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects inputs of one shape, but got 'tensor<4x8xf32>' and 'tensor<8x4xf32>'}}
  %0:2 = stablehlo.reduce(%x init: %s), (%y init: %s) across dimensions = [0] : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
    stablehlo.return %a, %c : tensor<f32>, tensor<f32>
  }
  return
}
