// RUN: boost-opt %s -split-input-file --boost-normalize-entry=max-arguments=2 -verify-diagnostics
// Programs of too many arguments are refused.

// expected-error@+2 {{expects at most 2 arguments of the loss, but got 3}}
// expected-note@+1 {{stack parameters of one shape, and let the loss take slices of them}}
func.func @main(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
