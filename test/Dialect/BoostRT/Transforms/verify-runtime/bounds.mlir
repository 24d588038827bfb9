// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// Buffers, views and the workspace that just fit, and what has no bytes, which shares none with anything.

// The buffers fill the arena; the last has no bytes and begins at its end.
func.func @buffers(%arena: memref<128xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 64>, array<i64: 64, 64>, array<i64: 128, 0>]} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<128xi8> to memref<8xf32>
  %b = memref.view %arena[%c32][] {boostrt.buffer = array<i64: 0, 32>} : memref<128xi8> to memref<8xf32>
  %none = memref.view %arena[%c64][] {boostrt.buffer = array<i64: 0, 64>} : memref<128xi8> to memref<0xf32>
  %c = memref.view %arena[%c64][] {boostrt.buffer = array<i64: 1, 0>} : memref<128xi8> to memref<8xf32>
  %d = memref.view %arena[%c96][] {boostrt.buffer = array<i64: 1, 32>} : memref<128xi8> to memref<8xf32>
  %last = memref.view %arena[%c128][] {boostrt.buffer = array<i64: 2, 0>} : memref<128xi8> to memref<0xf32>
  boostrt.copy ins(%a : memref<8xf32>) outs(%c : memref<8xf32>)
  boostrt.copy ins(%b : memref<8xf32>) outs(%d : memref<8xf32>)
  boostrt.copy ins(%none : memref<0xf32>) outs(%last : memref<0xf32>)
  return
}

// -----

// Casts: all elements of the source backwards, none of it, and some of a constant.
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

func.func @casts(%arena: memref<128xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>]} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<128xi8> to memref<4xf32>
  %y = memref.view %arena[%c64][] {boostrt.buffer = array<i64: 1, 0>} : memref<128xi8> to memref<4xf32>
  %table = memref.get_global @table : memref<4xf32>
  %backwards = memref.reinterpret_cast %x to offset: [3], sizes: [4], strides: [-1] : memref<4xf32> to memref<4xf32, strided<[-1], offset: 3>>
  %none = memref.reinterpret_cast %x to offset: [0], sizes: [0], strides: [1] : memref<4xf32> to memref<0xf32, strided<[1]>>
  %first = memref.reinterpret_cast %table to offset: [0], sizes: [2], strides: [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %last = memref.reinterpret_cast %table to offset: [2], sizes: [2], strides: [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  return
}

// -----

// The workspace lies directly behind one buffer and before another. Two buffers that have no bytes lie inside it.
module attributes {boostrt.workspace = array<i64: 64, 128>} {
  func.func @workspace(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>,
      boostrt.buffers = [array<i64: 0, 64>, array<i64: 192, 64>, array<i64: 64, 0>, array<i64: 128, 0>]} {
    %c0 = arith.constant 0 : index
    %c192 = arith.constant 192 : index
    %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<16xf32>
    %y = memref.view %arena[%c192][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<16xf32>
    boostrt.copy ins(%x : memref<16xf32>) outs(%y : memref<16xf32>) {boostrt.workspace_bytes = 128 : i64}
    return
  }
}

// -----

// A workspace at the begin of the arena, and one of no bytes at its end.
module attributes {boostrt.workspace = array<i64: 0, 64>} {
  func.func @first(%arena: memref<64xi8>) attributes {boostrt.arguments = array<i64>, boostrt.buffers = []} {
    return
  }
}

// -----

module attributes {boostrt.workspace = array<i64: 64, 0>} {
  func.func @last(%arena: memref<64xi8>) attributes {boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 64>]} {
    return
  }
}

// -----

// Tensors that stay are the same in two functions, or next to each other. What has no bytes may be anywhere.
func.func @one(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1>, boostrt.buffers = [array<i64: 64, 64>, array<i64: 64, 0>, array<i64: 192, 64>]} {
  return
}
func.func @two(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1, 2>,
    boostrt.buffers = [array<i64: 128, 64>, array<i64: 64, 64>, array<i64: 64, 0>, array<i64: 0, 64>, array<i64: 64, 0>]} {
  return
}
