// RUN: boost-opt %s -boost-split-update -verify-diagnostics | FileCheck %s
// A branch that a gradient chooses is not known before the update: it stays as
// it is, without a word.

// CHECK-NOT:   func @choose_update
// CHECK-LABEL: func @update(
// CHECK:         "stablehlo.case"
// CHECK:         boost.call @update
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
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %large = stablehlo.compare GT, %sum, %lr : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %by_norm = stablehlo.convert %large : (tensor<i1>) -> tensor<i32>
  %r = "stablehlo.case"(%by_norm) ({
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
