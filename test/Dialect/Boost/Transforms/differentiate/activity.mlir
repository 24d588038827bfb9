// RUN: boost-opt %s -boost-differentiate | FileCheck %s

// Only what lies between a parameter and the loss is differentiated: not the
// branch of the batch, even through an operation that has no gradient, and not
// a result that is not the loss.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">})
// CHECK:         %[[T:.*]] = stablehlo.tanh
// CHECK:         boost.phase backward
// CHECK-NOT:     stablehlo.{{tanh|sine|cosine}}
// CHECK:         %[[GW:.*]] = stablehlo.multiply %{{.*}}, %[[T]] : tensor<4xf32>
// CHECK-NEXT:    return %{{.*}}, %[[GW]] : tensor<f32>, tensor<4xf32>
func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">},
                %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "aux">}, tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4xi32>) -> tensor<4xf32>
  %2 = stablehlo.tanh %1 : tensor<4xf32>
  %3 = stablehlo.multiply %w, %2 : tensor<4xf32>
  %aux = stablehlo.sine %w : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %aux, %4 : tensor<4xf32>, tensor<f32>
}
