// RUN: boost-opt %s --boost-import-check -verify-diagnostics
// Everything that is not supported is reported in one run.

module {
  // expected-error@+1 {{function 'external' has no body}}
  func.func private @external(tensor<4xf32>) -> tensor<4xf32>

  // expected-error@+1 {{argument 1 of type tensor<?xf32> has a dynamic shape}}
  func.func @loss(%x: tensor<4xf32>, %d: tensor<?xf32>, %s: tensor<f32>, %c: tensor<i32>, %i: tensor<4xi32>) -> tensor<4xf32> {
    // expected-error@+1 {{operation 'stablehlo.sort' is not supported}}
    %0 = "stablehlo.sort"(%x) ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      // What stands inside is not reported again.
      %p = stablehlo.compare LT, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    // expected-error@+1 {{a comparison in total order is not supported}}
    %t = stablehlo.compare LT, %x, %x, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    // expected-error@+1 {{call of 'cu_threefry2x32' is not supported}}
    %1 = stablehlo.custom_call @cu_threefry2x32(%0) : (tensor<4xf32>) -> tensor<4xf32>
    // expected-error@+1 {{operation 'arith.addf' is not supported}}
    %2 = arith.addf %0, %1 : tensor<4xf32>
    // expected-error@+1 {{the values of this constant were left out}}
    %3 = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>
    // expected-error@+2 {{a reduction of several tensors}}
    // expected-note@+1 {{rewrite the loss without these operations}}
    %4:2 = stablehlo.reduce(%x init: %s), (%i init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%a: tensor<f32>, %e: tensor<f32>) (%b: tensor<i32>, %f: tensor<i32>) {
      %5 = stablehlo.maximum %a, %e : tensor<f32>
      stablehlo.return %5, %b : tensor<f32>, tensor<i32>
    }
    return %2 : tensor<4xf32>
  }
}
