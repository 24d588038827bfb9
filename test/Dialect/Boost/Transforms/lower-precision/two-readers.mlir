// RUN: boost-opt %s -boost-lower-precision=precision=bf16 | FileCheck %s
// A value that a product reads as it is, and sums and functions as f32: it is converted once. A declaration stays.

// CHECK-LABEL: func private @declared(tensor<4xf32>) -> tensor<4xf32>
// CHECK-LABEL: func @loss
// CHECK:         %[[Y:.*]] = boost.linear %{{.*}} -> tensor<4x8xbf16>
// CHECK-NEXT:    %[[W:.*]] = stablehlo.convert %[[Y]] : (tensor<4x8xbf16>) -> tensor<4x8xf32>
// CHECK-NEXT:    boost.linear %[[Y]], %{{.*}} -> tensor<4x8xbf16>
// CHECK:         stablehlo.reduce(%[[W]]
// CHECK:         stablehlo.exponential %[[W]] : tensor<4x8xf32>
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func @loss(%w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">}, %v: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "v">}, %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %z = boost.linear %y, %v : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %e = stablehlo.exponential %y : tensor<4x8xf32>
  return %z, %s, %e : tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>
}
