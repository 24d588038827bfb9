// RUN: boost-opt %s -split-input-file -boost-add-optimizer -verify-diagnostics

// expected-error @below {{expects a function @gradient, but there is none: run boost-differentiate first}}
module {
}

// -----

// expected-error @below {{expects the loss and one gradient for each of 1 parameters, but got 1 results}}
func.func @gradient(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  return %a : tensor<f32>
}

// -----

// expected-error @below {{expects 'decay' of every parameter, but "a" has none: run boost-classify-parameters first}}
func.func @gradient(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> (tensor<f32>, tensor<f32>) {
  return %a, %a : tensor<f32>, tensor<f32>
}

// -----

// A scalar parameter of this name would share its memory with the rate.
// expected-error @+2 {{expects unique names, but a param and a hyper are both called "hyper.lr"}}
// expected-note @+1 {{rename the argument: training uses this name itself}}
func.func @gradient(%a: tensor<f32> {boost.tensor = #boost.tensor<param "hyper.lr", decay = true>}) -> (tensor<f32>, tensor<f32>) {
  return %a, %a : tensor<f32>, tensor<f32>
}

// -----

// expected-error @+2 {{expects unique names, but a param and a metric are both called "grad_norm"}}
// expected-note @+1 {{rename the argument: training uses this name itself}}
func.func @gradient(%a: tensor<f32> {boost.tensor = #boost.tensor<param "grad_norm", decay = true>}) -> (tensor<f32>, tensor<f32>) {
  return %a, %a : tensor<f32>, tensor<f32>
}
