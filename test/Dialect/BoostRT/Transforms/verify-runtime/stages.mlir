// RUN: boost-opt %s --boost-verify-runtime --split-input-file | FileCheck %s
// What is correct in the arenas of pipeline stages.

// Kept tensors lie in the slot that a function is given; what it keeps itself has nothing in it before. Stages have
// their own places; a call may use the workspace of its stage.

// CHECK-LABEL: func.func @forward
module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}, {arena_bytes = 64 : i64}], boostrt.workspace = array<i64: 64>} {
  func.func @forward(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.inputs = [], boost.stage = 0 : i64, boostrt.arguments = array<i64: 0>,
      boostrt.buffers = [array<i64: 0, 16>, array<i64: 0, 16, 1>, array<i64: 320, 16>], boostrt.results = [array<i64: 1, 1>]} {
    %c0 = arith.constant 0 : index
    %c320 = arith.constant 320 : index
    %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<640xi8> to memref<4xf32>
    %h = memref.view %slot[%c0][] {boostrt.buffer = array<i64: 1, 0>} : memref<128xi8> to memref<4xf32>
    %t = memref.view %arena[%c320][] {boostrt.buffer = array<i64: 2, 0>} : memref<640xi8> to memref<4xf32>
    boostrt.copy ins(%x : memref<4xf32>) outs(%t : memref<4xf32>) {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 1>], boostrt.workspace_bytes = 60 : i64}
    boostrt.copy ins(%t : memref<4xf32>) outs(%h : memref<4xf32>) {boostrt.reads = [array<i64: 1>, array<i64>], boostrt.writes = [array<i64: 1>]}
    return
  }
  func.func @backward(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.inputs = [], boost.stage = 0 : i64, boostrt.arguments = array<i64: 0>,
      boostrt.buffers = [array<i64: 0, 16, 1>, array<i64: 64, 16, 1>], boostrt.results = [array<i64: 1, 0>]} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %h = memref.view %slot[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<128xi8> to memref<4xf32>
    %d = memref.view %slot[%c64][] {boostrt.buffer = array<i64: 1, 0>} : memref<128xi8> to memref<4xf32>
    boostrt.copy ins(%h : memref<4xf32>) outs(%d : memref<4xf32>) {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 0>]}
    return
  }
  func.func @other(%arena: memref<64xi8>) attributes {
      boost.stage = 1 : i64, boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 0, 16>]} {
    return
  }
  func.func @everywhere(%arena: memref<64xi8>) attributes {
      boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 0, 0>]} {
    return
  }
  boost.schedule @train micro_batches 2 {
    boost.call @forward micro_batch 0 slot 0
    boost.call @forward micro_batch 1 slot 1
    boost.call @backward micro_batch 0 slot 0
    boost.call @backward micro_batch 1 slot 1
  }
}
