// RUN: boost-opt %s -boost-differentiate | FileCheck %s
// RUN: boost-opt %s -boost-differentiate -boost-add-optimizer -boost-build-step | FileCheck %s --check-prefix=STEP

// A frozen parameter has no gradient, and its product is not differentiated by
// it; the step reads it and returns no new value.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">},
// CHECK-SAME:        tensor<4x8xf32> {boost.tensor = #boost.tensor<gradient "grad.a", of = "a">}) {
// CHECK:         boost.phase backward
// CHECK-COUNT-1: dot_general
// CHECK-NOT:     dot_general
// CHECK:         return

// STEP-LABEL: func @step
// STEP-SAME:    #boost.tensor<param "a"
// STEP-SAME:    #boost.tensor<frozen "w"
// STEP-NOT:     frozen
// STEP-NOT:     "w"
func.func @loss(%x: tensor<2x4xf32> {boost.tensor = #boost.tensor<batch "x">},
                %w: tensor<4x8xf32> {boost.tensor = #boost.tensor<frozen "w">},
                %a: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "a", decay = true>}) -> tensor<f32> {
  %0 = boost.linear %x, %w : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %1 = boost.linear %x, %a : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
