// RUN: boost-opt %s -boost-split-update | FileCheck %s
// All branches of one index are fixed together, and so is what else its
// predicate decides.

// CHECK-NOT:   func @update(
// CHECK-LABEL: func @choose_update(%arg0: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
// CHECK-SAME:      -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice.update">})
// CHECK:         boost.phase optimizer
// CHECK:         %[[LATE:.*]] = stablehlo.compare GT, %arg0
// CHECK-NEXT:    %[[INDEX:.*]] = stablehlo.convert %[[LATE]]
// CHECK-NEXT:    return %[[INDEX]]
// CHECK-LABEL: func @update_0(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}, %arg1: tensor<i32> {{.*}}, %arg2: tensor<4xf32> {{.*}}, %arg3: tensor<f32>
// CHECK-NOT:     stablehlo.sine
// CHECK:         %[[A:.*]] = stablehlo.subtract %arg0, %arg2
// CHECK:         %[[B:.*]] = stablehlo.exponential %arg0
// CHECK-NOT:     stablehlo.select
// CHECK:         %[[R:.*]] = stablehlo.multiply %[[B]], %[[A]]
// CHECK:         return %[[R]]
// CHECK-LABEL: func @update_1(
// CHECK-NOT:     stablehlo.add
// CHECK:         %[[A:.*]] = stablehlo.sine %arg2
// CHECK-NOT:     stablehlo.select
// CHECK:         %[[R:.*]] = stablehlo.multiply %[[A]], %[[A]]
// CHECK:         return %[[R]]
// CHECK-LABEL: boost.schedule @train {
// CHECK-NEXT:    boost.call @accumulate micro_batch 0
// CHECK-NEXT:    boost.choose @choose_update among [@update_0, @update_1]
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
  %a = "stablehlo.case"(%index) ({
    %1 = stablehlo.subtract %w, %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.sine %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %b = "stablehlo.case"(%index) ({
    %1 = stablehlo.exponential %w : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.add %w, %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %wide = stablehlo.broadcast_in_dim %late, dims = [] : (tensor<i1>) -> tensor<4xi1>
  %c = stablehlo.select %wide, %a, %b : tensor<4xi1>, tensor<4xf32>
  %r = stablehlo.multiply %c, %a : tensor<4xf32>
  return %r, %zeros : tensor<4xf32>, tensor<4xf32>
}
boost.schedule @train {
  boost.call @accumulate micro_batch 0
  boost.call @update
}
