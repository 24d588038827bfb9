// RUN: boost-opt %s -split-input-file -boost-differentiate | FileCheck %s

// What a broadcast repeats is summed: new dimensions and those of size 1 in one
// reduction; bf16 in f32.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         %[[G:.*]] = stablehlo.multiply {{.*}} : tensor<2x3x4xbf16>
// CHECK-NEXT:    %[[WIDE:.*]] = stablehlo.convert %[[G]] : (tensor<2x3x4xbf16>) -> tensor<2x3x4xf32>
// CHECK:         %[[SUM:.*]] = stablehlo.reduce(%[[WIDE]] init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1]
// CHECK-NEXT:    %[[ROUNDED:.*]] = stablehlo.convert %[[SUM]] : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT:    %[[GA:.*]] = stablehlo.reshape %[[ROUNDED]] : (tensor<4xbf16>) -> tensor<1x4xbf16>
// CHECK-NEXT:    return %{{.*}}, %[[GA]]
func.func @loss(%a: tensor<1x4xbf16> {boost.tensor = #boost.tensor<param "a">},
                %x: tensor<2x3x4xbf16> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<bf16> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<1x4xbf16>) -> tensor<2x3x4xbf16>
  %1 = stablehlo.multiply %0, %x : tensor<2x3x4xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<2x3x4xbf16>, tensor<bf16>) -> tensor<bf16>
  return %2 : tensor<bf16>
}

// -----

// The halves of a rotary embedding: slices become pads, concatenation slices.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         %[[LOW:.*]] = stablehlo.slice %{{.*}} [0:2, 0:2]
// CHECK:         %[[HIGH:.*]] = stablehlo.slice %{{.*}} [0:2, 2:4]
// CHECK:         stablehlo.pad %[[HIGH]], %{{.*}}, low = [0, 0], high = [0, 2], interior = [0, 0]
// CHECK:         stablehlo.pad %[[LOW]], %{{.*}}, low = [0, 2], high = [0, 0], interior = [0, 0]
func.func @loss(%a: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "a">},
                %x: tensor<2x4xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %0 = stablehlo.slice %a [0:2, 2:4] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.slice %a [0:2, 0:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %3 = stablehlo.multiply %2, %x : tensor<2x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
  return %4 : tensor<f32>
}
