// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Discardable attributes have one form and one place each, and no other name.

// expected-error @+1 {{has an attribute 'boost.placment' that boost does not know on operations}}
module attributes {boost.placment = "auto"} {}

// -----

// expected-error @+1 {{expects 'boost.arena_bytes' to be an i64 of at least 0, but got -1}}
module attributes {boost.arena_bytes = -1 : i64} {}

// -----

// expected-error @+1 {{expects 'boost.arena_bytes' to be an i64 of at least 0, but got 64 : i32}}
module attributes {boost.arena_bytes = 64 : i32} {}

// -----

// expected-error @+1 {{expects 'boost.constants' to be a dictionary of dense elements, but got {c = 1 : i64}}}
module attributes {boost.constants = {c = 1}} {}

// -----

// expected-error @+1 {{expects 'boost.initial_values' to be a string, but got 1 : i64}}
module attributes {boost.initial_values = 1} {}

// -----

// expected-error @+1 {{expects 'boost.level' to be "spmd", but got "graph"}}
module attributes {boost.level = "graph"} {}

// -----

// expected-error @+1 {{expects 'boost.memory' to be a memory plan, but got 64 : i64}}
module attributes {boost.memory = 64} {}

// -----

// expected-error @+1 {{expects 'boost.memory' to be a memory plan, but got {kept = "all"}}
module attributes {boost.memory = {peak = 64, unused = 0, kept = "all"}} {}

// -----

// expected-error @+1 {{expects 'boost.memory' to be a memory plan, but got {peak = 64}}
module attributes {boost.memory = {peak = 64}} {}

// -----

// expected-error @+1 {{expects 'boost.memory' to be a memory plan, but got {largest = [1]}}
module attributes {boost.memory = {peak = 64, unused = 0, largest = [1]}} {}

// -----

// expected-error @+1 {{expects 'boost.optimizer' to be a dictionary, but got "adamw"}}
module attributes {boost.optimizer = "adamw"} {}

// -----

// expected-error @+1 {{expects 'boost.program_hash' to be a string, but got 7 : i64}}
module attributes {boost.program_hash = 7} {}

// -----

// expected-error @+1 {{expects 'boost.tensors' to be an array of dictionaries, but got [1]}}
module attributes {boost.tensors = [1]} {}

// -----

// expected-error @+1 {{expects 'boost.stages' to be the arenas of one stage or more, but got 64 : i64}}
module attributes {boost.stages = 64 : i64} {}

// -----

// expected-error @+1 {{expects 'boost.stages' to be the arenas of one stage or more, but got []}}
module attributes {boost.stages = []} {}

// -----

// expected-error @+1 {{expects 'boost.stages' to be the arenas of one stage or more, but got [{}]}}
module attributes {boost.stages = [{}]} {}

// -----

// expected-error @+1 {{expects 'boost.stages' to be the arenas of one stage or more, but got [{arena_bytes = -1 : i64}]}}
module attributes {boost.stages = [{arena_bytes = -1 : i64}]} {}

// -----

// expected-error @+1 {{expects 'boost.stages' to be the arenas of one stage or more, but got [{arena_bytes = 64 : i64, workspace_offset = -1 : i64}]}}
module attributes {boost.stages = [{arena_bytes = 64 : i64, workspace_offset = -1 : i64}]} {}

// -----

// expected-error @+1 {{expects 'boost.stages' to be the arenas of one stage or more, but got [{arena_bytes = 64 : i64, stash = 1 : i64}]}}
module attributes {boost.stages = [{arena_bytes = 64 : i64, stash = 1 : i64}]} {}

// -----

// expected-error @+1 {{expects 'boost.stages' to be the arenas of one stage or more, but got [{arena_bytes = 64 : i64, stash = {bytes = 64 : i64, offset = 0 : i64}}]}}
module attributes {boost.stages = [{arena_bytes = 64 : i64, stash = {bytes = 64 : i64, offset = 0 : i64}}]} {}

// -----

// expected-error @+1 {{expects 'boost.part_of' to be a string, but got 1 : i64}}
func.func @part() attributes {boost.part_of = 1 : i64} {
  return
}

// -----

// expected-error @+1 {{expects 'boost.stages' on modules only}}
func.func private @f() attributes {boost.stages = [{arena_bytes = 64 : i64}]}

// -----

// expected-error @+1 {{expects 'boost.memory' to be a memory plan, but got {peak = 64 : i64, stages = [{peak = 64 : i64}]}}
module attributes {boost.memory = {peak = 64 : i64, stages = [{peak = 64 : i64}], unused = 0 : i64}} {}

// -----

// expected-error @+1 {{expects 'boost.memory' on modules only}}
func.func private @f() attributes {boost.memory = {peak = 64, unused = 0}}

// -----

// expected-error @+1 {{expects 'boost.inputs' to be an array of names, but got ["x", 1]}}
func.func private @f() attributes {boost.inputs = ["x", 1]}

// -----

// expected-error @+1 {{expects 'boost.kept_bytes' to be a list of i64 of at least 0, but got array<i64: 0, -4>}}
func.func private @f() attributes {boost.kept_bytes = array<i64: 0, -4>}

// -----

// expected-error @+1 {{expects 'boost.stage' to be an i64 of at least 0, but got -1}}
func.func private @f() attributes {boost.stage = -1 : i64}

// -----

// expected-error @+1 {{expects 'boost.stage' on functions only}}
module attributes {boost.stage = 0 : i64} {}

// -----

