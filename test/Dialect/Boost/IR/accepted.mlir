// RUN: boost-opt %s -split-input-file -o /dev/null
// The nearest neighbors of what invalid.mlir, tensor-invalid.mlir,
// attribute-invalid.mlir and sharding-invalid.mlir refuse: bounds that are met
// and each of several types or forms.

func.func @types(%x: tensor<2x8xbf16>, %v: tensor<8xbf16>, %w: tensor<8x4xbf16>, %g: tensor<8xf32>, %n: tensor<8xbf16>) {
  %0 = boost.rms_norm %x, %g {eps = 0.0 : f64} : tensor<2x8xbf16>, tensor<8xf32>
  %1 = boost.rms_norm %x, %n {eps = 0.0 : f64} : tensor<2x8xbf16>, tensor<8xbf16>
  %2 = boost.rms_norm %v, %n {eps = 0.0 : f64} : tensor<8xbf16>, tensor<8xbf16>
  %3 = boost.linear %x, %w : (tensor<2x8xbf16>, tensor<8x4xbf16>) -> tensor<2x4xbf16>
  %4 = boost.linear %x, %w : (tensor<2x8xbf16>, tensor<8x4xbf16>) -> tensor<2x4xf32>
  %5 = boost.linear %v, %w : (tensor<8xbf16>, tensor<8x4xbf16>) -> tensor<4xbf16>
  return
}

// -----

func.func @one_row(%x: tensor<8xf32>, %l: tensor<i32>) {
  %0, %1 = boost.cross_entropy %x, %l : (tensor<8xf32>, tensor<i32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

// As many keys as queries are asked for by causal alone.
func.func @keys(%q: tensor<2x16x4x8xf32>, %k: tensor<2x8x2x8xf32>, %b: tensor<1x4x1x8xf32>) {
  %o, %l = boost.attention %q, %k, %k bias %b {scale = 1.0 : f64, soft_cap = 1.0e-30 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<1x4x1x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @markers() {
  boost.phase backward
  boost.phase optimizer
  return
}

// -----

// Initial values, and a state without one.
func.func @initial_values(%a: tensor<4xf32> {boost.tensor = #boost.tensor<param "a", init = "ones">},
                          %b: tensor<4xf32> {boost.tensor = #boost.tensor<param "b", init = "zeros">},
                          %c: tensor<4xf32> {boost.tensor = #boost.tensor<param "c", init = "normal:0">},
                          %d: tensor<4xf32> {boost.tensor = #boost.tensor<state "d", kind = "m", of = "a">}) {
  return
}

// -----

module attributes {boost.arena_bytes = 0 : i64, boost.constants = {c = dense<[1.0, 2.0]> : tensor<2xf32>}, boost.initial_values = "", boost.level = "spmd", boost.program_hash = "",
                   boost.memory = {peak = 0 : i64, unused = 0 : i64, kept = 3 : i64, function = "step", largest = [{}], stages = [{peak = 0 : i64, unused = 0 : i64}]},
                   boost.stages = [{arena_bytes = 0 : i64}, {arena_bytes = 64 : i64, stash = {bytes = 0 : i64, offset = 0 : i64, slots = 1 : i64}, workspace_offset = 0 : i64}],
                   boost.optimizer = {}, boost.tensors = []} {
  func.func private @forms(tensor<4xf32> {boost.arg = "param", boost.decay = false, boost.hint = [["tp"], []], boost.id_limit = 0 : i64},
                           tensor<4xf32> {boost.arg = "batch", boost.init = "ones", boost.name = "x", boost.parts = [], boost.reason = ""})
      -> (tensor<4xf32> {boost.name = "y", boost.parts = []})
      attributes {boost.inputs = ["x"], boost.kept_bytes = array<i64: 0, 4>, boost.kernel, boost.outputs = [], boost.repetitions = 0 : i64, boost.stage = 0 : i64}
  func.func @operations(%x: tensor<4xf32> {boost.arg = "param"}) {
    %0 = stablehlo.negate %x {boost.largest = 0 : i64, boost.one_term, boost.phase = "forward", boost.recomputed, boost.component = "",
                              boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    return
  }
  func.func @factors(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) {
    %0 = boost.linear %x, %w {boost.factor = "first"} : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %1 = boost.linear %x, %w {boost.factor = "middle"} : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %2 = boost.linear %x, %w {boost.factor = "second"} : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    return
  }
}

// -----

// A mesh that does not name its axes has all of them.
shard.grid @mesh(shape = 2)
func.func @unnamed_axes(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}, partial = sum {"dp"}>}) {
  return
}
