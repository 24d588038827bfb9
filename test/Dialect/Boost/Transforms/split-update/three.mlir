// RUN: boost-opt %s -boost-split-update | FileCheck %s
// An index that is out of range means the last of three branches.

// CHECK-LABEL: func @choose_update
// CHECK-DAG:     %[[LAST:.*]] = stablehlo.constant dense<2>
// CHECK-DAG:     %[[ZERO:.*]] = stablehlo.constant dense<0>
// CHECK:         %[[INDEX:.*]] = stablehlo.subtract %arg0
// CHECK:         %[[BEFORE:.*]] = stablehlo.compare LT, %[[INDEX]], %[[ZERO]]
// CHECK:         %[[MOST:.*]] = stablehlo.minimum %[[INDEX]], %[[LAST]]
// CHECK:         %[[POSITION:.*]] = stablehlo.select %[[BEFORE]], %[[LAST]], %[[MOST]]
// CHECK:         return %[[POSITION]]
// CHECK-LABEL: func @update_0
// CHECK:         stablehlo.subtract
// CHECK-LABEL: func @update_1
// CHECK:         stablehlo.sine
// CHECK-LABEL: func @update_2
// CHECK:         stablehlo.cosine
// CHECK:         boost.choose @choose_update among [@update_0, @update_1, @update_2]

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
  %two = stablehlo.constant dense<2> : tensor<i32>
  %index = stablehlo.subtract %n, %two : tensor<i32>
  %r = "stablehlo.case"(%index) ({
    %1 = stablehlo.subtract %w, %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.sine %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.cosine %s : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %r, %zeros : tensor<4xf32>, tensor<4xf32>
}
boost.schedule @train {
  boost.call @accumulate micro_batch 0
  boost.call @update
}
