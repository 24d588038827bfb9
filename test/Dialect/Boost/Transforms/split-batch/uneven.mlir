// RUN: boost-opt %s -split-input-file -verify-diagnostics -boost-split-batch="micro-batches=4"

// Two sequences in each row, of which a micro-batch has one.
func.func @loss(%x: tensor<4x3xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+2 {{'stablehlo.reshape' combines sequences otherwise than by a sum}}
  // expected-note@+1 {{leave out --micro-batches}}
  %y = stablehlo.reshape %x : (tensor<4x3xf32>) -> tensor<2x6xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
