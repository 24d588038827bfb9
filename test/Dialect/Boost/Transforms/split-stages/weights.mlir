// RUN: boost-opt %s --boost-split-stages=order=zb-h1 > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: boost-eval --compare %s %t.mlir --function=train | FileCheck %s --check-prefix=EQUAL
// EQUAL: 3 results equal

// Between the gradients of inputs and those of weights the least is kept: the
// product of the matrix waits with its operand %d, but the sum over tokens does
// not, for which %e would be kept.

// CHECK-LABEL: func.func @accumulate_backward_1
// CHECK-SAME: -> (tensor<64x4xf32> {boost.tensor = #boost.tensor<kept "kept.train.[[STREAM:[0-9]+]]">}, tensor<64x4xf32> {boost.tensor = #boost.tensor<kept "kept.train.[[D:[0-9]+]]">}, tensor<4xf32> {boost.tensor = #boost.tensor<kept "kept.train.[[SUM:[0-9]+]]">})
// CHECK: stablehlo.reduce
// CHECK-LABEL: func.func @accumulate_weights_1
// CHECK-NOT: stablehlo.reduce
// CHECK: stablehlo.dot_general

#l0 = #boost.layer<class = 0, index = 0>
#l1 = #boost.layer<class = 0, index = 1>

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @accumulate(
      %x: tensor<64x4xf32> {boost.tensor = #boost.tensor<batch "x">},
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %w: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "w">},
      %gamma: tensor<4xf32> {boost.tensor = #boost.tensor<param "gamma">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
      %sw: tensor<4x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %sg: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.gamma", of = "gamma">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
          tensor<4x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.gamma", of = "gamma">}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %b = stablehlo.broadcast_in_dim %v, dims = [1] {boost.layer = #l0} : (tensor<4xf32>) -> tensor<64x4xf32>
    %0 = stablehlo.add %x, %b {boost.layer = #l0} : tensor<64x4xf32>
    %g = stablehlo.broadcast_in_dim %gamma, dims = [1] {boost.layer = #l1} : (tensor<4xf32>) -> tensor<64x4xf32>
    %1 = stablehlo.multiply %0, %g {boost.layer = #l1} : tensor<64x4xf32>
    %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] {boost.layer = #l1} : (tensor<64x4xf32>, tensor<4x4xf32>) -> tensor<64x4xf32>
    boost.phase backward
    %d = stablehlo.negate %2 {boost.layer = #l1} : tensor<64x4xf32>
    %gw = stablehlo.dot_general %1, %d, contracting_dims = [0] x [0] {boost.layer = #l1} : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<4x4xf32>
    %e = stablehlo.dot_general %d, %w, contracting_dims = [1] x [1] {boost.layer = #l1} : (tensor<64x4xf32>, tensor<4x4xf32>) -> tensor<64x4xf32>
    %p = stablehlo.multiply %e, %0 {boost.layer = #l1} : tensor<64x4xf32>
    %gg = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0] {boost.layer = #l1} : (tensor<64x4xf32>, tensor<f32>) -> tensor<4xf32>
    %f = stablehlo.multiply %e, %g {boost.layer = #l1} : tensor<64x4xf32>
    %gv = stablehlo.reduce(%f init: %zero) applies stablehlo.add across dimensions = [0] {boost.layer = #l0} : (tensor<64x4xf32>, tensor<f32>) -> tensor<4xf32>
    %nv = stablehlo.add %sv, %gv {boost.component = "gradients"} : tensor<4xf32>
    %nw = stablehlo.add %sw, %gw {boost.component = "gradients"} : tensor<4x4xf32>
    %ng = stablehlo.add %sg, %gg {boost.component = "gradients"} : tensor<4xf32>
    return %nv, %nw, %ng : tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>
  }
  func.func @update(
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %w: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "w">},
      %gamma: tensor<4xf32> {boost.tensor = #boost.tensor<param "gamma">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
      %sw: tensor<4x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %sg: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.gamma", of = "gamma">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
          tensor<4x4xf32> {boost.tensor = #boost.tensor<param "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "gamma">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
          tensor<4x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.gamma", of = "gamma">}) {
    boost.phase optimizer
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %zeros = stablehlo.constant dense<0.0> : tensor<4x4xf32>
    %nv = stablehlo.subtract %v, %sv : tensor<4xf32>
    %nw = stablehlo.subtract %w, %sw : tensor<4x4xf32>
    %ng = stablehlo.subtract %gamma, %sg : tensor<4xf32>
    return %nv, %nw, %ng, %zero, %zeros, %zero : tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>
  }
  boost.schedule @train micro_batches 2 {
    boost.call @accumulate micro_batch 0
    boost.call @accumulate micro_batch 1
    boost.call @update
  }
}
