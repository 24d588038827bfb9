// RUN: boost-opt %s --boostrt-plan-memory --split-input-file | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// Named tensors first, each at a multiple of 64; a shared result once; then
// the part that functions share.

// CHECK: module attributes {boost.arena_bytes = 384 : i64,
// CHECK-SAME: boost.memory = {batch = 64 : i64, function = "gradient", gradients = 0 : i64, kept = 0 : i64,
// CHECK-SAME:   largest = [{bytes = 64 : i64, type = "4xf32", what = "results"},
// CHECK-SAME:   optimizer = 64 : i64, parameters = 64 : i64, peak = 384 : i64, recomputed = 0 : i64, results = 128 : i64, temporaries = 64 : i64, unused = 0 : i64}
// CHECK-SAME: boost.tensors = [
// CHECK-SAME: {bytes = 32 : i64, dtype = "i32", limit = 100 : i64, name = "ids", offset = 128 : i64, role = "batch", shape = [16], split = {{\[\[}}"dp"]]}
// CHECK-SAME: {bytes = 16 : i64, dtype = "f32", init = "ones", name = "p", offset = 0 : i64, role = "param", shape = [4], split = {{\[\[}}]]}
// CHECK-SAME: {bytes = 16 : i64, {{.*}} kind = "m", name = "adamw.m.p", of = "p", offset = 64 : i64, role = "state"
// CHECK-SAME: {bytes = 4 : i64, {{.*}} name = "loss", offset = 192 : i64, role = "loss", shape = []
// CHECK-SAME: {bytes = 16 : i64, {{.*}} name = "grad.p", of = "p", offset = 320 : i64, role = "gradient"
module {
  shard.grid @mesh(shape = 2) {boost.axes = ["dp"]}
  // CHECK: func.func @gradient(%[[ARENA:.*]]: memref<384xi8>) attributes {boost.inputs = ["ids"],
  // CHECK-SAME: boostrt.arguments = array<i64: 0, 1, 2>,
  // CHECK-SAME: boostrt.buffers = [array<i64: 128, 32>, array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 192, 4>,
  func.func @gradient(
      %ids: memref<8xi32> {boost.id_limit = 100 : i64, boost.sharding = #boost.sharding<{"dp"}>,
                           boost.tensor = #boost.tensor<batch "ids">},
      %p: memref<4xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "p", init = "ones">},
      %m: memref<4xf32> {boost.tensor = #boost.tensor<state "adamw.m.p", kind = "m", of = "p">},
      %loss: memref<f32> {boost.tensor = #boost.tensor<loss "loss">},
      %g: memref<4xf32> {boost.tensor = #boost.tensor<gradient "grad.p", of = "p">})
      attributes {boost.inputs = ["ids"]} {
    // CHECK-DAG: %[[C192:.*]] = arith.constant 192 : index
    // CHECK-DAG: %[[LOSS:.*]] = memref.view %[[ARENA]][%[[C192]]][]{{.*}} : memref<384xi8> to memref<f32>
    // CHECK-DAG: %[[C320:.*]] = arith.constant 320 : index
    // CHECK-DAG: %[[G:.*]] = memref.view %[[ARENA]][%[[C320]]][] {boost.largest = 0 : i64{{.*}}} : memref<384xi8> to memref<4xf32>
    // CHECK: %[[C256:.*]] = arith.constant 256 : index
    // CHECK: %[[T:.*]] = memref.view %[[ARENA]][%[[C256]]][] {boost.largest = 1 : i64{{.*}}} : memref<384xi8> to memref<4xf32>
    %t = memref.alloc() : memref<4xf32>
    // CHECK: boostrt.copy {{.*}} outs(%[[T]]
    boostrt.copy ins(%p : memref<4xf32>) outs(%t : memref<4xf32>)
    boostrt.copy ins(%t : memref<4xf32>) outs(%g : memref<4xf32>)
    boostrt.sum_of_squares ins(%g : memref<4xf32>) outs(%loss : memref<f32>)
    return
  }
  // CHECK: func.func @loss(%{{.*}}: memref<384xi8>)
  func.func @loss(%loss: memref<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
    return
  }
}

// -----

#id = affine_map<(d0) -> (d0)>

// An output takes over the input that is read last there; others get memory
// that is free again. Three values of 256 bytes need two places.

// CHECK: boost.arena_bytes = 768 : i64
// CHECK-LABEL: func.func @reuse
func.func @reuse(%x: memref<64xf32> {boost.tensor = #boost.tensor<param "x">}) {
  // CHECK: %[[A:.*]] = memref.view %{{.*}}[%c256{{.*}}][]
  %a = memref.alloc() : memref<64xf32>
  boostrt.copy ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  // CHECK: %[[B:.*]] = memref.view %{{.*}}[%c256{{.*}}][]
  %b = memref.alloc() : memref<64xf32>
  // CHECK: linalg.generic {{.*}} ins(%[[A]] : memref<64xf32>) outs(%[[B]] : memref<64xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.exp %i : f32
    linalg.yield %0 : f32
  }
  // CHECK: %[[C:.*]] = memref.view %{{.*}}[%c512{{.*}}][]
  %c = memref.alloc() : memref<64xf32>
  boostrt.copy ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
  // CHECK: %[[D:.*]] = memref.view %{{.*}}[%c256{{.*}}][]
  %d = memref.alloc() : memref<64xf32>
  boostrt.copy ins(%c : memref<64xf32>) outs(%d : memref<64xf32>)
  boostrt.copy ins(%d : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>

// A transposed input is read elsewhere than it would be written.

// CHECK-LABEL: func.func @no_reuse
func.func @no_reuse(%x: memref<8x8xf32> {boost.tensor = #boost.tensor<param "x">}) {
  // CHECK: memref.view %{{.*}}[%c256{{.*}}][]
  %a = memref.alloc() : memref<8x8xf32>
  boostrt.copy ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  // CHECK: memref.view %{{.*}}[%c512{{.*}}][]
  %b = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  }
  boostrt.copy ins(%b : memref<8x8xf32>) outs(%x : memref<8x8xf32>)
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>

// h + h^T: the first operand could be written over, the second is the same
// memory and could not.

// CHECK-LABEL: func.func @no_reuse_of_two_operands
func.func @no_reuse_of_two_operands(%x: memref<8x8xf32> {boost.tensor = #boost.tensor<param "x">}) {
  // CHECK: memref.view %{{.*}}[%c256{{.*}}][]
  %a = memref.alloc() : memref<8x8xf32>
  boostrt.copy ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  // CHECK: memref.view %{{.*}}[%c512{{.*}}][]
  %b = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [#id, #tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    linalg.yield %0 : f32
  }
  boostrt.copy ins(%b : memref<8x8xf32>) outs(%x : memref<8x8xf32>)
  return
}

// -----

#id = affine_map<(d0) -> (d0)>

// h + h[ids]: the body reads elements of the operand that may have been written.

// CHECK-LABEL: func.func @no_reuse_of_a_capture
func.func @no_reuse_of_a_capture(%x: memref<64xf32> {boost.tensor = #boost.tensor<param "x">},
                                 %ids: memref<64xi32> {boost.tensor = #boost.tensor<batch "ids">}) {
  // CHECK: memref.view %{{.*}}[%c512{{.*}}][]
  %a = memref.alloc() : memref<64xf32>
  boostrt.copy ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  // CHECK: memref.view %{{.*}}[%c768{{.*}}][]
  %b = memref.alloc() : memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %ids : memref<64xf32>, memref<64xi32>) outs(%b : memref<64xf32>) {
  ^bb0(%i: f32, %id: i32, %o: f32):
    %at = arith.index_cast %id : i32 to index
    %0 = memref.load %a[%at] : memref<64xf32>
    %1 = arith.addf %i, %0 : f32
    linalg.yield %1 : f32
  }
  boostrt.copy ins(%b : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// -----

// Views of parts are views of the arena; gaps become strides.

// CHECK-LABEL: func.func @views
func.func @views(%x: memref<4x8xf32> {boost.tensor = #boost.tensor<param "x">},
                 %n: memref<f32> {boost.tensor = #boost.tensor<output "n">}) {
  // CHECK: %[[C64:.*]] = arith.constant 64 : index
  // CHECK: memref.view %{{.*}}[%[[C64]]][]{{.*}} : memref<{{.*}}xi8> to memref<2x8xf32>
  %rows = memref.reinterpret_cast %x to offset: [16], sizes: [2, 8], strides: [8, 1]
      : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 16>>
  boostrt.sum_of_squares ins(%rows : memref<2x8xf32, strided<[8, 1], offset: 16>>)
      outs(%n : memref<f32>)
  // CHECK: %[[C8:.*]] = arith.constant 8 : index
  // CHECK: %[[SPAN:.*]] = memref.view %{{.*}}[%[[C8]]][]{{.*}} : memref<{{.*}}xi8> to memref<26xf32>
  // CHECK: memref.reinterpret_cast %[[SPAN]] to offset: [0], sizes: [4, 2], strides: [8, 1] : memref<26xf32> to memref<4x2xf32, strided<[8, 1]>>
  %columns = memref.reinterpret_cast %x to offset: [2], sizes: [4, 2], strides: [8, 1]
      : memref<4x8xf32> to memref<4x2xf32, strided<[8, 1], offset: 2>>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%columns : memref<4x2xf32, strided<[8, 1], offset: 2>>)
  return
}

// -----

// What the memory is for when most is needed, here in the third of four calls.
// Kept: made before the backward pass and read in it; recomputed: made there by
// an operation that says so, by an attribute; a gradient lives on to the
// optimizer. The arena of the step is that of the peak, and its marks are gone: calls
// behind them say their phase.

// CHECK: boost.memory = {{{.*}} function = "step", gradients = 64 : i64, kept = 256 : i64,
// CHECK-SAME: largest = [{bytes = 256 : i64, type = "64xf32", what = "kept"},
// CHECK-SAME: parameters = 64 : i64, peak = 640 : i64, recomputed = 128 : i64, results = 64 : i64, temporaries = 64 : i64, unused = 0 : i64}
// CHECK-LABEL: func.func @step
// CHECK: memref.view %{{.*}} {boost.largest = 0 : i64, boostrt.buffer = array<i64: 2, 0>} : memref<640xi8> to memref<64xf32>
// CHECK-NOT: boost.{{phase [a-z]|recomputed}}
// CHECK: linalg.fill {boost.phase = "backward"}
// CHECK-NOT: boost.{{phase [a-z]|recomputed}}
func.func @step(%p: memref<8xf32> {boost.tensor = #boost.tensor<param "p">},
                %n: memref<f32> {boost.tensor = #boost.tensor<output "n">}) {
  %kept = memref.alloc() : memref<64xf32> loc("model.py":7:1)
  boostrt.sum_of_squares ins(%p : memref<8xf32>) outs(%n : memref<f32>)
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%kept : memref<64xf32>)
  boost.phase backward
  %again = memref.alloc() {boost.recomputed} : memref<32xf32>
  linalg.fill ins(%zero : f32) outs(%again : memref<32xf32>)
  %grad = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%grad : memref<8xf32>)
  %work = memref.alloc() : memref<8xf32>
  boostrt.copy ins(%grad : memref<8xf32>) outs(%work : memref<8xf32>)
  boostrt.sum_of_squares ins(%kept, %again, %work : memref<64xf32>, memref<32xf32>, memref<8xf32>)
      outs(%n : memref<f32>)
  boost.phase optimizer
  boostrt.copy ins(%grad : memref<8xf32>) outs(%p : memref<8xf32>)
  return
}

// -----

// What the first call of the backward pass reads is kept for it, what the last
// call before it reads is not.

// CHECK: boost.memory = {{{.*}} gradients = 0 : i64, kept = 256 : i64,
// CHECK-SAME: temporaries = 128 : i64, unused = {{[0-9]+}} : i64}
// CHECK-LABEL: func.func @step
func.func @step(%n: memref<f32> {boost.tensor = #boost.tensor<output "n">}) {
  %zero = arith.constant 0.0 : f32
  %kept = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%kept : memref<64xf32>)
  %work = memref.alloc() : memref<32xf32>
  linalg.fill ins(%zero : f32) outs(%work : memref<32xf32>)
  boostrt.sum_of_squares ins(%work : memref<32xf32>) outs(%n : memref<f32>)
  boost.phase backward
  boostrt.sum_of_squares ins(%kept : memref<64xf32>) outs(%n : memref<f32>)
  boost.phase optimizer
  return
}
