// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// A function has the arena, some bytes of known number, and nothing else; what it calls is in the arena or constant.

// expected-error @below {{expects the arena, and a slot of the stash or nothing, as arguments, no result and one block; run boostrt-plan-memory}}
func.func @no_argument() attributes {boostrt.arguments = array<i64>, boostrt.buffers = []} {
  return
}

// -----

// expected-error @below {{expects the arena, and a slot of the stash or nothing, as arguments, no result and one block}}
func.func @three_arguments(%arena: memref<64xi8>, %stash: memref<64xi8>, %other: memref<64xi8>) attributes {
    boostrt.arguments = array<i64>, boostrt.buffers = []} {
  return
}

// -----

// expected-error @below {{expects the arena, and a slot of the stash or nothing, as arguments, no result and one block}}
func.func @result(%arena: memref<64xi8>) -> index attributes {boostrt.arguments = array<i64>, boostrt.buffers = []} {
  %c0 = arith.constant 0 : index
  return %c0 : index
}

// -----

// expected-error @below {{expects the arena, and a slot of the stash or nothing, as arguments, no result and one block}}
func.func @number(%arena: i8) attributes {boostrt.arguments = array<i64>, boostrt.buffers = []} {
  return
}

// -----

// expected-error @below {{expects the arena, and a slot of the stash or nothing, as arguments, no result and one block}}
func.func @two_dimensions(%arena: memref<8x8xi8>) attributes {boostrt.arguments = array<i64>, boostrt.buffers = []} {
  return
}

// -----

// expected-error @below {{expects the arena, and a slot of the stash or nothing, as arguments, no result and one block}}
func.func @unknown_size(%arena: memref<?xi8>) attributes {boostrt.arguments = array<i64>, boostrt.buffers = []} {
  return
}

// -----

// expected-error @below {{expects the arena, and a slot of the stash or nothing, as arguments, no result and one block}}
func.func @words(%arena: memref<64xi32>) attributes {boostrt.arguments = array<i64>, boostrt.buffers = []} {
  return
}

// -----

// expected-error @below {{expects the arena, and a slot of the stash or nothing, as arguments, no result and one block}}
func.func @two_blocks(%arena: memref<64xi8>) attributes {boostrt.arguments = array<i64>, boostrt.buffers = []} {
  cf.br ^bb1
^bb1:
  return
}

// -----

// expected-error @below {{expects the memory plan in 'boostrt.buffers' and 'boostrt.arguments'; run boostrt-plan-memory}}
func.func @no_arguments(%arena: memref<64xi8>) attributes {boostrt.buffers = []} {
  return
}

// -----

// expected-error @below {{expects the memory plan in 'boostrt.buffers' and 'boostrt.arguments'; run boostrt-plan-memory}}
func.func @no_buffers(%arena: memref<64xi8>) attributes {boostrt.arguments = array<i64>} {
  return
}

// -----

// expected-error @below {{expects buffer 0 inside the arena of 64 bytes, but got array<i64: 0>}}
func.func @no_bytes(%arena: memref<64xi8>) attributes {boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 0>]} {
  return
}

// -----

// expected-error @below {{expects buffer 0 inside the arena of 64 bytes, but got array<i64: 0, -1>}}
func.func @negative_bytes(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 0, -1>]} {
  return
}

// -----

// expected-error @below {{expects buffer 0 inside the arena of 64 bytes, but got array<i64: 0, 65>}}
func.func @one_byte_more(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 0, 65>]} {
  return
}

// -----

// expected-error @below {{expects buffer 0 inside the arena of 64 bytes, but got array<i64: 128, 0>}}
func.func @nothing_behind_the_arena(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 128, 0>]} {
  return
}

// -----

// expected-error @below {{expects arguments in [0, 1), but got -1}}
func.func @negative_argument(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: -1>, boostrt.buffers = [array<i64: 0, 64>]} {
  return
}

// -----

// The arena as it is, of which no buffer is known.
func.func @arena_itself(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 64>]} {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<64xi8> to memref<64xi8>
  // expected-error @below {{expects buffers at constant offsets of the arena or globals; run boostrt-plan-memory}}
  boostrt.copy ins(%arena : memref<64xi8>) outs(%x : memref<64xi8>)
  return
}

