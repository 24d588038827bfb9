// RUN: boost-opt %s -split-input-file -verify-diagnostics
// A choice whose functions cannot stand for each other, or whose index is not
// one number that is known before.

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects at least two functions to choose from, but got 1}}
  boost.choose @parity among [@one]
}

// -----

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects different functions, but got @one twice}}
  boost.choose @parity among [@one, @one]
}

// -----

func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects a function of the module, but got @parity}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects a function of the module, but got @two}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  return %0 : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects @parity to take only scalars that are states or hyper-parameters, but it takes the param "w" of type 'tensor<4xf32>'}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%n: tensor<2xi32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  return %0 : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects @parity to take only scalars that are states or hyper-parameters, but it takes the state "count" of type 'tensor<2xi32>'}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%n: tensor<i64> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i64> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i64>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects @parity to return one 'tensor<i32>' of the role output, but it returns 'tensor<i64>'}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects @parity to return one 'tensor<i32>' of the role output, but it returns 'tensor<i32>'}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<8xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<8xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<8xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects @two to take what @one does, but number 0 differs}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}, %lr: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects @two to take what @one does, but number 1 differs}}
  boost.choose @parity among [@one, @two]
}

// -----

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">, boost.sharding = #boost.sharding<{"tp"}>})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects @two to take what @one does, but number 0 differs}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects @two to give what @one does, but number 0 differs}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}, %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}, %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects functions without batch and kept values, but @one has some}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    attributes {boost.stage = 0 : i64} {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects @two to belong to stage 0, but it belongs to no pipeline stage}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">})
    attributes {boost.stage = 1 : i64} {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    attributes {boost.stage = 1 : i64} {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    attributes {boost.stage = 1 : i64} {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op expects @parity to belong to no pipeline stage, but it belongs to stage 1}}
  boost.choose @parity among [@one, @two]
}

// -----

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  // expected-note @+1 {{replaced by this call}}
  boost.choose @parity among [@one, @two]
  // expected-error @+1 {{'boost.call' op replaces "w" for the second time}}
  boost.call @one
}

// -----

func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
  %0 = stablehlo.constant dense<0.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @two(%s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
  %0 = stablehlo.constant dense<0.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
boost.schedule @train {
  // expected-error @+1 {{'boost.choose' op takes the sum "acc.w", but no call before has added to it}}
  boost.choose @parity among [@one, @two]
}
