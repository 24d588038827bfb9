// RUN: boost-opt %s -boost-differentiate | FileCheck %s

// A product that all ranks repeat, whose gradients they share.

// CHECK-LABEL: func @gradient
// CHECK:       boost.phase backward
// CHECK:       stablehlo.dot_general %{{.*}} {boost.spread = {tp = array<i64: 1, -1, 0>}} : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
    %down: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "down">}) -> tensor<f32> {
  %h = boost.linear %x, %down
      {boost.spread = {tp = array<i64: -1, -1, -1>}, boost.gradient_spread = {tp = array<i64: 1, 0, -1>}}
      : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}
