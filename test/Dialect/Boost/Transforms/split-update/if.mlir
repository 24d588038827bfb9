// RUN: boost-opt %s -boost-split-update | FileCheck %s
// Function 1 is that of the true branch, which is the first region.

// CHECK-LABEL: func @choose_update
// CHECK:         stablehlo.convert %{{.*}} : (tensor<i1>) -> tensor<i32>
// CHECK-LABEL: func @update_0
// CHECK-NOT:     stablehlo.sine
// CHECK-LABEL: func @update_1
// CHECK:         stablehlo.sine
func.func @accumulate(
    %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">},
    %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
  %0 = stablehlo.add %s, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @update(
    %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
    %n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">},
    %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
    %lr: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
        tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
  boost.phase optimizer
  %zeros = stablehlo.constant dense<0.0> : tensor<4xf32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %late = stablehlo.compare GT, %n, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = "stablehlo.if"(%late) ({
    %1 = stablehlo.sine %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    stablehlo.return %w : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r, %zeros : tensor<4xf32>, tensor<4xf32>
}
boost.schedule @train {
  boost.call @accumulate micro_batch 0
  boost.call @update
}
