// RUN: boost-opt %s --boost-split-stages > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: boost-eval --compare %s %t.mlir --function=train --steps=2 | FileCheck %s --check-prefix=EQUAL
// EQUAL: 2 results equal

// Tensors that are made of numbers of one stage, such as a factor that is
// broadcast, are made on every stage that reads them, from the numbers as they
// are shared. Whether something is true is shared as a number, too.

// CHECK-LABEL: func.func @update_0
// CHECK: %[[G:.*]] = stablehlo.reduce(
// CHECK: %[[FACTOR:.*]] = stablehlo.sqrt %[[G]]
// CHECK: %[[SHARED:.*]] = boost.sum_over_stages %[[FACTOR]] meeting {{[0-9]+}} on @mesh axes = [0]
// CHECK: stablehlo.convert %{{.*}} : (tensor<i1>) -> tensor<f32>
// CHECK: boost.sum_over_stages
// CHECK-LABEL: func.func @update_1
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[SHARED:.*]] = boost.sum_over_stages %[[ZERO]] meeting {{[0-9]+}} on @mesh axes = [0]
// CHECK: %[[BROADCAST:.*]] = stablehlo.broadcast_in_dim %[[SHARED]], dims = []
// CHECK: stablehlo.multiply %{{.*}}, %[[BROADCAST]]
// CHECK: %[[ANY:.*]] = boost.sum_over_stages
// CHECK: %[[TRUE:.*]] = stablehlo.compare {{ *}}NE, %[[ANY]]
// CHECK: stablehlo.select %[[TRUE]]

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
    %false = stablehlo.constant dense<false> : tensor<i1>
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %square = stablehlo.multiply %sw, %sw : tensor<4xf32>
    %g = stablehlo.reduce(%square init: %none) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %norm = stablehlo.sqrt %g : tensor<f32>
    %scale = stablehlo.broadcast_in_dim %norm, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %w1 = stablehlo.multiply %w, %scale : tensor<4xf32>
    %dv = stablehlo.multiply %sv, %scale : tensor<4xf32>
    %v1 = stablehlo.subtract %v, %dv : tensor<4xf32>
    %large = stablehlo.compare GT, %sw, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %any = stablehlo.reduce(%large init: %false) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
    %v2 = stablehlo.select %any, %v1, %v : tensor<i1>, tensor<4xf32>
    return %w1, %v2, %zero, %zero : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  boost.schedule @train {
    boost.call @accumulate micro_batch 0
    boost.call @update
  }
}
