// RUN: boost-opt %s --boost-split-stages | FileCheck %s

// A number that only the stage of its tensors reads, such as the norm of a
// factor, is not sent to others.

// CHECK-LABEL: func.func @update_0
// CHECK: boost.sum_of_squares
// CHECK-NOT: sum_of_squares
// CHECK-NOT: sum_over_stages
// CHECK-LABEL: func.func @update_1
// CHECK: boost.sum_of_squares
// CHECK-NOT: sum_of_squares
// CHECK-NOT: sum_over_stages

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
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %g = boost.sum_of_squares %sw : (tensor<4xf32>) -> tensor<f32>
    %h = boost.sum_of_squares %sv : (tensor<4xf32>) -> tensor<f32>
    %gs = stablehlo.broadcast_in_dim %g, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %hs = stablehlo.broadcast_in_dim %h, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %w1 = stablehlo.multiply %w, %gs : tensor<4xf32>
    %v1 = stablehlo.multiply %v, %hs : tensor<4xf32>
    return %w1, %v1, %zero, %zero : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  boost.schedule @train {
    boost.call @accumulate micro_batch 0
    boost.call @update
  }
}
