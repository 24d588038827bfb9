// RUN: boost-opt %s -split-input-file --boost-unroll-while=max-trips=8 -verify-diagnostics
// A loop whose trip count is not known is refused with the reason.

func.func @bound(%x: tensor<i32>) -> tensor<i32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  // expected-error@+2 {{the trip count of this loop is not known: its condition does not compare a counter with a constant}}
  // expected-note@+1 {{only loops of lax.scan}}
  %r = stablehlo.while(%i = %c0) : tensor<i32>
  cond {
    %0 = stablehlo.compare LT, %i, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %r : tensor<i32>
}

// -----

func.func @step() -> tensor<i32> {
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c4 = stablehlo.constant dense<4> : tensor<i32>
  // expected-error@+2 {{its counter does not go from a constant by a constant}}
  // expected-note@+1 {{only loops of lax.scan}}
  %r = stablehlo.while(%i = %c1) : tensor<i32>
  cond {
    %0 = stablehlo.compare LT, %i, %c4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %r : tensor<i32>
}

// -----

func.func @too_long() -> tensor<i32> {
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  // expected-error@+2 {{it takes more than 8 trips}}
  // expected-note@+1 {{only loops of lax.scan}}
  %r = stablehlo.while(%i = %c1) : tensor<i32>
  cond {
    %0 = stablehlo.compare GT, %i, %c0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %r : tensor<i32>
}
