// RUN: boost-opt %s --boost-import-check -verify-diagnostics
// Everything that is not supported is reported in one run.

module {
  // expected-error@+1 {{function 'external' has no body}}
  func.func private @external(tensor<4xf32>) -> tensor<4xf32>

  // expected-error@+1 {{argument 1 of type tensor<?xf32> has a dynamic shape}}
  func.func @loss(%x: tensor<4xf32>, %d: tensor<?xf32>, %s: tensor<f32>, %c: tensor<i32>, %i: tensor<4xi32>) -> tensor<4xf32> {
    // expected-error@+1 {{operation 'stablehlo.map' is not supported}}
    %0 = "stablehlo.map"(%x) ({
    ^bb0(%l: tensor<f32>):
      // What stands inside is not reported again.
      %p = "stablehlo.fft"(%l) : (tensor<f32>) -> tensor<f32>
      stablehlo.return %p : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    // expected-error@+1 {{a result accuracy other than DEFAULT is not supported}}
    %t = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
    // expected-error@+1 {{call of 'cu_threefry2x32' is not supported}}
    %1 = stablehlo.custom_call @cu_threefry2x32(%0) : (tensor<4xf32>) -> tensor<4xf32>
    // expected-error@+1 {{call of 'boost.stop_gradient' is not supported}}
    %l = stablehlo.custom_call @boost.stop_gradient(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    // expected-error@+1 {{call of 'lapack_strsm_ffi' is not supported}}
    %m = stablehlo.custom_call @lapack_strsm_ffi(%x, %x) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %n = "stablehlo.select_and_scatter"(%x, %x, %s) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      // expected-error@+1 {{operation 'stablehlo.reshape' is not supported in the body of 'stablehlo.select_and_scatter'}}
      %q = stablehlo.reshape %a : (tensor<f32>) -> tensor<f32>
      stablehlo.return %q : tensor<f32>
    }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    // expected-error@+1 {{operation 'arith.addf' is not supported}}
    %2 = arith.addf %0, %1 : tensor<4xf32>
    // expected-error@+1 {{the values of this constant were left out}}
    %3 = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>
    // expected-error@+1 {{expects 16 bytes in the resource 'short', but got 4}}
    %short = stablehlo.constant dense_resource<short> : tensor<4xf32>
    // expected-error@+1 {{expects the resource 'odd' to be aligned to a multiple of 4 bytes, but got 1}}
    %odd = stablehlo.constant dense_resource<odd> : tensor<1xf32>
    // expected-error@+1 {{result 0 of type tensor<4x4611686018427387904xf32> has more than 2^53 bytes}}
    %large = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x4611686018427387904xf32>
    %4:2 = stablehlo.reduce(%x init: %s), (%i init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%a: tensor<f32>, %e: tensor<f32>) (%b: tensor<i32>, %f: tensor<i32>) {
      // expected-error@+2 {{operation 'stablehlo.iota' is not supported in the body of 'stablehlo.reduce'}}
      // expected-note@+1 {{rewrite the loss without these operations}}
      %5 = stablehlo.iota dim = 0 : tensor<1xf32>
      %6 = stablehlo.maximum %a, %e : tensor<f32>
      stablehlo.return %6, %b : tensor<f32>, tensor<i32>
    }
    return %2 : tensor<4xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x0400000000000000",
      odd: "0x0100000000000000"
    }
  }
#-}
