// RUN: boost-opt %s -boost-differentiate | FileCheck %s

// The elements that attain a maximum share its gradient.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %[[A:.*]]: tensor<8xf32> {
// CHECK:         %[[MAX:.*]] = stablehlo.reduce(%[[A]]
// CHECK:         boost.phase backward
// CHECK:         %[[ONE:.*]] = stablehlo.constant dense<1.0
// CHECK:         %[[SPREAD:.*]] = stablehlo.broadcast_in_dim %[[MAX]], dims = []
// CHECK:         %[[ATTAINED:.*]] = stablehlo.compare EQ, %[[A]], %[[SPREAD]]
// CHECK:         %[[ONES:.*]] = stablehlo.convert %[[ATTAINED]] : (tensor<8xi1>) -> tensor<8xf32>
// CHECK:         %[[COUNT:.*]] = stablehlo.reduce(%[[ONES]] init: %{{.*}}) applies stablehlo.add
// CHECK:         %[[SHARE:.*]] = stablehlo.divide %[[ONE]], %[[COUNT]]
// CHECK:         %[[SHARES:.*]] = stablehlo.broadcast_in_dim %[[SHARE]], dims = []
// CHECK:         %[[GA:.*]] = stablehlo.select %[[ATTAINED]], %[[SHARES]], %{{.*}}
// CHECK:         return %[[MAX]], %[[GA]]
func.func @loss(%a: tensor<8xf32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [0]
      : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
