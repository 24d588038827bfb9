// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Transfers between pipeline stages that are malformed, or that bring kept values
// to a wrong place.

boost.schedule @evaluate {
  // expected-error @+1 {{'boost.transfer' op expects the name of at least one tensor, but got none}}
  boost.transfer [] from 0 to 1
}

// -----

boost.schedule @evaluate {
  // expected-error @+1 {{'boost.transfer' op expects different names, but got "h" twice}}
  boost.transfer ["h", "v", "h"] from 0 to 1
}

// -----

boost.schedule @evaluate {
  // expected-error @+1 {{'boost.transfer' op expects two stages, or two slots of one, but got stage 1 twice}}
  boost.transfer ["h"] from 1 to 1
}

// -----

boost.schedule @evaluate {
  // expected-error @+1 {{'boost.transfer' op expects a slot of both stages where it has a micro_batch, and none where it has not}}
  boost.transfer ["h"] micro_batch 0 from 0 to 1
}

// -----

boost.schedule @evaluate {
  // expected-error @+1 {{'boost.transfer' op expects a slot of both stages where it has a micro_batch, and none where it has not}}
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1
}

// -----

boost.schedule @evaluate {
  // expected-error @+1 {{'boost.transfer' op expects a slot of both stages where it has a micro_batch, and none where it has not}}
  boost.transfer ["h"] micro_batch 0 from 0 to 1 slot 0
}

// -----

boost.schedule @evaluate {
  // expected-error @+1 {{'boost.transfer' op expects a slot of both stages where it has a micro_batch, and none where it has not}}
  boost.transfer ["h"] from 0 slot 0 to 1 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f0 micro_batch 0 slot 0
  // expected-note @+2 {{'boost.stage' of a function says its stage}}
  // expected-error @+1 {{'boost.transfer' op names stage 2, but the schedule calls no function of it}}
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 2 slot 0
  boost.call @f1 micro_batch 0 slot 0
}

// -----

func.func @f(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) {
  return %a0 : tensor<f32>
}
boost.schedule @evaluate {
  boost.call @f micro_batch 0 slot 0
  // expected-note @+2 {{'boost.stage' of a function says its stage}}
  // expected-error @+1 {{'boost.transfer' op names stage 0, but the schedule calls no function of it}}
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f0 micro_batch 0 slot 0
  // expected-error @+1 {{'boost.transfer' op names "h", but no function of stage 1 does}}
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
  boost.call @f1 micro_batch 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<4xf32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f0 micro_batch 0 slot 0
  // expected-error @+1 {{'boost.transfer' op expects the same "h" on both stages, but got kept 'tensor<f32>' on stage 0 and kept 'tensor<4xf32>' on stage 1}}
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
  boost.call @f1 micro_batch 0 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<state "h", kind = "n">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f0 micro_batch 0 slot 0
  // expected-error @+1 {{'boost.transfer' op expects the same "h" on both stages, but got kept 'tensor<f32>' on stage 0 and state 'tensor<f32>' on stage 1}}
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
  boost.call @f1 micro_batch 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f0 micro_batch 0 slot 0
  // expected-error @+1 {{'boost.transfer' op expects a micro_batch below the 1 of the schedule, but got 1}}
  boost.transfer ["h"] micro_batch 1 from 0 slot 0 to 1 slot 0
  boost.call @f1 micro_batch 0 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f0 micro_batch 0 slot 0
  // expected-error @+1 {{'boost.transfer' op expects a micro_batch and slots: "h" is a kept value}}
  boost.transfer ["h"] from 0 to 1
  boost.call @f1 micro_batch 0 slot 0
}

// -----