// -----

func.func @view_of_a_view(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 32>]} {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<64xi8> to memref<32xi8>
  // expected-error @below {{expects a constant place in the arena or the stash and the buffer there in 'boostrt.buffer'}}
  %y = memref.view %x[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<32xi8> to memref<4xf32>
  return
}

// -----

func.func @no_place_in_the_buffer(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 32>]} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expects a constant place in the arena or the stash and the buffer there in 'boostrt.buffer'}}
  %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0>} : memref<64xi8> to memref<4xf32>
  return
}

// -----

func.func @view_of_unknown_size(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 32>]} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{expects a constant place in the arena or the stash and the buffer there in 'boostrt.buffer'}}
  %x = memref.view %arena[%c0][%c4] {boostrt.buffer = array<i64: 0, 0>} : memref<64xi8> to memref<?xf32>
  return
}

// -----

memref.global "private" constant @table : memref<1xindex> = dense<0>

func.func @view_at_an_unknown_place(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 32>]} {
  %c0 = arith.constant 0 : index
  %table = memref.get_global @table : memref<1xindex>
  // expected-error @below {{has no function in the runtime}}
  %at = memref.load %table[%c0] : memref<1xindex>
  %x = memref.view %arena[%at][] {boostrt.buffer = array<i64: 0, 0>} : memref<64xi8> to memref<4xf32>
  return
}

// -----

func.func @negative_buffer(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 32>]} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expects a buffer in [0, 1), but got -1}}
  %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: -1, 0>} : memref<64xi8> to memref<4xf32>
  return
}

// -----

func.func @behind_the_buffer(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 32>]} {
  %c36 = arith.constant 36 : index
  // expected-error @below {{expects a part of the 32 bytes of buffer 0, but got 0 bytes from byte 36}}
  %x = memref.view %arena[%c36][] {boostrt.buffer = array<i64: 0, 36>} : memref<64xi8> to memref<0xf32>
  return
}

// -----

func.func @part_across_the_end(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 32>]} {
  %c20 = arith.constant 20 : index
  // expected-error @below {{expects a part of the 32 bytes of buffer 0, but got 16 bytes from byte 20}}
  %x = memref.view %arena[%c20][] {boostrt.buffer = array<i64: 0, 20>} : memref<64xi8> to memref<4xf32>
  return
}

// -----

func.func @cast_of_unknown_size(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 32>]} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<64xi8> to memref<8xf32>
  // expected-error @below {{expects a static layout of a dense buffer, but got 'memref<?xf32, strided<[1]>>'}}
  %s = memref.reinterpret_cast %x to offset: [0], sizes: [%c4], strides: [1] : memref<8xf32> to memref<?xf32, strided<[1]>>
  return
}

// -----

func.func @cast_of_a_cast(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 32>]} {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<64xi8> to memref<7xf32>
  %s = memref.reinterpret_cast %x to offset: [0], sizes: [4], strides: [2] : memref<7xf32> to memref<4xf32, strided<[2]>>
  // expected-error @below {{expects a static layout of a dense buffer, but got 'memref<4xf32, strided<[1]>>'}}
  %t = memref.reinterpret_cast %s to offset: [0], sizes: [4], strides: [1] : memref<4xf32, strided<[2]>> to memref<4xf32, strided<[1]>>
  return
}

// -----

func.func @cast_beyond_its_source(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 32>]} {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<64xi8> to memref<4xf32>
  // expected-error @below {{expects exactly the 4 of its source, but reaches from 0 to 4}}
  %s = memref.reinterpret_cast %x to offset: [0], sizes: [3], strides: [2] : memref<4xf32> to memref<3xf32, strided<[2]>>
  return
}

// -----

memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

func.func @before_a_constant(%arena: memref<64xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 32>]} {
  %x = memref.get_global @table : memref<4xf32>
  // expected-error @below {{expects elements among the 4 of its source, but reaches from -1 to 1}}
  %s = memref.reinterpret_cast %x to offset: [1], sizes: [2], strides: [-2] : memref<4xf32> to memref<2xf32, strided<[-2], offset: 1>>
  return
}
