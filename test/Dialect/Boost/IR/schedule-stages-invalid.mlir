// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Schedules of several pipeline stages in which sums, parameters or results
// differ from what the functions say together.

func.func @add(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u0(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u1(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.transfer' op sends the sum "acc.w" of stage 0, but no call before has added to it}}
  boost.transfer ["acc.w"] from 0 to 1
  boost.call @add micro_batch 0
  boost.call @u0
  boost.call @u1
}

// -----

func.func @add(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u0(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u1(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @train micro_batches 2 {
  boost.call @add micro_batch 0
  // expected-note @+1 {{transferred by this transfer}}
  boost.transfer ["acc.w"] from 0 to 1
  // expected-error @+1 {{'boost.call' op adds to the sum "acc.w" after a transfer of it}}
  boost.call @add micro_batch 1
  boost.call @u0
  boost.call @u1
}

// -----

func.func @add(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u0(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u1(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @train {
  boost.call @add micro_batch 0
  // expected-note @+1 {{taken by this call}}
  boost.call @u0
  // expected-error @+1 {{'boost.transfer' op expects the sum "acc.w" of stage 0 to be complete, but it was taken before}}
  boost.transfer ["acc.w"] from 0 to 1
  boost.call @u1
}

// -----

func.func @add(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u0(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u1(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @train {
  boost.call @add micro_batch 0
  boost.transfer ["acc.w"] from 0 to 1
  // expected-note @+1 {{taken by this call}}
  boost.call @u1
  // expected-error @+1 {{'boost.transfer' op expects the sum "acc.w" of stage 1 to be complete, but it was taken before}}
  boost.transfer ["acc.w"] from 0 to 1
  boost.call @u0
}

// -----

func.func @add(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u0(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u1(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @train {
  boost.call @add micro_batch 0
  // expected-note @+1 {{added to by this transfer}}
  boost.transfer ["acc.w"] from 0 to 1
  // expected-error @+1 {{'boost.transfer' op overwrites the sum "acc.w" of stage 1, which no call has taken}}
  boost.transfer ["acc.w"] from 0 to 1
  boost.call @u0
  boost.call @u1
}

// -----

func.func @add(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u0(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u1(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @train {
  boost.call @add micro_batch 0
  boost.call @u0
  // expected-error @+1 {{'boost.call' op takes the sum "acc.w" of stage 1, but no call before has added to it}}
  boost.call @u1
}

// -----

func.func @add(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u0(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u1(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.call' op adds to the sum "acc.w" of stage 0, which no later call takes}}
  boost.call @add micro_batch 0
  boost.transfer ["acc.w"] from 0 to 1
  boost.call @u1
}

// -----

func.func @add(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u0(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @a1(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @train {
  boost.call @add micro_batch 0
  // expected-error @+1 {{'boost.transfer' op adds to the sum "acc.w" of stage 1, which no later call takes}}
  boost.transfer ["acc.w"] from 0 to 1
  boost.call @u0
  boost.call @a1
}

// -----

func.func @add(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @u0(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @add1(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
func.func @u1(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @train {
  // expected-note @+1 {{added to by this call}}
  boost.call @add micro_batch 0
  // expected-error @+1 {{'boost.call' op adds to the sum "acc.w", to which stage 0 adds; give each stage an accumulator of its own name}}
  boost.call @add1 micro_batch 0
  boost.call @u0
  boost.call @u1
}

// -----

func.func @w0(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @r1(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @train {
  // expected-error @+1 {{'boost.transfer' op sends "w", but no call of stage 0 has replaced it}}
  boost.transfer ["w"] from 0 to 1
  boost.call @w0
  boost.call @r1 micro_batch 0
}

// -----

func.func @w0(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @r1(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @train {
  boost.call @w0
  // expected-note @+1 {{updated by this transfer}}
  boost.transfer ["w"] from 0 to 1
  // expected-error @+1 {{'boost.call' op reads the parameter "w" of stage 1 for a micro-batch after its update}}
  boost.call @r1 micro_batch 0
}

// -----

func.func @w0(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @w1(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @train {
  boost.call @w0
  // expected-note @+1 {{replaced by this call}}
  boost.call @w1
  // expected-error @+1 {{'boost.transfer' op replaces "w" of stage 1 for the second time}}
  boost.transfer ["w"] from 0 to 1
}

// -----

func.func @w0(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @w1(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @train {
  boost.call @w0
  // expected-note @+1 {{replaced by this transfer}}
  boost.transfer ["w"] from 0 to 1
  // expected-error @+1 {{'boost.call' op replaces "w" of stage 1 for the second time}}
  boost.call @w1
}

// -----

func.func @r0(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) attributes {boost.stage = 0 : i64} {
  return
}
func.func @w0(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @r1(%a0: tensor<f32> {boost.tensor = #boost.tensor<param "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @train {
  boost.call @r0 micro_batch 0
  // expected-error @+1 {{'boost.call' op reads the parameter "w" of stage 1, which the schedule leaves without an update}}
  boost.call @r1 micro_batch 0
  boost.call @w0
}

// -----

func.func @l1(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
func.func @l0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @evaluate {
  // expected-error @+1 {{'boost.transfer' op sends "loss", but no call of stage 1 has given it}}
  boost.transfer ["loss"] from 1 to 0
  boost.call @l1 micro_batch 0
  boost.call @l0 micro_batch 0
}

// -----

func.func @l1(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">})
    attributes {boost.stage = 1 : i64} {
  return %a0 : tensor<f32>
}
func.func @l0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
boost.schedule @evaluate {
  // expected-note @+1 {{given by this call}}
  boost.call @l0 micro_batch 0
  boost.call @l1 micro_batch 0
  // expected-error @+1 {{'boost.transfer' op overwrites "loss" of stage 0}}
  boost.transfer ["loss"] from 1 to 0
}