func.func @add(%a0: tensor<f32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %a1: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
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
  // expected-error @+1 {{'boost.transfer' op expects no micro_batch and no slots: "acc.w" is no kept value}}
  boost.transfer ["acc.w"] micro_batch 0 from 0 slot 0 to 1 slot 0
  boost.call @u1
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) attributes {boost.stage = 0 : i64} {
  return
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f0 micro_batch 0
  // expected-error @+1 {{'boost.transfer' op sends "x", which no call changes: every stage has it}}
  boost.transfer ["x"] from 0 to 1
  boost.call @f1 micro_batch 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  // expected-note @+1 {{stage 0 has it; a boost.transfer brings it here}}
  boost.call @f0 micro_batch 0 slot 0
  // expected-error @+1 {{'boost.call' op reads "h" from slot 0 of stage 1, but no call kept it there}}
  boost.call @f1 micro_batch 0 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  // expected-error @+1 {{'boost.transfer' op reads "h" from slot 0 of stage 0, but no call kept it there}}
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
  boost.call @f0 micro_batch 0 slot 0
  boost.call @f1 micro_batch 0 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f0 micro_batch 0 slot 0
  // expected-error @+1 {{'boost.transfer' op reads "h" from slot 1 of stage 0, but no call kept it there}}
  boost.transfer ["h"] micro_batch 0 from 0 slot 1 to 1 slot 0
  boost.call @f1 micro_batch 0 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  // expected-note @+1 {{stage 0 has it; a boost.transfer brings it here}}
  boost.call @f0 micro_batch 0 slot 0
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 1
  // expected-error @+1 {{'boost.call' op reads "h" from slot 0 of stage 1, but no call kept it there}}
  boost.call @f1 micro_batch 0 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate micro_batches 2 {
  // expected-note @+1 {{kept by this call}}
  boost.call @f0 micro_batch 0 slot 0
  // expected-error @+1 {{'boost.transfer' op expects "h" of micro-batch 1 in slot 0 of stage 0, but that has micro-batch 0}}
  boost.transfer ["h"] micro_batch 1 from 0 slot 0 to 1 slot 0
  boost.call @f0 micro_batch 1 slot 0
  boost.call @f1 micro_batch 0 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate micro_batches 2 {
  boost.call @f0 micro_batch 0 slot 0
  boost.call @f0 micro_batch 1 slot 1
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
  // expected-note @+1 {{kept by this transfer}}
  boost.transfer ["h"] micro_batch 1 from 0 slot 1 to 1 slot 1
  // expected-error @+1 {{'boost.call' op expects "h" of micro-batch 0 in slot 1 of stage 1, but that has micro-batch 1}}
  boost.call @f1 micro_batch 0 slot 1
  boost.call @f1 micro_batch 1 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate micro_batches 2 {
  boost.call @f0 micro_batch 0 slot 0
  // expected-note @+1 {{kept by this transfer}}
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
  boost.call @f0 micro_batch 1 slot 0
  // expected-error @+1 {{'boost.transfer' op keeps "h" in slot 0 of stage 1 before the value there was read; use another slot}}
  boost.transfer ["h"] micro_batch 1 from 0 slot 0 to 1 slot 0
  boost.call @f1 micro_batch 0 slot 0
  boost.call @f1 micro_batch 1 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate micro_batches 2 {
  // expected-note @+1 {{kept by this call}}
  boost.call @f0 micro_batch 0 slot 0
  // expected-error @+1 {{'boost.call' op keeps "h" in slot 0 of stage 0 before the value there was read; use another slot}}
  boost.call @f0 micro_batch 1 slot 0
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @f1(%a0: tensor<f32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f0 micro_batch 0 slot 0
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
  boost.call @f1 micro_batch 0 slot 0
  // expected-error @+1 {{'boost.transfer' op keeps "h" in slot 1 of stage 1, which no later call reads}}
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 1
}

// -----

func.func @f0(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<kept "h">})
    attributes {boost.stage = 0 : i64} {
  return %a0 : tensor<f32>
}
func.func @g1(%a0: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) attributes {boost.stage = 1 : i64} {
  return
}
boost.schedule @evaluate {
  // expected-error @+1 {{'boost.call' op keeps "h" in slot 0 of stage 0, which no later call reads}}
  boost.call @f0 micro_batch 0 slot 0
  boost.call @g1 micro_batch 0
}
