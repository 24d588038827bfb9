// RUN: boost-opt %s --boost-split-stages > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: boost-eval --compare %s %t.mlir --function=train --steps=2 | FileCheck %s --check-prefix=EQUAL
// EQUAL: 2 results equal

// Small tensors of several stages that are computed at once, row by row: each
// stage computes its rows, two ranges of them here. A sum over the rows is a
// number of both stages.

// CHECK-LABEL: func.func @update_0
// CHECK-NOT: tensor<4x4xf32>
// CHECK: %[[ROW:.*]] = stablehlo.reshape
// CHECK: stablehlo.multiply %[[ROW]], %{{.*}} : tensor<1x4xf32>
// CHECK: boost.sum_over_stages
// CHECK-NOT: tensor<4x4xf32>
// CHECK-LABEL: func.func @update_1
// CHECK-NOT: tensor<4x4xf32>
// CHECK: stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK: %[[LOW:.*]] = stablehlo.slice %{{.*}} [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
// CHECK-NOT: tensor<4x4xf32>

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
    %row = stablehlo.constant dense<[0.5, 1.0, 1.5, 2.0]> : tensor<4xf32>
    %gw = stablehlo.reshape %sw : (tensor<4xf32>) -> tensor<1x4xf32>
    %gv = stablehlo.reshape %sv : (tensor<4xf32>) -> tensor<1x4xf32>
    %ww = stablehlo.reshape %w : (tensor<4xf32>) -> tensor<1x4xf32>
    %all = stablehlo.concatenate %gw, %gv, %gv, %ww, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
    %rows = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
    %scaled = stablehlo.multiply %all, %rows : tensor<4x4xf32>
    %sum = stablehlo.reduce(%scaled init: %none) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %0 = stablehlo.slice %scaled [0:1, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.slice %scaled [2:3, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %dw = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
    %dv = stablehlo.reshape %1 : (tensor<1x4xf32>) -> tensor<4xf32>
    %norm = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %tw = stablehlo.multiply %dw, %norm : tensor<4xf32>
    %tv = stablehlo.multiply %dv, %norm : tensor<4xf32>
    %w1 = stablehlo.subtract %w, %tw : tensor<4xf32>
    %v1 = stablehlo.subtract %v, %tv : tensor<4xf32>
    return %w1, %v1, %zero, %zero : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  boost.schedule @train {
    boost.call @accumulate micro_batch 0
    boost.call @update
  }
}
