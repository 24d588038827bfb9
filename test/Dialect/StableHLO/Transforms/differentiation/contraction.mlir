// RUN: boost-opt %s -split-input-file -boost-differentiate | FileCheck %s

// Activations times a weight: both gradients without a transpose.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4xf32> {{{[^%]*}}, %[[W:.*]]: tensor<4x5xf32> {{{[^%]*}}, %[[G:.*]]: tensor<2x3x5xf32> {
// CHECK:         boost.phase backward
// CHECK:         %[[GY:.*]] = stablehlo.multiply %{{.*}}, %[[G]]
// CHECK:         %[[GX:.*]] = stablehlo.dot_general %[[GY]], %[[W]], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT]
// CHECK:         %[[GW:.*]] = stablehlo.dot_general %[[X]], %[[GY]], contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT]
// CHECK-NOT:     stablehlo.transpose
// CHECK:         return %{{.*}}, %[[GX]], %[[GW]]
func.func @loss(%x: tensor<2x3x4xf32> {boost.tensor = #boost.tensor<param "x">}, %w: tensor<4x5xf32> {boost.tensor = #boost.tensor<param "w">},
                %g: tensor<2x3x5xf32> {boost.tensor = #boost.tensor<batch "g">}) -> tensor<f32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT]
      : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %1 = stablehlo.multiply %0, %g : tensor<2x3x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<2x3x5xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// Batches that stand behind other dimensions come out first and go back by a
// transpose.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         stablehlo.dot_general {{.*}}, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] {{.*}} -> tensor<2x6x4x8xf32>
// CHECK:         stablehlo.transpose {{.*}}, dims = [0, 2, 1, 3] : (tensor<2x6x4x8xf32>) -> tensor<2x4x6x8xf32>
func.func @loss(%q: tensor<2x4x6x8xf32> {boost.tensor = #boost.tensor<param "q">},
                %k: tensor<2x5x6x8xf32> {boost.tensor = #boost.tensor<batch "k">}) -> tensor<f32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
      : (tensor<2x4x6x8xf32>, tensor<2x5x6x8xf32>) -> tensor<2x6x4x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3]
      : (tensor<2x6x4x5xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
