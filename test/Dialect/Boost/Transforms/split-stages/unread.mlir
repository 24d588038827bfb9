// RUN: boost-opt %s --boost-split-stages=order=zb-h1 > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: boost-eval --compare %s %t.mlir --function=train --steps=2 | FileCheck %s --check-prefix=EQUAL
// EQUAL: 4 results equal

// One stage updates a parameter that the loss does not read (%u), one whose sum
// stays as it is (%t), and one whose gradient is a constant (%v): the stage that
// has its sum. A call that adds a constant gradient reads nothing of a
// micro-batch, but is of one: it names the batch.

// CHECK-LABEL: func.func @accumulate_weights_1
// CHECK-SAME: boost.tensor<accumulator "acc.v", of = "v">
// CHECK-SAME: %[[BATCH:[a-z0-9]+]]: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}
// CHECK-NOT: %[[BATCH]]
// CHECK: stablehlo.add
// CHECK-LABEL: func.func @update_0
// CHECK-SAME: boost.tensor<param "u">
// CHECK-SAME: boost.tensor<param "t">
// CHECK-LABEL: func.func @update_1
// CHECK-NOT: boost.tensor<param "u">
// CHECK-SAME: boost.tensor<param "v">
// CHECK: boost.schedule

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @accumulate(
      %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %u: tensor<4xf32> {boost.tensor = #boost.tensor<param "u">},
      %t: tensor<4xf32> {boost.tensor = #boost.tensor<param "t">},
      %sw: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
      %su: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.u", of = "u">},
      %st: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.t", of = "t">},
      %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.u", of = "u">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.t", of = "t">}) {
    %one = stablehlo.constant dense<1.0> : tensor<4xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %0 = stablehlo.multiply %x, %w {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    %1 = stablehlo.add %0, %v {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    boost.phase backward
    %tv = stablehlo.add %sv, %one {boost.component = "gradients"} : tensor<4xf32>
    %tu = stablehlo.add %su, %zero {boost.component = "gradients"} : tensor<4xf32>
    %gw = stablehlo.multiply %x, %v {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    %tw = stablehlo.add %sw, %gw {boost.component = "gradients", boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    return %tw, %tv, %tu, %st : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func @update(
      %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %u: tensor<4xf32> {boost.tensor = #boost.tensor<param "u">},
      %t: tensor<4xf32> {boost.tensor = #boost.tensor<param "t">},
      %sw: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
      %su: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.u", of = "u">},
      %st: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.t", of = "t">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "u">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "t">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.u", of = "u">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.t", of = "t">}) {
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %w1 = stablehlo.subtract %w, %sw : tensor<4xf32>
    %v1 = stablehlo.subtract %v, %sv : tensor<4xf32>
    %u1 = stablehlo.subtract %u, %su : tensor<4xf32>
    %t1 = stablehlo.subtract %t, %st : tensor<4xf32>
    return %w1, %v1, %u1, %t1, %zero, %zero, %zero, %zero : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  boost.schedule @train micro_batches 2 {
    boost.call @accumulate micro_batch 0
    boost.call @accumulate micro_batch 1
    boost.call @update
  }
}
