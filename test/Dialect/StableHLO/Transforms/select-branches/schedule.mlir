// RUN: boost-opt %s -boost-select-branches | FileCheck %s
// In the module of an optimizer, what a count chooses is left to the schedule;
// what a gradient chooses, and what a constant chooses, is not.

// CHECK-LABEL: module @optimizer
// CHECK:         %[[A:.*]] = "stablehlo.case"(%arg1)
// CHECK-NOT:     "stablehlo.case"
// CHECK:         stablehlo.sine
// CHECK:         stablehlo.select
// CHECK:         stablehlo.cosine
module @optimizer {
  func.func @update(
      %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
      %n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">},
      %g: tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %first = stablehlo.slice %g [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %one = stablehlo.reshape %first : (tensor<1xf32>) -> tensor<f32>
    %by_gradient = stablehlo.convert %one : (tensor<f32>) -> tensor<i32>
  %a = "stablehlo.case"(%n) ({
      %1 = stablehlo.subtract %w, %g : tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }, {
      %1 = stablehlo.tanh %g : tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %b = "stablehlo.case"(%by_gradient) ({
      %1 = stablehlo.add %a, %g : tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }, {
      %1 = stablehlo.sine %a : tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %c = "stablehlo.case"(%zero) ({
      %1 = stablehlo.cosine %b : tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }, {
      %1 = stablehlo.log %b : tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    return %c : tensor<4xf32>
  }
}
