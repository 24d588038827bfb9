// RUN: boost-opt %s --convert-stablehlo-to-linalg --split-input-file --verify-diagnostics

// All that is unsupported is reported in one run.

func.func @unsupported(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error @below {{is not supported in the body of a reduction or loop; expects elementwise operations}}
    %r = stablehlo.reshape %a : (tensor<f32>) -> tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // expected-error @below {{has no lowering to kernels}}
  // expected-note @below {{loops are unrolled at import if their trip count is known}}
  %1:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %c = stablehlo.compare LT, %i, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return %i, %y : tensor<i32>, tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
