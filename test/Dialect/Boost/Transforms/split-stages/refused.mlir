// RUN: boost-opt %s --boost-split-stages --split-input-file --verify-diagnostics

// An update that combines tensors of two stages.
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
    // expected-error@+1 {{expects the update to combine tensors of one pipeline stage, and only numbers of several, but operand 1 is a 'tensor<4xf32>' of stage 1}}
    %both = stablehlo.add %sw, %sv : tensor<4xf32>
    %w1 = stablehlo.subtract %w, %both : tensor<4xf32>
    return %w1, %v, %zero, %zero : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  boost.schedule @train {
    boost.call @accumulate micro_batch 0
    boost.call @update
  }
}

// -----

// An update that reorders rows of both stages.
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
    %gw = stablehlo.reshape %sw : (tensor<4xf32>) -> tensor<1x4xf32>
    %gv = stablehlo.reshape %sv : (tensor<4xf32>) -> tensor<1x4xf32>
    // expected-note@+1 {{a 'tensor<2x4xf32>' has these rows}}
    %all = stablehlo.concatenate %gw, %gv, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    // expected-error@+1 {{expects the update to combine tensors of one pipeline stage, and only numbers of several, but 'stablehlo.reverse' combines rows of several stages}}
    %turned = stablehlo.reverse %all, dims = [0] : tensor<2x4xf32>
    %0 = stablehlo.slice %turned [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %w1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
    return %w1, %v, %zero, %zero : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  boost.schedule @train {
    boost.call @accumulate micro_batch 0
    boost.call @update
  }
}

// -----

// A state of no parameter, computed from a gradient of one stage.
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
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
      %turn: tensor<4xf32> {boost.tensor = #boost.tensor<state "turn", kind = "turn", init = "zeros">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
          tensor<4xf32> {boost.tensor = #boost.tensor<state "turn", kind = "turn", init = "zeros">}) {
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    // expected-error@+2 {{expects 'turn', which is on every pipeline stage, to be made of numbers, but it is computed from a tensor of stage 0}}
    // expected-note@+1 {{a state is on the stage of a parameter if it belongs to this parameter}}
    %turn1 = stablehlo.add %turn, %sw : tensor<4xf32>
    return %w, %v, %zero, %zero, %turn1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  boost.schedule @train {
    boost.call @accumulate micro_batch 0
    boost.call @update
  }
}

// -----

// A state with rows of both stages.
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
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
      %turn: tensor<2x4xf32> {boost.tensor = #boost.tensor<state "turn", kind = "turn", init = "zeros">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
          tensor<2x4xf32> {boost.tensor = #boost.tensor<state "turn", kind = "turn", init = "zeros">}) {
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %gw = stablehlo.reshape %sw : (tensor<4xf32>) -> tensor<1x4xf32>
    %gv = stablehlo.reshape %sv : (tensor<4xf32>) -> tensor<1x4xf32>
    %all = stablehlo.concatenate %gw, %gv, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    // expected-error@+2 {{expects 'turn' to be of one pipeline stage, but its rows are of several}}
    // expected-note@+1 {{a state is on the stage of a parameter if it belongs to this parameter}}
    %turn1 = stablehlo.negate %all : tensor<2x4xf32>
    return %w, %v, %zero, %zero, %turn1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>
  }
  boost.schedule @train {
    boost.call @accumulate micro_batch 0
    boost.call @update
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @one(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "y">}) {
    return %x : tensor<4xf32>
  }
  func.func @other(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "z">}) {
    return %x : tensor<4xf32>
  }
  // expected-error@+1 {{expects at most one function of micro-batches and one update, but got @one and @other}}
  boost.schedule @evaluate {
    boost.call @one micro_batch 0
    boost.call @other micro_batch 0
  }
}
