// RUN: boost-opt %s -boost-differentiate | FileCheck %s

// Ranks that repeat an operation repeat all operations that compute its
// gradients, elementwise ones too.

// CHECK-LABEL: func @gradient
// CHECK:       boost.phase backward
// CHECK:       stablehlo.multiply %{{.*}} {boost.spread = {tp = array<i64: -1, -1, -1>}} : tensor<4x8xf32>
// CHECK-NEXT:  stablehlo.subtract %{{.*}} {boost.spread = {tp = array<i64: -1, -1, -1>}} : tensor<4x8xf32>
// CHECK-NEXT:  stablehlo.multiply %{{.*}} {boost.spread = {tp = array<i64: -1, -1, -1>}} : tensor<4x8xf32>
// CHECK-NEXT:  return
func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "x">}) -> tensor<f32> {
  %h = stablehlo.tanh %x {boost.spread = {tp = array<i64: -1, -1>}} : tensor<4x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}
