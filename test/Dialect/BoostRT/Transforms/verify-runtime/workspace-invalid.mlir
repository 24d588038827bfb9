// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// What calls use while they run is in the arena, apart from all buffers.

module attributes {boostrt.workspace = array<i64: 64, 64>} {
  // expected-error @below {{expects buffers apart from the workspace of calls in [64, 128), but buffer 1 begins at 64}}
  func.func @f(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>,
      boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>]} {
    %ox = arith.constant 0 : index
    %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
    %oy = arith.constant 64 : index
    %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
      boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {boostrt.workspace_bytes = 100 : i64}
    return
  }
}

// -----

module attributes {boostrt.workspace = array<i64: 192, 65>} {
  // expected-error @below {{expects the workspace of calls inside the arena of 256 bytes, but got [192, 257)}}
  func.func @f(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>,
      boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>]} {
    %ox = arith.constant 0 : index
    %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
    %oy = arith.constant 64 : index
    %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
      boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {boostrt.workspace_bytes = 100 : i64}
    return
  }
}

// -----

module attributes {boostrt.workspace = array<i64: 128, 99>} {
  func.func @f(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>,
      boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>]} {
    %ox = arith.constant 0 : index
    %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
    %oy = arith.constant 64 : index
    %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
    // expected-error @below {{expects a workspace of 100 bytes, but the program has one of 99}}
    boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {boostrt.workspace_bytes = 100 : i64}
    return
  }
}

// -----

// expected-error @below {{expects a workspace at a multiple of 64 and its bytes, but got array<i64: 130, 100>}}
module attributes {boostrt.workspace = array<i64: 130, 100>} {
  func.func @f(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>,
      boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>]} {
    %ox = arith.constant 0 : index
    %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
    %oy = arith.constant 64 : index
    %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
      boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {boostrt.workspace_bytes = 100 : i64}
    return
  }
}

// -----

// expected-error @below {{expects a workspace at a multiple of 64 and its bytes, but got array<i64: 128>}}
module attributes {boostrt.workspace = array<i64: 128>} {
  func.func @f(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>,
      boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>]} {
    %ox = arith.constant 0 : index
    %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
    %oy = arith.constant 64 : index
    %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
      boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {boostrt.workspace_bytes = 100 : i64}
    return
  }
}

// -----

// One that is as it should be.

module attributes {boostrt.workspace = array<i64: 128, 128>} {
  func.func @f(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 16>]} {
    return
  }
}

// -----

func.func @none(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects a workspace of 100 bytes, but the program has one of 0}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {boostrt.workspace_bytes = 100 : i64}
  return
}
