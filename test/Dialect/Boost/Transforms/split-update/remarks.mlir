// RUN: boost-opt %s -boost-split-update -verify-diagnostics | FileCheck %s
// One number is fixed, that whose branches have most operations.

// CHECK-LABEL: func @update_0
// CHECK-COUNT-2: "stablehlo.case"
// CHECK-LABEL: func @update_1
// CHECK-COUNT-2: "stablehlo.case"
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
  %two = stablehlo.constant dense<2> : tensor<i32>
  %odd = stablehlo.remainder %n, %two : tensor<i32>
  %a = "stablehlo.case"(%index) ({
    %1 = stablehlo.subtract %w, %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %2 = stablehlo.negate %s : tensor<4xf32>
    %1 = stablehlo.sine %2 : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  // expected-remark @+1 {{all branches are computed in each step, although a count chooses one: the update is split by another number}}
  %b = "stablehlo.case"(%odd) ({
    %1 = stablehlo.subtract %a, %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.cosine %a : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  // expected-remark @+1 {{all branches are computed in each step, although a count chooses one: there are 5, and an update is split into at most 4 functions}}
  %c = "stablehlo.case"(%n) ({
    %1 = stablehlo.subtract %w, %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.sine %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.cosine %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.tanh %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.negate %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %r = stablehlo.add %b, %c : tensor<4xf32>
  return %r, %zeros : tensor<4xf32>, tensor<4xf32>
}
boost.schedule @train {
  boost.call @accumulate micro_batch 0
  boost.call @update
}
