// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// RUN: boost-opt %s --boost-verify-runtime=alignment=16 --split-input-file
// RUN: not boost-opt %s --boost-verify-runtime=alignment=1024 --split-input-file 2>&1 | FileCheck %s
// RUN: not boost-opt %s --boost-verify-runtime=alignment=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// CHECK: expects buffer 1 at a multiple of 1024 bytes, but got 64
// ALIGNMENT: expects an alignment of at least 1, but got 0
// Programs that use their memory rightly, at any alignment.

// Two parts are written, the whole is read; later another buffer has the memory.
func.func @parts(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 32>, array<i64: 128, 32>, array<i64: 64, 32>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2x2xf32>
  %oa = arith.constant 64 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<6xf32>
  %p = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2], strides: [4, 1] : memref<6xf32> to memref<2x2xf32, strided<[4, 1]>>
  %ob = arith.constant 72 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 1, 8>} : memref<256xi8> to memref<6xf32>
  %q = memref.reinterpret_cast %b to offset: [0], sizes: [2, 2], strides: [4, 1] : memref<6xf32> to memref<2x2xf32, strided<[4, 1]>>
  boostrt.gemm ins(%x, %x : memref<2x2xf32>, memref<2x2xf32>) outs(%p : memref<2x2xf32, strided<[4, 1]>>)
      {batch = 1, m = 2, n = 2, k = 2, layout_c = array<i64: 0, 4, 4>}
  boostrt.gemm ins(%x, %x : memref<2x2xf32>, memref<2x2xf32>) outs(%q : memref<2x2xf32, strided<[4, 1]>>)
      {batch = 1, m = 2, n = 2, k = 2, layout_c = array<i64: 0, 4, 4>}
  %ow = arith.constant 64 : index
  %w = memref.view %arena[%ow][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<8xf32>
  %oy = arith.constant 128 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<8xf32>
  boostrt.copy ins(%w : memref<8xf32>) outs(%y : memref<8xf32>)
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 3, 0>} : memref<256xi8> to memref<8xf32>
  boostrt.copy ins(%y : memref<8xf32>) outs(%z : memref<8xf32>)

  return
}

// -----

// Constants are outside of the arena, whatever their offsets are.
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

func.func @constant(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 0, 16>]} {
  %c = memref.get_global @table : memref<4xf32>
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%c : memref<4xf32>) outs(%x : memref<4xf32>)

  return
}

// -----

// Every element is read where it is written.
func.func private @negate(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  }
  return
}

func.func @in_place(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 64, 16>],
    boostrt.results = [array<i64: 2, 2>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 1>]}
  boostrt.launch @negate[4] (%y, %z : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64, boostrt.reads = [array<i64: 1>, array<i64>],
      boostrt.writes = [array<i64: 2>]}

  return
}

// -----

// What is undefined on tensors may be read.
func.func @undefined(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>],
    boostrt.results = [array<i64: 0, 1>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
      {boostrt.reads = [array<i64>, array<i64>], boostrt.writes = [array<i64: 1>]}

  return
}

// -----

// Parts of more rows than could be listed.
func.func @many_rows(%arena: memref<4294967296xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 536870912>, array<i64: 536870912, 1073741824>, array<i64: 1610612736, 1073741824>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<4294967296xi8> to memref<134217728x1xf32>
  %one = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<4294967296xi8> to memref<1x1xf32>
  %oa = arith.constant 536870912 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<4294967296xi8> to memref<268435455xf32>
  %p = memref.reinterpret_cast %a to offset: [0], sizes: [134217728, 1], strides: [2, 1] : memref<268435455xf32> to memref<134217728x1xf32, strided<[2, 1]>>
  %ob = arith.constant 536870916 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 1, 4>} : memref<4294967296xi8> to memref<268435455xf32>
  %q = memref.reinterpret_cast %b to offset: [0], sizes: [134217728, 1], strides: [2, 1] : memref<268435455xf32> to memref<134217728x1xf32, strided<[2, 1]>>
  boostrt.gemm ins(%x, %one : memref<134217728x1xf32>, memref<1x1xf32>) outs(%p : memref<134217728x1xf32, strided<[2, 1]>>)
      {batch = 1, m = 134217728, n = 1, k = 1, layout_c = array<i64: 0, 0, 2>}
  boostrt.gemm ins(%x, %one : memref<134217728x1xf32>, memref<1x1xf32>) outs(%q : memref<134217728x1xf32, strided<[2, 1]>>)
      {batch = 1, m = 134217728, n = 1, k = 1, layout_c = array<i64: 0, 0, 2>}
  %w = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<4294967296xi8> to memref<268435456xf32>
  %oy = arith.constant 1610612736 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 2, 0>} : memref<4294967296xi8> to memref<268435456xf32>
  boostrt.copy ins(%w : memref<268435456xf32>) outs(%y : memref<268435456xf32>)
  return
}
