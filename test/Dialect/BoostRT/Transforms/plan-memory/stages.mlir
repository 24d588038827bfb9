// RUN: boost-opt %s --boostrt-plan-memory --split-input-file | FileCheck %s
// The ranks of a pipeline stage have what its functions and transfers name, and a stash for what they keep.

// Stage 0 has two slots, since a call names the second one; stage 1 has three, since a transfer does. A slot has room
// for all kept tensors of the stage, each at its own place on every stage. The batch is on both stages, behind the
// parameter of stage 1 only. The loss is sent to stage 0, where no function names it.

// CHECK: module attributes {boost.arena_bytes = 1088 : i64,
// CHECK-SAME: boost.memory = {batch = 64 : i64, function = "forward_1", gradients = 0 : i64, kept = 576 : i64,
// CHECK-SAME:   parameters = 256 : i64, peak = 1088 : i64, recomputed = 0 : i64, results = 64 : i64,
// CHECK-SAME:   stages = [
// CHECK-SAME:     {batch = 64 : i64, function = "forward_0", gradients = 0 : i64, kept = 256 : i64, {{.*}}peak = 384 : i64, {{.*}}results = 64 : i64, temporaries = 0 : i64, unused = 0 : i64}
// CHECK-SAME:     {batch = 64 : i64, function = "forward_1", gradients = 0 : i64, kept = 576 : i64, {{.*}}peak = 1088 : i64, {{.*}}temporaries = 128 : i64, unused = 0 : i64}]
// CHECK-SAME: temporaries = 128 : i64, unused = 0 : i64}
// CHECK-SAME: boost.stages = [
// CHECK-SAME:   {arena_bytes = 384 : i64, stash = {bytes = 128 : i64, offset = 128 : i64, slots = 2 : i64}}
// CHECK-SAME:   {arena_bytes = 1088 : i64, stash = {bytes = 192 : i64, offset = 384 : i64, slots = 3 : i64}, workspace_offset = 1024 : i64}]
// CHECK-SAME: boost.tensors = [
// CHECK-SAME:   {{{.*}}name = "x", role = "batch", shape = [4], split = {{\[\[}}]], stages = {{\[\[}}0, 0], [1, 256]]}
// CHECK-SAME:   {{{.*}}name = "h", role = "kept", {{.*}}stages = {{\[\[}}0, 128], [1, 384]]}
// CHECK-SAME:   {{{.*}}name = "a", role = "kept", {{.*}}stages = {{\[\[}}0, 192]]}
// CHECK-SAME:   {{{.*}}name = "w", role = "param", {{.*}}stages = {{\[\[}}1, 0]]}
// CHECK-SAME:   {{{.*}}name = "e", role = "kept", {{.*}}stages = {{\[\[}}1, 448]]}
// CHECK-SAME:   {{{.*}}name = "loss", role = "loss", {{.*}}stages = {{\[\[}}0, 64], [1, 320]]}
// CHECK-SAME: boostrt.workspace = array<i64: 50>
module {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}

  // What a function keeps has nothing in it before.
  // CHECK-LABEL: func.func @forward_0(
  // CHECK-SAME:    %[[ARENA:.*]]: memref<384xi8>, %[[SLOT:.*]]: memref<128xi8>)
  // CHECK-SAME:    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 16>, array<i64: 0, 16, 1>, array<i64: 64, 32, 1>]
  // CHECK:         %[[X:.*]] = memref.view %[[ARENA]][%c0{{.*}}][] {boostrt.buffer = array<i64: 0, 0>} : memref<384xi8> to memref<4xf32>
  // CHECK:         %[[H:.*]] = memref.view %[[SLOT]][%c0{{.*}}][] {boostrt.buffer = array<i64: 1, 0>} : memref<128xi8> to memref<4xf32>
  // CHECK:         boostrt.copy ins(%[[X]] : memref<4xf32>) outs(%[[H]] : memref<4xf32>)
  // CHECK:         %[[A:.*]] = memref.view %[[SLOT]][%c80{{.*}}][] {boostrt.buffer = array<i64: 2, 16>} : memref<128xi8> to memref<4xf32>
  // CHECK:         boostrt.copy ins(%[[X]] : memref<4xf32>) outs(%[[A]] : memref<4xf32>)
  func.func @forward_0(
      %x: memref<4xf32> {boost.tensor = #boost.tensor<batch "x">},
      %h: memref<4xf32> {boost.tensor = #boost.tensor<kept "h">},
      %a: memref<8xf32> {boost.tensor = #boost.tensor<kept "a">})
      attributes {boost.inputs = ["x"], boost.outputs = ["h", "a"], boost.stage = 0 : i64} {
    boostrt.copy ins(%x : memref<4xf32>) outs(%h : memref<4xf32>)
    %half = memref.reinterpret_cast %a to offset: [4], sizes: [4], strides: [1]
        : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    boostrt.copy ins(%x : memref<4xf32>) outs(%half : memref<4xf32, strided<[1], offset: 4>>)
    return
  }

  // CHECK-LABEL: func.func @forward_1(
  // CHECK-SAME:    %{{.*}}: memref<1088xi8>, %{{.*}}: memref<192xi8>)
  // CHECK-SAME:    boostrt.arguments = array<i64: 0, 1, 2>
  // CHECK-SAME:    boostrt.buffers = [array<i64: 0, 256>, array<i64: 256, 16>, array<i64: 0, 16, 1>, array<i64: 64, 128, 1>, array<i64: 320, 4>, array<i64: 960, 16>]
  func.func @forward_1(
      %w: memref<64xf32> {boost.tensor = #boost.tensor<param "w">},
      %x: memref<4xf32> {boost.tensor = #boost.tensor<batch "x">},
      %h: memref<4xf32> {boost.tensor = #boost.tensor<kept "h">},
      %e: memref<32xf32> {boost.tensor = #boost.tensor<kept "e">},
      %loss: memref<f32> {boost.tensor = #boost.tensor<loss "loss">})
      attributes {boost.inputs = ["w", "x", "h"], boost.outputs = ["e", "loss"], boost.stage = 1 : i64} {
    %t = memref.alloc() : memref<4xf32>
    boostrt.copy ins(%h : memref<4xf32>) outs(%t : memref<4xf32>) {boostrt.workspace_bytes = 50 : i64}
    boostrt.sum_of_squares ins(%t : memref<4xf32>) outs(%loss : memref<f32>)
    return
  }
  boost.schedule @evaluate micro_batches 2 {
    boost.call @forward_0 micro_batch 0 slot 0
    boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 2
    boost.call @forward_0 micro_batch 1 slot 1
    boost.call @forward_1 micro_batch 0 slot 2
    boost.transfer ["loss"] from 1 to 0
  }
}

// -----

// What a function of every stage names is at one place on each, before what only some have. What lives in it begins
// behind what stays on the stage with most. It can count on the smallest arena only. Of a stage that runs nothing else,
// that is all. Results of one function are its own on each stage.

// CHECK: boost.arena_bytes = 576 : i64
// CHECK-SAME: boost.stages = [{arena_bytes = 448 : i64}, {arena_bytes = 576 : i64}, {arena_bytes = 448 : i64}]
// CHECK-SAME: name = "s", {{.*}}stages = {{\[\[}}0, 64], [1, 64], [2, 64]]}
// CHECK-SAME: name = "n", {{.*}}stages = {{\[\[}}0, 384], [1, 384], [2, 384]]}
// CHECK-SAME: name = "p", {{.*}}stages = {{\[\[}}0, 0], [1, 0], [2, 0]]}
// CHECK-SAME: name = "g", {{.*}}stages = {{\[\[}}0, 128], [1, 384]]}
// CHECK-SAME: name = "q", {{.*}}stages = {{\[\[}}1, 128]]}
// CHECK-LABEL: func.func @everywhere(%{{.*}}: memref<448xi8>)
// CHECK-SAME:    boostrt.buffers = [array<i64: 64, 16>, array<i64: 384, 4>, array<i64: 0, 16>]
// CHECK-LABEL: func.func @first(%{{.*}}: memref<448xi8>)
// CHECK-SAME:    boostrt.buffers = [array<i64: 128, 16>]
// CHECK-LABEL: func.func @second(%{{.*}}: memref<576xi8>)
// CHECK-SAME:    boostrt.buffers = [array<i64: 128, 256>, array<i64: 384, 16>, array<i64: 448, 128>]
shard.grid @mesh(shape = 3x2) {boost.axes = ["pp", "tp"]}
func.func @everywhere(%s: memref<4xf32> {boost.tensor = #boost.tensor<state "s", kind = "m", of = "p">},
                      %n: memref<f32> {boost.tensor = #boost.tensor<metric "n", kind = "grad_norm">},
                      %p: memref<4xf32> {boost.tensor = #boost.tensor<param "p">}) {
  boostrt.sum_of_squares ins(%s : memref<4xf32>) outs(%n : memref<f32>)
  return
}
func.func @first(%g: memref<4xf32> {boost.tensor = #boost.tensor<output "g">}) attributes {boost.stage = 0 : i64} {
  return
}
func.func @second(%q: memref<64xf32> {boost.tensor = #boost.tensor<param "q">},
                  %g: memref<4xf32> {boost.tensor = #boost.tensor<output "g">}) attributes {boost.stage = 1 : i64} {
  %t = memref.alloc() : memref<32xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%t : memref<32xf32>)
  return
}

// -----

// A mesh with an axis of this name is no pipeline by itself.

// CHECK-NOT: boost.stages
// CHECK: boost.tensors = [{{{.*}}offset = 0 : i64
// CHECK-LABEL: func.func @f(%{{.*}}: memref<64xi8>)
shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
func.func @f(%p: memref<4xf32> {boost.tensor = #boost.tensor<param "p">}) {
  return
}

// -----

// What one schedule keeps may lie where another keeps something. A function of both keeps its place.

// CHECK: boost.stages = [{arena_bytes = 384 : i64, stash = {bytes = 192 : i64, offset = 0 : i64, slots = 2 : i64}}]
// CHECK-SAME: name = "both", {{[^{}]*}}stages = {{\[\[}}0, 0]]}
// CHECK-SAME: name = "one", {{[^{}]*}}stages = {{\[\[}}0, 64]]}
// CHECK-SAME: name = "other", {{[^{}]*}}stages = {{\[\[}}0, 64]]}
shard.grid @mesh(shape = 1) {boost.axes = ["pp"]}
func.func @f(%b: memref<4xf32> {boost.tensor = #boost.tensor<kept "both">})
    attributes {boost.inputs = [], boost.outputs = ["both"], boost.stage = 0 : i64} {
  return
}
func.func @g(%b: memref<4xf32> {boost.tensor = #boost.tensor<kept "both">},
             %o: memref<4xf32> {boost.tensor = #boost.tensor<kept "one">})
    attributes {boost.inputs = ["both"], boost.outputs = ["one"], boost.stage = 0 : i64} {
  return
}
func.func @h(%b: memref<4xf32> {boost.tensor = #boost.tensor<kept "both">},
             %o: memref<32xf32> {boost.tensor = #boost.tensor<kept "other">})
    attributes {boost.inputs = ["both"], boost.outputs = ["other"], boost.stage = 0 : i64} {
  return
}
boost.schedule @gradients micro_batches 2 {
  boost.call @f micro_batch 0 slot 0
  boost.call @f micro_batch 1 slot 1
  boost.call @g micro_batch 0 slot 0
  boost.call @g micro_batch 1 slot 1
}
boost.schedule @train {
  boost.call @f micro_batch 0 slot 0
  boost.call @h micro_batch 0 slot 0
}
