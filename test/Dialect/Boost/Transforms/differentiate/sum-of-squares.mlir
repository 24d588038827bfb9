// RUN: boost-opt %s -boost-differentiate | FileCheck %s
// Of the squares added up, those of the batch have no gradient, and nothing is computed for one.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %[[W:[a-z0-9]+]]: tensor<4xf32>
// CHECK:         boost.phase backward
// CHECK-NOT:     tensor<3xf32>
// CHECK:         %[[G:.*]] = stablehlo.multiply %{{.*}}, %[[W]] : tensor<4xf32>
// CHECK-NEXT:    return %{{.*}}, %[[G]]
func.func @loss(%x: tensor<3xf32> {boost.tensor = #boost.tensor<batch "x">},
                %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
  %0 = boost.sum_of_squares %x, %w : (tensor<3xf32>, tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
