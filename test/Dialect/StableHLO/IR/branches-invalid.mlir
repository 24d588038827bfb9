// RUN: boost-opt %s --split-input-file --verify-diagnostics

func.func @no_branch(%i: tensor<i32>) {
  // expected-error@+1 {{expects at least one branch, but got none}}
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}

// -----

func.func @other_type(%i: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error@+1 {{expects branch 1 to return ('tensor<4xf32>'), but got ('tensor<i32>')}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    // expected-note@+1 {{returned here}}
    stablehlo.return %i : tensor<i32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @wide_index(%i: tensor<i64>, %x: tensor<4xf32>) {
  // expected-error@+1 {{operand #0 must be scalar tensor of i32}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i64>) -> tensor<4xf32>
  return
}

// -----

func.func @arguments(%p: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{region #0 should have no arguments}}
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%y: tensor<4xf32>):
    stablehlo.return %y : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----

func.func @if_type(%p: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{expects the second branch to return ('tensor<4xf32>'), but got ('tensor<i1>')}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    // expected-note@+1 {{returned here}}
    stablehlo.return %p : tensor<i1>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}
