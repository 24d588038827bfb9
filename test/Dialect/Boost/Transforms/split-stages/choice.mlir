// RUN: boost-opt %s --boost-split-stages > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: boost-eval --compare %s %t.mlir --function=train --steps=3 | FileCheck %s --check-prefix=EQUAL
// EQUAL: 4 results equal

// Each update that a step chooses from is divided. Each stage chooses among its
// own functions by the same index, and these take and give the same tensors,
// although @plain does not read the gradient of v.

// CHECK-LABEL: func.func @parity
// CHECK-NOT: boost.stage
// CHECK-LABEL: func.func @plain_0
// CHECK-LABEL: func.func @plain_1
// CHECK-SAME: "acc.v"
// CHECK-LABEL: func.func @scaled_0
// CHECK: boost.sum_over_stages
// CHECK-LABEL: func.func @scaled_1
// CHECK-SAME: "acc.v"
// CHECK: boost.sum_over_stages
// CHECK: boost.choose @parity among [@plain_0, @scaled_0]
// CHECK-NEXT: boost.choose @parity among [@plain_1, @scaled_1]

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
  func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count", init = "zeros">})
      -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %odd = stablehlo.and %n, %one : tensor<i32>
    return %odd : tensor<i32>
  }
  func.func @plain(
      %n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count", init = "zeros">},
      %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %sw: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">})
      -> (tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count", init = "zeros">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">}) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %n1 = stablehlo.add %n, %one : tensor<i32>
    %w1 = stablehlo.subtract %w, %sw : tensor<4xf32>
    %v1 = stablehlo.subtract %v, %v : tensor<4xf32>
    return %n1, %w1, %v1, %zero, %zero : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func @scaled(
      %n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count", init = "zeros">},
      %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %sw: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">})
      -> (tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count", init = "zeros">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">}) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %n1 = stablehlo.add %n, %one : tensor<i32>
    %none = stablehlo.constant dense<0.0> : tensor<f32>
    %square = stablehlo.multiply %sw, %sw : tensor<4xf32>
    %g = stablehlo.reduce(%square init: %none) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %scale = stablehlo.broadcast_in_dim %g, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %w1 = stablehlo.multiply %w, %scale : tensor<4xf32>
    %dv = stablehlo.multiply %sv, %scale : tensor<4xf32>
    %v1 = stablehlo.subtract %v, %dv : tensor<4xf32>
    return %n1, %w1, %v1, %zero, %zero : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  boost.schedule @train {
    boost.call @accumulate micro_batch 0
    boost.choose @parity among [@plain, @scaled]
  }
}
