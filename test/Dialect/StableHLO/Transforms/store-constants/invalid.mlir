// RUN: boost-opt %s -split-input-file --boost-store-constants -verify-diagnostics

// expected-error @+2 {{expects the value of the constant "c" of type 'tensor<2xf32>' in 'boost.constants' of the module, but got none}}
// expected-note @+1 {{export the argument as "frozen" with an 'init' or an array; only constants of the loss are "stored"}}
func.func @loss(%c: tensor<2xf32> {boost.tensor = #boost.tensor<frozen "c", init = "stored">}) -> tensor<2xf32> {
  return %c : tensor<2xf32>
}

// -----

module attributes {boost.constants = {c = dense<[5.0, 6.0]> : tensor<2xf64>}} {
  // expected-error @+2 {{expects the value of the constant "c" of type 'tensor<2xf32>' in 'boost.constants' of the module, but got one of type 'tensor<2xf64>'}}
  // expected-note @+1 {{export the argument as "frozen" with an 'init' or an array}}
  func.func @loss(%c: tensor<2xf32> {boost.tensor = #boost.tensor<frozen "c", init = "stored">}) -> tensor<2xf32> {
    return %c : tensor<2xf32>
  }
}
