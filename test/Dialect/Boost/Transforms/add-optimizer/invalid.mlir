// RUN: boost-opt %s -split-input-file -boost-add-optimizer -verify-diagnostics

// expected-error @below {{expects a function @gradient, but there is none: run boost-differentiate first}}
module {
}

// -----

// expected-error @below {{expects the loss and one gradient for each of 1 parameters, but got 1 results}}
func.func @gradient(%a: tensor<f32> {boost.arg = "param", boost.name = "a"}) -> tensor<f32> {
  return %a : tensor<f32>
}

// -----

// expected-error @below {{expects boost.name on every parameter, but argument 0 has none}}
func.func @gradient(%a: tensor<f32> {boost.arg = "param"}) -> (tensor<f32>, tensor<f32>) {
  return %a, %a : tensor<f32>, tensor<f32>
}

// -----

// expected-error @below {{expects boost.decay on every parameter, but argument 0 has none: run boost-classify-parameters first}}
func.func @gradient(%a: tensor<f32> {boost.arg = "param", boost.name = "a"}) -> (tensor<f32>, tensor<f32>) {
  return %a, %a : tensor<f32>, tensor<f32>
}
