// RUN: boost-opt %s -split-input-file -boost-separate-optimizer -verify-diagnostics
// One update, of one block, that calls nothing.

#g = #boost.tensor<gradient "grad.w", of = "w">
// expected-note @below {{the other one is here}}
func.func @one(%g: tensor<f32> {boost.tensor = #g}) {
  return
}
// expected-error @below {{expects one function that takes gradients, but got 2}}
func.func @other(%g: tensor<f32> {boost.tensor = #g}) {
  return
}

// -----

func.func private @half(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @sgd(%g: tensor<f32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">}) {
  // expected-error @below {{expects an update without calls, but it calls 'half'}}
  %0 = func.call @half(%g) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// expected-error @below {{expects an update of one block, but 'sgd' has 0}}
func.func private @sgd(tensor<f32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">})
