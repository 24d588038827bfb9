// RUN: boost-opt %s -split-input-file | boost-opt -split-input-file | FileCheck %s
// RUN: boost-opt %s -split-input-file --mlir-print-op-generic | boost-opt -split-input-file | FileCheck %s
// Schedules of pipelines that are correct, and how they print.

// CHECK-LABEL: boost.schedule @train micro_batches 2
// CHECK: boost.call @forward_0 micro_batch 0 slot 0
// CHECK: boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
// CHECK: boost.transfer ["acc.w"] from 0 to 1
// CHECK-LABEL: boost.schedule @train
// CHECK: boost.transfer ["w"] from 0 to 1
// CHECK-LABEL: boost.schedule @evaluate
// CHECK: boost.transfer ["h", "d"] micro_batch 0 from 0 slot 1 to 1 slot 0
// CHECK: boost.transfer ["grad.w"] from 1 to 0
// CHECK-LABEL: boost.schedule @evaluate
// CHECK: boost.transfer ["h"] micro_batch 0

// 1F1B of two micro-batches on two stages that share a parameter.
func.func @forward_0(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @forward_1(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}, %a2: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "e">}, tensor<f32> {boost.tensor = #boost.tensor<loss "loss">})
    attributes {boost.stage = 1 : i64} {
  return %a0, %a1 : tensor<f32>, tensor<f32>
}
func.func @backward_1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "e">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}, %a2: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "d">}, tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0, %a1 : tensor<f32>, tensor<f32>
}
func.func @backward_0(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "d">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}, %a2: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @update_0(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a2: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">}, tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0, %a1, %a2 : tensor<f32>, tensor<f32>, tensor<f32>
}
func.func @update_1(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a2: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">}, tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0, %a1, %a2 : tensor<f32>, tensor<f32>, tensor<f32>
}
boost.schedule @train micro_batches 2 {
  boost.call @forward_0 micro_batch 0 slot 0
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
  boost.call @forward_0 micro_batch 1 slot 1
  boost.call @forward_1 micro_batch 0 slot 0
  boost.call @backward_1 micro_batch 0 slot 0
  boost.transfer ["d"] micro_batch 0 from 1 slot 0 to 0 slot 0
  boost.transfer ["h"] micro_batch 1 from 0 slot 1 to 1 slot 0
  boost.call @backward_0 micro_batch 0 slot 0
  boost.call @forward_1 micro_batch 1 slot 0
  boost.call @backward_1 micro_batch 1 slot 0
  boost.transfer ["d"] micro_batch 1 from 1 slot 0 to 0 slot 1
  boost.call @backward_0 micro_batch 1 slot 1
  boost.transfer ["acc.w"] from 0 to 1
  boost.transfer ["acc.w.1"] from 1 to 0
  boost.call @update_0
  boost.call @update_1
}

// -----

// One stage updates the parameter and sends it; a function without a stage runs
// on both.
func.func @r0(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) attributes {boost.stage = 0 : i64} {
  return
}
func.func @r1(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) attributes {boost.stage = 1 : i64} {
  return
}
func.func @w0(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @count(%a0: tensor<f32> {boost.tensor = #boost.tensor<state "n", kind = "n">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<state "n", kind = "n">}) {
  return %a0 : tensor<f32>
}
boost.schedule @train {
  boost.call @r0 micro_batch 0
  boost.call @r1 micro_batch 0
  boost.call @w0
  boost.transfer ["w"] from 0 to 1
  boost.call @count
}

// -----

// Several values in one transfer, a slot that is read twice, and a result that
// the other stage gets.
func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">}, tensor<f32> {boost.tensor = #boost.tensor<kept "d">})
    attributes {boost.stage = 0 : i64} {
  return %a0, %a1 : tensor<f32>, tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<kept "d">}) attributes {boost.stage = 1 : i64} {
  return
}
func.func @g1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @evaluate {
  boost.call @f0 micro_batch 0 slot 1
  boost.transfer ["h", "d"] micro_batch 0 from 0 slot 1 to 1 slot 0
  boost.call @f1 micro_batch 0 slot 0
  boost.call @g1 micro_batch 0 slot 0
  boost.transfer ["grad.w"] from 1 to 0
}

// -----

// At the runtime level functions name their tensors, and have no results.
func.func @f0() attributes {boost.inputs = ["x"], boost.outputs = ["h"], boost.stage = 0 : i64} {
  return
}
func.func @f1() attributes {boost.inputs = ["h"], boost.outputs = [], boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f0 micro_batch 0 slot 0
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
  boost.call @f1 micro_batch 0 slot 0
}
