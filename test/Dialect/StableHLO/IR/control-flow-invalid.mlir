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

// -----

func.func @while_arguments(%i: tensor<i32>, %p: tensor<i1>) {
  // expected-error@+1 {{expects the condition to take ('tensor<i32>'), but got ('tensor<i1>')}}
  %0 = "stablehlo.while"(%i) ({
  ^bb0(%a: tensor<i1>):
    stablehlo.return %a : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_body_arguments(%i: tensor<i32>, %p: tensor<i1>) {
  // expected-error@+1 {{expects the body to take ('tensor<i32>'), but got ('tensor<i32>', 'tensor<i32>')}}
  %0 = "stablehlo.while"(%i) ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_results(%i: tensor<i32>, %p: tensor<i1>) {
  // expected-error@+1 {{expects results of the types of the operands}}
  %0 = "stablehlo.while"(%i) ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i64>
  return
}

// -----

func.func @if_first_branch(%p: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{expects the first branch to return ('tensor<4xf32>'), but got ('tensor<i1>')}}
  %0 = "stablehlo.if"(%p) ({
    // expected-note@+1 {{returned here}}
    stablehlo.return %p : tensor<i1>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----

func.func @empty_branch(%p: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{expects the first branch to end in stablehlo.return}}
  %0 = "stablehlo.if"(%p) ({
    %y = stablehlo.negate %x : tensor<4xf32>
    func.return
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}
