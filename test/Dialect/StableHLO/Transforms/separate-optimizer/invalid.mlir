// RUN: boost-opt %s -split-input-file -boost-separate-optimizer -verify-diagnostics
// One update, of one block.

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

// expected-error @below {{expects an update of one block, but 'sgd' has 0}}
func.func private @sgd(tensor<f32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">})
