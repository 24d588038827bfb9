// RUN: boost-opt %s -boost-differentiate | FileCheck %s

// A weighted sum: @loss stays, @gradient returns the loss and the gradient of
// its parameter, and the backward pass begins at the marker.

// CHECK-LABEL: func @loss
// CHECK-NOT:     boost.phase
// CHECK-LABEL: func @gradient
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">}, %[[Y:.*]]: tensor<4xf32> {boost.tensor = #boost.tensor<batch "y">}
// CHECK-SAME:    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.x", of = "x">})
// CHECK:         stablehlo.multiply %[[X]], %[[Y]]
// CHECK:         %[[LOSS:.*]] = stablehlo.reduce
// CHECK:         boost.phase backward
// CHECK:         %[[ONE:.*]] = stablehlo.constant dense<1.0
// CHECK:         %[[G:.*]] = stablehlo.broadcast_in_dim %[[ONE]], dims = []
// CHECK:         %[[GX:.*]] = stablehlo.multiply %[[G]], %[[Y]]
// CHECK-NOT:     stablehlo.multiply
// CHECK:         return %[[LOSS]], %[[GX]]
func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">},
                %y: tensor<4xf32> {boost.tensor = #boost.tensor<batch "y">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
