// RUN: boost-opt %s -boost-split-update -verify-diagnostics | FileCheck %s
// The update of a pipeline is split like any other: boost-split-stages divides
// each of the functions.

// CHECK:         func.func @choose_update
// CHECK:         boost.choose @choose_update among [@update_0, @update_1]
shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
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
  %index = stablehlo.convert %late : (tensor<i1>) -> tensor<i32>
  %r = "stablehlo.case"(%index) ({
    %1 = stablehlo.subtract %w, %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.sine %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %r, %zeros : tensor<4xf32>, tensor<4xf32>
}
boost.schedule @train {
  boost.call @accumulate micro_batch 0
  boost.call @update
}
