// RUN: boost-opt %s -boost-differentiate | FileCheck %s

// Gradients that reach a value over several ways are added, without zeros.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %[[A:.*]]: tensor<f32> {boost.tensor = #boost.tensor<param
// CHECK:         %[[EXP:.*]] = stablehlo.exponential %[[A]]
// CHECK:         %[[SIN:.*]] = stablehlo.sine %[[A]]
// CHECK:         boost.phase backward
// CHECK:         %[[ONE:.*]] = stablehlo.constant dense<1.0
// CHECK:         %[[COS:.*]] = stablehlo.cosine %[[A]]
// CHECK:         %[[G1:.*]] = stablehlo.multiply %[[ONE]], %[[COS]]
// CHECK:         %[[G2:.*]] = stablehlo.multiply %[[ONE]], %[[EXP]]
// CHECK:         %[[SUM:.*]] = stablehlo.add %[[G1]], %[[G2]]
// CHECK:         return %{{.*}}, %[[SUM]]
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  %0 = stablehlo.exponential %a : tensor<f32>
  %1 = stablehlo.sine %a : tensor<f32>
  %2 = stablehlo.add %0, %1 : tensor<f32>
  return %2 : tensor<f32>
}
