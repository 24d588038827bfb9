// RUN: boost-opt %s --boost-split-stages | FileCheck %s

// Numbers of two stages that meet: every stage gets each of them as a sum over
// stages, to which the others add zero. All take part in the same order.

// CHECK-LABEL: func.func @update_0
// CHECK: %[[G:.*]] = stablehlo.reduce(
// CHECK-NOT: stablehlo.reduce(
// CHECK: %[[FIRST:.*]] = boost.sum_over_stages %[[G]] meeting {{[0-9]+}} on @mesh axes = [0]
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[SECOND:.*]] = boost.sum_over_stages %[[ZERO]] meeting {{[0-9]+}} on @mesh axes = [0]
// CHECK: stablehlo.add %[[FIRST]], %[[SECOND]]
// CHECK-LABEL: func.func @update_1
// CHECK: %[[H:.*]] = stablehlo.reduce(
// CHECK-NOT: stablehlo.reduce(
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[FIRST:.*]] = boost.sum_over_stages %[[ZERO]] meeting {{[0-9]+}} on @mesh axes = [0]
// CHECK: %[[SECOND:.*]] = boost.sum_over_stages %[[H]] meeting {{[0-9]+}} on @mesh axes = [0]
// CHECK: stablehlo.add %[[FIRST]], %[[SECOND]]

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @accumulate(
      %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %sw: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
      %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">}) {
    %0 = stablehlo.multiply %x, %w {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    %1 = stablehlo.multiply %0, %v {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    boost.phase backward
    %tv = stablehlo.add %sv, %1 {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    %tw = stablehlo.add %sw, %0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    return %tw, %tv : tensor<4xf32>, tensor<4xf32>
  }
  func.func @update(
      %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %sw: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">}) {
    %none = stablehlo.constant dense<0.0> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %g = stablehlo.reduce(%sw init: %none) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %h = stablehlo.reduce(%sv init: %none) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %both = stablehlo.add %g, %h : tensor<f32>
    %norm = stablehlo.sqrt %both : tensor<f32>
    %scale = stablehlo.broadcast_in_dim %norm, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %w1 = stablehlo.multiply %w, %scale : tensor<4xf32>
    %dv = stablehlo.multiply %sv, %scale : tensor<4xf32>
    %v1 = stablehlo.subtract %v, %dv : tensor<4xf32>
    return %w1, %v1, %zero, %zero : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  boost.schedule @train {
    boost.call @accumulate micro_batch 0
    boost.call @update
  }
}