// expected-error @+1 {{expects 'boost.kernel' to be a unit, but got true}}
func.func private @f() attributes {boost.kernel = true}

// -----

// expected-error @+1 {{expects 'boost.outputs' to be an array of names, but got "loss"}}
func.func private @f() attributes {boost.outputs = "loss"}

// -----

// expected-error @+1 {{expects 'boost.inputs' on functions only}}
module attributes {boost.inputs = ["x"]} {}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'boost.largest' to be an i64 of at least 0, but got -1}}
  %0 = stablehlo.negate %x {boost.largest = -1 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'boost.one_term' to be a unit, but got 1 : i64}}
  %0 = stablehlo.negate %x {boost.one_term = 1} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'boost.phase' to be "forward", "backward" or "optimizer", but got "warmup"}}
  %0 = stablehlo.negate %x {boost.phase = "warmup"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @factor(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{expects 'boost.factor' to be "first", "middle" or "second", but got "third"}}
  %0 = boost.linear %x, %w {boost.factor = "third"} : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'boost.recomputed' to be a unit, but got true}}
  %0 = stablehlo.negate %x {boost.recomputed = true} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'boost.component' to be a string, but got 3 : i64}}
  %0 = stablehlo.negate %x {boost.component = 3} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.recomputed' on operations inside of functions only}}
func.func private @f() attributes {boost.recomputed}

// -----

// expected-error @+1 {{expects 'boost.arg' of argument 0 to be "param", "frozen" or "batch", but got "weight"}}
func.func @f(%x: tensor<4xf32> {boost.arg = "weight"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.arg' of argument 0 to be "param", "frozen" or "batch", but got 1 : i64}}
func.func @f(%x: tensor<4xf32> {boost.arg = 1}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.decay' of argument 0 to be true or false, but got "no"}}
func.func @f(%x: tensor<4xf32> {boost.decay = "no"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.hint' of argument 0 to be lists of names of axes, but got ["tp"]}}
func.func @f(%x: tensor<4xf32> {boost.hint = ["tp"]}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.hint' of argument 0 to be lists of names of axes, but got [[1]]}}
func.func @f(%x: tensor<4xf32> {boost.hint = [[1]]}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.id_limit' of argument 0 to be an i64 of at least 0, but got -1}}
func.func @f(%x: tensor<4xf32> {boost.id_limit = -1}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.init' of argument 0 to be a string, but got 1 : i64}}
func.func @f(%x: tensor<4xf32> {boost.init = 1}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.name' of argument 0 to be a non-empty string of UTF-8, but got 1 : i64}}
func.func @f(%x: tensor<4xf32> {boost.name = 1}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.name' of argument 0 to be a non-empty string of UTF-8, but got ""}}
func.func @f(%x: tensor<4xf32> {boost.name = ""}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.name' of argument 0 to be a non-empty string of UTF-8, but got }}
func.func @f(%x: tensor<4xf32> {boost.name = "\FF"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.parts' of argument 0 to be an array of #boost.part, but got ["x"]}}
func.func @f(%x: tensor<4xf32> {boost.parts = ["x"]}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.rows' of argument 0 to be the number of a row and a larger one of all rows, but got array<i64: 4, 4>}}
func.func @f(%x: tensor<4xf32> {boost.rows = array<i64: 4, 4>}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.rows' of result 0 to be the number of a row and a larger one of all rows, but got array<i64: 0>}}
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32> {boost.rows = array<i64: 0>}) {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.reason' of argument 0 to be a string, but got 1 : i64}}
func.func @f(%x: tensor<4xf32> {boost.reason = 1}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.name' of result 0 to be a non-empty string of UTF-8, but got 1 : i64}}
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32> {boost.name = 1}) {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.parts' of result 0 to be an array of #boost.part, but got ["x"]}}
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32> {boost.parts = ["x"]}) {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has an attribute 'boost.component' on argument 0 that boost does not know there}}
func.func @f(%x: tensor<4xf32> {boost.component = "block"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has an attribute 'boost.hint' on result 0 that boost does not know there}}
func.func private @f(tensor<4xf32>) -> (tensor<4xf32> {boost.hint = [["tp"]]})

// -----

// expected-error @+1 {{expects a name of UTF-8 for the param, but got}}
func.func private @f(tensor<4xf32> {boost.tensor = #boost.tensor<param "\FF">})

// -----

// expected-error @+1 {{expects 'boost.memory' to be a memory plan, but got {unused = 0 : i64}}}
module attributes {boost.memory = {unused = 0}} {}

// -----

// expected-error @+1 {{expects 'boost.memory' to be a memory plan, but got {peak = -1 : i64, unused = 0 : i64}}}
module attributes {boost.memory = {peak = -1, unused = 0}} {}

// -----

// expected-error @+1 {{expects 'boost.memory' to be a memory plan, but got {function = 1 : i64}}
module attributes {boost.memory = {peak = 64, unused = 0, function = 1}} {}

// -----

// expected-error @+1 {{expects 'boost.level' to be "spmd", but got 1 : i64}}
module attributes {boost.level = 1} {}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'boost.phase' to be "forward", "backward" or "optimizer", but got 1 : i64}}
  %0 = stablehlo.negate %x {boost.phase = 1} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects 'boost.hint' of argument 0 to be lists of names of axes, but got 3 : i64}}
func.func private @f(tensor<4xf32> {boost.hint = 3})

// -----

// expected-error @+1 {{expects 'boost.axes' to name each axis of a 'shard.grid', but got ["tp"]}}
module attributes {boost.axes = ["tp"]} {}
