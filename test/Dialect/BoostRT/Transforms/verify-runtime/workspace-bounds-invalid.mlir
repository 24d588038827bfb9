// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// Workspaces that are just too large, or not in the arena.

// A buffer reaches into the workspace by one byte.
module attributes {boostrt.workspace = array<i64: 64, 64>} {
  // expected-error @below {{expects buffers apart from the workspace of calls in [64, 128), but buffer 0 begins at 0}}
  func.func @f(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 65>]} {
    return
  }
}

// -----

// The workspace reaches into a buffer by one byte.
module attributes {boostrt.workspace = array<i64: 64, 129>} {
  // expected-error @below {{expects buffers apart from the workspace of calls in [64, 193), but buffer 1 begins at 192}}
  func.func @f(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 64>, array<i64: 192, 64>]} {
    return
  }
}

// -----

// It begins behind the arena.
module attributes {boostrt.workspace = array<i64: 320, 0>} {
  // expected-error @below {{expects the workspace of calls inside the arena of 256 bytes, but got [320, 320)}}
  func.func @f(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 64>, array<i64: 192, 64>]} {
    return
  }
}

// -----

// It begins before the arena.
// expected-error @below {{expects a workspace at a multiple of 64 and its bytes, but got array<i64: -64, 64>}}
module attributes {boostrt.workspace = array<i64: -64, 64>} {
  func.func @f(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 64>, array<i64: 192, 64>]} {
    return
  }
}

// -----

// It has a negative number of bytes.
// expected-error @below {{expects a workspace at a multiple of 64 and its bytes, but got array<i64: 64, -1>}}
module attributes {boostrt.workspace = array<i64: 64, -1>} {
  func.func @f(%arena: memref<256xi8>) attributes {
      boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 64>, array<i64: 192, 64>]} {
    return
  }
}
