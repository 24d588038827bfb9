// RUN: boost-opt %s --boost-propagate-shardings --split-input-file --verify-diagnostics
// Shardings that cannot be are refused, naming the tensor and what would do.

shard.grid @mesh(shape = 1x8) {boost.axes = ["dp", "tp"]}
// expected-error @+1 {{argument 'mlp.up': dimension 1 of size 172 cannot be sharded into 8 equal parts over axis 'tp'; sizes that would do: 1, 2, 4, 43, 86, 172}}
func.func @does_not_divide(%w: tensor<16x172xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "mlp.up">}) {
  return
}

// -----

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
// expected-error @+1 {{argument 'x': expects 'boost.sharding', but there is none}}
func.func @no_sharding(%x: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  return
}

// -----

// expected-error @+1 {{expects a 'shard.grid' named '@mesh', but there is none; run boost-place first}}
func.func @no_mesh(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
  return
}

// -----

// expected-error @+1 {{expects 'boost.axes' to name each of its 2 axes}}
shard.grid @mesh(shape = 2x2)
func.func @unnamed_axis(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
  return
}

// -----

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
// expected-error @+1 {{expects a function of one block; run boost-import-pipeline first}}
func.func @blocks(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "x">}) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects axes of known size}}
shard.grid @mesh(shape = 2x?) {boost.axes = ["dp", "tp"]}
func.func @unknown_axis(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
  return
}

// -----

// A rank would hold one of the two tensors, which files cannot say.
shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
// expected-error @+2 {{argument '{k,v}.up': expects dimension 0, along which tensors are packed, on every rank, but got #boost.sharding<{"tp"}, {}, {}>}}
// expected-note @+1 {{shard another dimension, or compile with --disable-pass=boost-group-linears}}
func.func @packed(%w: tensor<2x16x4xf32> {boost.parts = [#boost.part<name = "k.up", dim = 0, offset = 0, shape = [16, 4]>, #boost.part<name = "v.up", dim = 0, offset = 1, shape = [16, 4]>], boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "{k,v}.up">}) {
  return
}

// -----

// expected-error @+1 {{expects at most 31 axes, but got 32}}
shard.grid @mesh(shape = 1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1) {boost.axes = ["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15", "a16", "a17", "a18", "a19", "a20", "a21", "a22", "a23", "a24", "a25", "a26", "a27", "a28", "a29", "a30", "a31"]}
func.func @axes(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
  return
}

// -----

// As many axes as there may be.
shard.grid @mesh(shape = 1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1) {boost.axes = ["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15", "a16", "a17", "a18", "a19", "a20", "a21", "a22", "a23", "a24", "a25", "a26", "a27", "a28", "a29", "a30"]}
func.func @axes(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
  return
}
