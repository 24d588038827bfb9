// RUN: boost-eval %s --function=train | FileCheck %s
// RUN: boost-eval %s --function=train --steps=2 | FileCheck %s --check-prefix=TWO
// RUN: sed 's/return %new, %zero/return %new, %old/' %s > %t.kept.mlir
// RUN: not boost-eval %t.kept.mlir --function=train 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: sed '/%both.*ONE/s/boost.sum_over_stages %number meeting 0 on @mesh axes = ..../stablehlo.sqrt %number/' %s > %t.alone.mlir
// RUN: not boost-eval %t.alone.mlir --function=train 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: sed '/%both.*ONE/s/meeting 0/meeting 1/' %s > %t.other.mlir
// RUN: not boost-eval %t.other.mlir --function=train 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/"pp"/"tp"/' %s > %t.axis.mlir
// RUN: not boost-eval %t.axis.mlir --function=train 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not boost-eval %s --function=train --steps=0 2>&1 | FileCheck %s --check-prefix=STEPS

// A schedule is evaluated on all ranks. Each of two stages adds up its part of
// two micro-batches, whose rows the batch has one behind the other, and they
// meet in a sum over stages.

// CHECK: loss : tensor<f32>
// CHECK: w : tensor<2xf32>
// CHECK: v : tensor<2xf32>
// TWO: w : tensor<2xf32>

// KEPT: error: expects the sum 'acc.{{[wv]}}' to be zero at the end, but on rank {{[01]}} it has
// ALONE: error: 'boost.sum_over_stages' op reads a value of rank 1, which runs another function
// OTHER: error: 'boost.sum_over_stages' op waits for the ranks of @update_1, which do not take part in it
// OTHER: note: they are here
// AXIS: error: expects a mesh with axis "pp"
// STEPS: boost-eval: error: --steps expects a number of 1 or more, without --probes

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @forward_0(
      %w: tensor<2xf32> {boost.tensor = #boost.tensor<param "w">},
      %x: tensor<2xf32> {boost.tensor = #boost.tensor<batch "x">})
      -> (tensor<2xf32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 0 : i64} {
    %h = stablehlo.multiply %x, %w : tensor<2xf32>
    return %h : tensor<2xf32>
  }
  func.func @backward_1(
      %v: tensor<2xf32> {boost.tensor = #boost.tensor<param "v">},
      %old: tensor<2xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
      %h: tensor<2xf32> {boost.tensor = #boost.tensor<kept "h">})
      -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">},
          tensor<2xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
          tensor<2xf32> {boost.tensor = #boost.tensor<kept "d">}) attributes {boost.stage = 1 : i64} {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %y = stablehlo.multiply %h, %v : tensor<2xf32>
    %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %new = stablehlo.add %old, %h : tensor<2xf32>
    return %loss, %new, %v : tensor<f32>, tensor<2xf32>, tensor<2xf32>
  }
  func.func @backward_0(
      %old: tensor<2xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %x: tensor<2xf32> {boost.tensor = #boost.tensor<batch "x">},
      %d: tensor<2xf32> {boost.tensor = #boost.tensor<kept "d">})
      -> (tensor<2xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) attributes {boost.stage = 0 : i64} {
    %g = stablehlo.multiply %x, %d : tensor<2xf32>
    %new = stablehlo.add %old, %g : tensor<2xf32>
    return %new : tensor<2xf32>
  }
  func.func @update_0(
      %w: tensor<2xf32> {boost.tensor = #boost.tensor<param "w">},
      %old: tensor<2xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
      -> (tensor<2xf32> {boost.tensor = #boost.tensor<param "w">},
          tensor<2xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) attributes {boost.stage = 0 : i64} {
    %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
    %number = boost.sum_of_squares %old : (tensor<2xf32>) -> tensor<f32>
    %both = boost.sum_over_stages %number meeting 0 on @mesh axes = [0] : tensor<f32>
    %factor = stablehlo.broadcast_in_dim %both, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %change = stablehlo.divide %old, %factor : tensor<2xf32>
    %new = stablehlo.subtract %w, %change : tensor<2xf32>
    return %new, %zero : tensor<2xf32>, tensor<2xf32>
  }
  func.func @update_1(
      %v: tensor<2xf32> {boost.tensor = #boost.tensor<param "v">},
      %old: tensor<2xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">})
      -> (tensor<2xf32> {boost.tensor = #boost.tensor<param "v">},
          tensor<2xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">}) attributes {boost.stage = 1 : i64} {
    %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
    %number = boost.sum_of_squares %old : (tensor<2xf32>) -> tensor<f32>
    %both = boost.sum_over_stages %number meeting 0 on @mesh axes = [0] : tensor<f32> // ONE
    %factor = stablehlo.broadcast_in_dim %both, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %change = stablehlo.divide %old, %factor : tensor<2xf32>
    %new = stablehlo.subtract %v, %change : tensor<2xf32>
    return %new, %zero : tensor<2xf32>, tensor<2xf32>
  }
  boost.schedule @train micro_batches 2 {
    boost.call @forward_0 micro_batch 0 slot 0
    boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
    boost.call @forward_0 micro_batch 1 slot 1
    boost.call @backward_1 micro_batch 0 slot 0
    boost.transfer ["d"] micro_batch 0 from 1 slot 0 to 0 slot 0
    boost.call @backward_0 micro_batch 0 slot 0
    boost.transfer ["h"] micro_batch 1 from 0 slot 1 to 1 slot 0
    boost.call @backward_1 micro_batch 1 slot 0
    boost.transfer ["d"] micro_batch 1 from 1 slot 0 to 0 slot 1
    boost.call @backward_0 micro_batch 1 slot 1
    boost.call @update_0
    boost.call @update_1
  }
}
