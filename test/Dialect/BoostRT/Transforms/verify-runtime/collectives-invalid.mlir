// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// Groups are axes of the mesh, sites those of the plan.

func.func @no_mesh(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects a shard.grid @mesh in the module}}
  boostrt.all_reduce sum group 1 site 0 outs(%x : memref<4xf32>) {boostrt.axes = ["data"]}

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @one_rank(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects a group of axes of more than one rank, but axis 1 has one}}
  boostrt.all_reduce sum group 2 site 0 outs(%x : memref<4xf32>) {boostrt.axes = ["extra"]}

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @no_axis(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects a group of axes of more than one rank, but axis 3 is not in the mesh}}
  boostrt.all_reduce sum group 8 site 0 outs(%x : memref<4xf32>) {boostrt.axes = ["data"]}

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @other_axis(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects 'boostrt.axes' to be ["model"] for group 4, but got ["data"]}}
  boostrt.all_reduce sum group 4 site 0 outs(%x : memref<4xf32>) {boostrt.axes = ["data"]}

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @no_names(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects 'boostrt.axes' to be ["data", "model"] for group 5, but got none}}
  boostrt.all_reduce sum group 5 site 0 outs(%x : memref<4xf32>)

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @index_group(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<i32>
  // expected-error @below {{expects 'boostrt.axes' to be ["model"] for group 4, but got ["data"]}}
  boostrt.process_index group 4 outs(%x : memref<i32>) {boostrt.axes = ["data"]}

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @no_site(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects a site; run boostrt-number-collectives}}
  boostrt.all_reduce sum group 1 outs(%x : memref<4xf32>) {boostrt.axes = ["data"]}

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @same_site(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  // expected-note @below {{which this collective has}}
  boostrt.all_reduce sum group 1 site 0 outs(%x : memref<4xf32>) {boostrt.axes = ["data"]}
  // expected-error @below {{expects a unique site, but got 0}}
  boostrt.all_reduce sum group 1 site 0 outs(%x : memref<4xf32>) {boostrt.axes = ["data"]}

  return
}

// -----

// expected-error @below {{expects a collective of site 0, but got none}}
module attributes {boostrt.sites = 2 : i64} {
shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @missing_site(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.all_reduce sum group 1 site 1 outs(%x : memref<4xf32>) {boostrt.axes = ["data"]}

  return
}
}

// -----

// expected-error @below {{expects 1 sites, but got 2}}
module attributes {boostrt.sites = 1 : i64} {
shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @further_site(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.all_reduce sum group 1 site 0 outs(%x : memref<4xf32>) {boostrt.axes = ["data"]}
  boostrt.all_reduce sum group 1 site 1 outs(%x : memref<4xf32>) {boostrt.axes = ["data"]}

  return
}
}

// -----

// expected-error @below {{expects the number of sites in 'boostrt.sites'; run boostrt-number-collectives}}
module {
shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @no_count(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.all_reduce sum group 1 site 0 outs(%x : memref<4xf32>) {boostrt.axes = ["data"]}

  return
}
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @gather(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<1xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects dimension 0 of 4 in 2 pieces, one per rank of the group, but got pieces of 1}}
  boostrt.all_gather dims [0] group 1 site 0 ins(%x : memref<1xf32>) outs(%y : memref<4xf32>) {boostrt.axes = ["data"]}

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @scatter(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<1xf32>
  // expected-error @below {{expects dimension 0 of 4 in 2 pieces, one per rank of the group, but got pieces of 1}}
  boostrt.reduce_scatter sum dims [0] group 1 site 0 ins(%x : memref<4xf32>) outs(%y : memref<1xf32>) {boostrt.axes = ["data"]}

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @slice(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<1xf32>
  // expected-error @below {{expects dimension 0 of 4 in 2 pieces, one per rank of the group, but got pieces of 1}}
  boostrt.all_slice dim 0 group 1 ins(%x : memref<4xf32>) outs(%y : memref<1xf32>) {boostrt.axes = ["data"]}

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @exchange(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4x1xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<1x4xf32>
  // expected-error @below {{expects dimension 0 of 4 in 2 pieces, one per rank of the group, but got pieces of 1}}
  boostrt.all_to_all split_dim 0 concat_dim 1 group 1 site 0 ins(%x : memref<4x1xf32>) outs(%y : memref<1x4xf32>) {boostrt.axes = ["data"]}

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

// Of several tensors each is looked at.
func.func @scatter_second(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 8>, array<i64: 128, 16>, array<i64: 192, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<1xf32>
  // expected-error @below {{expects dimension 0 of 4 in 2 pieces, one per rank of the group, but got pieces of 1}}
  boostrt.reduce_scatter sum dims [0, 0] group 1 site 0 ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%y, %z : memref<2xf32>, memref<1xf32>) {boostrt.axes = ["data"]}

  return
}

// -----

shard.grid @mesh(shape = 2x1x2) {boost.axes = ["data", "extra", "model"]}

func.func @broadcast(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects a root in [0, 2), the positions in the group, but got 2}}
  boostrt.broadcast root 2 group 1 site 0 outs(%x : memref<4xf32>) {boostrt.axes = ["data"]}

  return
}
