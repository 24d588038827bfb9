// RUN: boost-opt %s -split-input-file --boost-unroll-while='max-trips=8 max-operations=60' -verify-diagnostics
// A loop whose trip count is not known is refused with the reason, unless all
// that it works on are scalars.

func.func @bound(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  // expected-error@+2 {{the trip count of this loop is not known: its condition does not compare a counter with a constant}}
  // expected-note@+1 {{only loops of lax.scan}}
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %i : tensor<i32>
    %2 = stablehlo.add %y, %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// The state is a scalar, but not all that it is computed from.
func.func @step(%x: tensor<4xi32>) -> tensor<i32> {
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c4 = stablehlo.constant dense<4> : tensor<i32>
  // expected-error@+2 {{its counter does not go from a constant by a constant}}
  // expected-note@+1 {{only loops of lax.scan}}
  %r = stablehlo.while(%i = %c1) : tensor<i32>
  cond {
    %0 = stablehlo.compare LT, %i, %c4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %1 : (tensor<1xi32>) -> tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }
  return %r : tensor<i32>
}

// -----

func.func @too_long(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  // expected-error@+2 {{it takes more than 8 trips}}
  // expected-note@+1 {{only loops of lax.scan}}
  %r:2 = stablehlo.while(%i = %c1, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare GT, %i, %c0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.add %y, %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// The branch reads the state, so that it cannot be moved out of the loop.
func.func @branch(%n: tensor<i32>, %flag: tensor<i32>) -> tensor<i32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  // expected-error@+2 {{the trip count of this loop is not known}}
  // expected-note@+1 {{only loops of lax.scan}}
  %r:2 = stablehlo.while(%i = %c0, %x = %c0) : tensor<i32>, tensor<i32>
  cond {
    %0 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = "stablehlo.case"(%flag) ({
      %3 = stablehlo.add %x, %i : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }, {
      stablehlo.return %x : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
  }
  return %r#1 : tensor<i32>
}

// -----

// The outer loop makes 8 of the inner one, of which the second is too much.
func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    // expected-error@+2 {{expects at most 60 operations once loops are unrolled, but with 3 trips of this loop got}}
    // expected-note@+1 {{let loops inside of each other take fewer trips}}
    %s:2 = stablehlo.while(%j = %c0, %z = %y) : tensor<i32>, tensor<4xf32>
    cond {
      %0 = stablehlo.compare LT, %j, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %1 = stablehlo.add %j, %c1 : tensor<i32>
      %2 = stablehlo.add %z, %z : tensor<4xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
    }
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %1, %s#1 : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// A loop of numbers that are no tensors is not one of scalars.
func.func @plain_numbers(%a: i32, %b: i32, %n: tensor<i32>) -> tensor<i32> {
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  // expected-error@+2 {{the trip count of this loop is not known}}
  // expected-note@+1 {{only loops of lax.scan}}
  %r = stablehlo.while(%i = %c1) : tensor<i32>
  cond {
    %0 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %q = arith.divsi %a, %b : i32
    %1 = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %r : tensor<i32>
}
