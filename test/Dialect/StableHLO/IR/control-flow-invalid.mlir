// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Loops whose state changes its type, and barriers that do, are refused.

func.func @while_condition(%i: tensor<i32>) {
  // expected-error@+1 {{expects the condition to return ('tensor<i1>'), but got ('tensor<i32>')}}
  %r = stablehlo.while(%a = %i) : tensor<i32>
  cond {
    // expected-note@+1 {{returned here}}
    stablehlo.return %a : tensor<i32>
  } do {
    stablehlo.return %a : tensor<i32>
  }
  return
}

// -----

func.func @while_body(%i: tensor<i32>, %p: tensor<i1>) {
  // expected-error@+1 {{expects the body to return ('tensor<i32>'), but got ('tensor<i1>')}}
  %r = stablehlo.while(%a = %i) : tensor<i32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    // expected-note@+1 {{returned here}}
    stablehlo.return %p : tensor<i1>
  }
  return
}

// -----

func.func @barrier_types(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects results of the types of the operands}}
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<4xf32>) -> tensor<4xi32>
  return
}
