// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// Every buffer lies in the arena, every view in its buffer.

// expected-error @below {{expects the arena, and a slot of the stash or nothing, as arguments, no result and one block; run boostrt-plan-memory}}
func.func @no_arena(%x: memref<4xf32>) {
  return
}

// -----

// expected-error @below {{expects the memory plan in 'boostrt.buffers' and 'boostrt.arguments'; run boostrt-plan-memory}}
func.func @no_plan(%arena: memref<64xi8>) {
  return
}

// -----

// expected-error @below {{expects buffer 1 inside the arena of 256 bytes, but got array<i64: 256, 16>}}
func.func @outside(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 256, 16>]} {

  return
}

// -----

// expected-error @below {{expects buffer 0 inside the arena of 256 bytes, but got array<i64: -64, 16>}}
func.func @negative(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: -64, 16>]} {

  return
}

// -----

// expected-error @below {{expects buffer 0 inside the arena of 256 bytes}}
func.func @too_large(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 64, 9223372036854775807>]} {

  return
}

// -----

// expected-error @below {{expects buffer 0 at a multiple of 64 bytes, but got 32}}
func.func @alignment(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 32, 16>]} {

  return
}

// -----

// expected-error @below {{expects arguments in [0, 1), but got 1}}
func.func @argument(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 1>,
    boostrt.buffers = [array<i64: 0, 16>]} {

  return
}

// -----

// expected-error @below {{expects buffer 1 to share no memory with the arguments, but it overlaps argument 0}}
func.func @overlapping_arguments(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 0, 128>, array<i64: 64, 16>]} {

  return
}

// -----

func.func @no_buffer(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %o = arith.constant 0 : index
  // expected-error @below {{expects a constant place in the arena or the stash and the buffer there in 'boostrt.buffer'; run boostrt-plan-memory}}
  %x = memref.view %arena[%o][] : memref<256xi8> to memref<4xf32>
  return
}

// -----

func.func @unknown_buffer(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  // expected-error @below {{expects a buffer in [0, 3), but got 3}}
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 3, 0>} : memref<256xi8> to memref<4xf32>

  return
}

// -----

func.func @beyond_buffer(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 64 : index
  // expected-error @below {{expects a part of the 16 bytes of buffer 1, but got 20 bytes from byte 0}}
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<5xf32>

  return
}

// -----

func.func @before_buffer(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 60 : index
  // expected-error @below {{expects a part of the 16 bytes of buffer 1, but got 16 bytes from byte -4}}
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 1, -4>} : memref<256xi8> to memref<4xf32>

  return
}

// -----

func.func @offset(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 68 : index
  // expected-error @below {{expects byte 0 of buffer 1 at offset 64, but got 68}}
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2xf32>

  return
}

// -----

func.func @place(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 64 : index
  // expected-error @below {{expects byte 4 of buffer 1 at offset 68, but got 64}}
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 1, 4>} : memref<256xi8> to memref<2xf32>

  return
}

// -----

func.func @stride(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects exactly the 4 of its source, but reaches from 0 to 2}}
  %s = memref.reinterpret_cast %x to offset: [0], sizes: [2], strides: [2] : memref<4xf32> to memref<2xf32, strided<[2]>>
  return
}

// -----

func.func @cast_offset(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects exactly the 4 of its source, but reaches from 1 to 4}}
  %s = memref.reinterpret_cast %x to offset: [1], sizes: [2], strides: [3] : memref<4xf32> to memref<2xf32, strided<[3], offset: 1>>
  return
}

// -----

func.func @cast_of_unknown_rank(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{has no function in the runtime}}
  %u = memref.cast %x : memref<4xf32> to memref<*xf32>
  %s = memref.reinterpret_cast %u to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf32, strided<[1]>>
  return
}

// -----

memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

func.func @constant(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %x = memref.get_global @table : memref<4xf32>
  // expected-error @below {{expects elements among the 4 of its source, but reaches from 2 to 4}}
  %s = memref.reinterpret_cast %x to offset: [2], sizes: [2], strides: [2] : memref<4xf32> to memref<2xf32, strided<[2], offset: 2>>
  return
}

// -----

memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

func.func @written_constant(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %c = memref.get_global @table : memref<4xf32>
  // expected-error @below {{expects operand 1 in the arena, but it is a constant}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%c : memref<4xf32>)

  return
}

// -----

func.func @kept(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 64>]} {

  return
}

// expected-error @below {{expects buffers that share no memory with tensors that stay, but bytes [0, 16) overlap [0, 64)}}
func.func @other(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 1>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>]} {

  return
}
