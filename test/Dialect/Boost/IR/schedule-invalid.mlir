// RUN: boost-opt %s -split-input-file -verify-diagnostics
// A schedule that computes something else than its functions say together.

// expected-error @+1 {{'boost.schedule' op expects at least one call, but got none}}
boost.schedule @train {
}

// -----

boost.schedule @train {
  // expected-error @+1 {{'boost.phase' op is no part of a schedule: expects boost.call, boost.choose and boost.transfer only}}
  boost.phase backward
}

// -----

boost.schedule @train {
  // expected-error @+1 {{'boost.call' op expects a function of the module, but got @step}}
  boost.call @step micro_batch 0
}

// -----

// expected-note @+1 {{the function is here}}
func.func @step(%x: tensor<f32>) {
  return
}
boost.schedule @train {
  // expected-error @+1 {{'boost.call' op expects 'boost.tensor' on argument 0 of @step, but got none}}
  boost.call @step
}

// -----

func.func @loss(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) {
  return
}
boost.schedule @evaluate {
  // expected-error @+1 {{'boost.call' op expects a micro_batch: @loss has batch or kept value}}
  boost.call @loss
}

// -----

func.func @update(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">}) {
  return
}
boost.schedule @evaluate {
  // expected-error @+1 {{'boost.call' op expects no micro_batch: @update has no batch or kept value}}
  boost.call @update micro_batch 0
}

// -----

func.func @loss(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) {
  return
}
boost.schedule @evaluate {
  // expected-error @+1 {{'boost.call' op expects no slot: @loss keeps no values and reads none}}
  boost.call @loss micro_batch 0 slot 0
}

// -----

func.func @forward(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) {
  return %x : tensor<f32>
}
boost.schedule @evaluate {
  // expected-error @+1 {{'boost.call' op expects a slot: @forward keeps values or reads kept ones}}
  boost.call @forward micro_batch 0
}

// -----

func.func @loss(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) {
  return
}
boost.schedule @evaluate micro_batches 2 {
  boost.call @loss micro_batch 0
  boost.call @loss micro_batch 1
  // expected-error @+1 {{'boost.call' op expects a micro_batch below the 2 of the schedule, but got 2}}
  boost.call @loss micro_batch 2
}

// -----

func.func @loss(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) {
  return
}
boost.schedule @evaluate micro_batches 2 {
  // expected-error @+1 {{'boost.call' op expects micro_batch 0 of @loss next, but got 1}}
  boost.call @loss micro_batch 1
  boost.call @loss micro_batch 0
}

// -----

func.func @loss(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) {
  return
}
boost.schedule @evaluate micro_batches 2 {
  // expected-note @+1 {{the call before is here}}
  boost.call @loss micro_batch 0
  // expected-error @+1 {{'boost.call' op expects micro_batch 1 of @loss next, but got 0}}
  boost.call @loss micro_batch 0
}

// -----

func.func @loss(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) {
  return
}
boost.schedule @evaluate micro_batches 2 {
  // expected-error @+1 {{'boost.call' op is the last of @loss, but the schedule has 2 micro-batches}}
  boost.call @loss micro_batch 0
}

// -----

func.func @forward(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) {
  return %x : tensor<f32>
}
boost.schedule @evaluate micro_batches 2 {
  // expected-note @+1 {{kept by this call}}
  boost.call @forward micro_batch 0 slot 0
  // expected-error @+1 {{'boost.call' op keeps "h" in slot 0 before the value there was read; use another slot}}
  boost.call @forward micro_batch 1 slot 0
}

// -----

func.func @forward(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) {
  return %x : tensor<f32>
}
boost.schedule @evaluate {
  // expected-error @+1 {{'boost.call' op keeps "h" in slot 0, which no later call reads}}
  boost.call @forward micro_batch 0 slot 0
}

// -----

func.func @backward(%h: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) {
  return
}
boost.schedule @evaluate {
  // expected-error @+1 {{'boost.call' op reads "h" from slot 1, but no call kept it there}}
  boost.call @backward micro_batch 0 slot 1
}

// -----

func.func @forward(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) {
  return %x : tensor<f32>
}
func.func @backward(%h: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) {
  return
}
boost.schedule @evaluate micro_batches 2 {
  boost.call @forward micro_batch 0 slot 0
  // expected-note @+1 {{kept by this call}}
  boost.call @forward micro_batch 1 slot 1
  // expected-error @+1 {{'boost.call' op expects "h" of micro-batch 0 in slot 1, but that has micro-batch 1}}
  boost.call @backward micro_batch 0 slot 1
  boost.call @backward micro_batch 1 slot 0
}

// -----

func.func @add(%s: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
               %x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
  return %x : tensor<f32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.call' op adds to the sum "acc.w", which no later call takes}}
  boost.call @add micro_batch 0
}

// -----

func.func @update(%s: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
  return %s : tensor<f32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.call' op takes the sum "acc.w", but no call before has added to it}}
  boost.call @update
}

// -----

func.func @add(%s: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
               %x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
  return %x : tensor<f32>
}
func.func @update(%s: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
  return %s : tensor<f32>
}
boost.schedule @train micro_batches 2 {
  boost.call @add micro_batch 0
  // expected-note @+1 {{taken by this call}}
  boost.call @update
  // expected-error @+1 {{'boost.call' op expects the sum "acc.w" to be complete, but it was taken before}}
  boost.call @add micro_batch 1
}

// -----

func.func @update(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<f32>
}
boost.schedule @train {
  // expected-note @+1 {{replaced by this call}}
  boost.call @update
  // expected-error @+1 {{'boost.call' op replaces "w" for the second time}}
  boost.call @update
}

// -----

func.func @loss(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                %x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) {
  return
}
func.func @update(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<f32>
}
boost.schedule @train {
  // expected-note @+1 {{updated by this call}}
  boost.call @update
  // expected-error @+1 {{'boost.call' op reads the parameter "w" for a micro-batch after its update}}
  boost.call @loss micro_batch 0
}

// -----

func.func @update(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                  %v: tensor<f32> {boost.tensor = #boost.tensor<param "v">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<f32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.call' op reads the parameter "v", which the schedule leaves without an update}}
  boost.call @update
}

// -----

func.func @forward(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) {
  return %w : tensor<f32>
}
boost.schedule @evaluate {
  // expected-error @+1 {{'boost.call' op expects a micro_batch: @forward has batch or kept value}}
  boost.call @forward slot 0
}
