// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// Every byte that is read was written before and is live.

func.func @unwritten(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects operand 0 to have been written, but of bytes [0, 16) of buffer 1 none were}}
  boostrt.copy ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)

  return
}

// -----

func.func @partly(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oh = arith.constant 64 : index
  %h = memref.view %arena[%oh][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2xf32>
  %og = arith.constant 0 : index
  %g = memref.view %arena[%og][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%g : memref<2xf32>) outs(%h : memref<2xf32>)
  // expected-error @below {{expects operand 0 to have been written, but of bytes [0, 16) of buffer 1 some were not}}
  boostrt.copy ins(%y : memref<4xf32>) outs(%z : memref<4xf32>)

  return
}

// -----

func.func @gaps(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 2>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 4>, array<i64: 192, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2x1xf32>
  %os = arith.constant 64 : index
  %s = memref.view %arena[%os][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<3xf32>
  %t = memref.reinterpret_cast %s to offset: [0], sizes: [2, 1], strides: [2, 1] : memref<3xf32> to memref<2x1xf32, strided<[2, 1]>>
  %ok = arith.constant 128 : index
  %k = memref.view %arena[%ok][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<1x1xf32>
  boostrt.gemm ins(%x, %k : memref<2x1xf32>, memref<1x1xf32>) outs(%t : memref<2x1xf32, strided<[2, 1]>>)
      {batch = 1, m = 2, n = 1, k = 1, layout_c = array<i64: 0, 2, 2>}
  %od = arith.constant 64 : index
  %d = memref.view %arena[%od][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<3xf32>
  %oe = arith.constant 192 : index
  %e = memref.view %arena[%oe][] {boostrt.buffer = array<i64: 3, 0>} : memref<256xi8> to memref<3xf32>
  // expected-error @below {{expects operand 0 to have been written, but of bytes [0, 12) of buffer 1 some were not}}
  boostrt.copy ins(%d : memref<3xf32>) outs(%e : memref<3xf32>)

  return
}

// -----

func.func @taken_over(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  %ow = arith.constant 128 : index
  %w = memref.view %arena[%ow][] {boostrt.buffer = array<i64: 3, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  // expected-note @below {{which is written here}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%z : memref<4xf32>)
  // expected-error @below {{expects operand 0 to be live, but the memory of buffer 1 is another buffer's}}
  boostrt.copy ins(%y : memref<4xf32>) outs(%w : memref<4xf32>)

  return
}

// -----

func.func @over_argument(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 2>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 0, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 0 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects buffer 1 to share no memory with the arguments, but it overlaps argument 0}}
  boostrt.copy ins(%z : memref<4xf32>) outs(%y : memref<4xf32>)

  return
}

// -----

func.func @overlap(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 64>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 4 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 0, 4>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects outs that share no memory with other operands, but operands 0 and 1 do}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)

  return
}

// -----

// Two halves that overlap are as many bytes as the whole, of which the end is missing.
func.func @overlapping(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %og = arith.constant 0 : index
  %g = memref.view %arena[%og][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2xf32>
  %oh = arith.constant 64 : index
  %h = memref.view %arena[%oh][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2xf32>
  %oi = arith.constant 68 : index
  %i = memref.view %arena[%oi][] {boostrt.buffer = array<i64: 1, 4>} : memref<256xi8> to memref<2xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%g : memref<2xf32>) outs(%h : memref<2xf32>)
  boostrt.copy ins(%g : memref<2xf32>) outs(%i : memref<2xf32>)
  // expected-error @below {{expects operand 0 to have been written, but of bytes [0, 16) of buffer 1 some were not}}
  boostrt.copy ins(%y : memref<4xf32>) outs(%z : memref<4xf32>)

  return
}
