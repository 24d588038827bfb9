// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// What one function keeps no other one writes.

// A tensor that is larger in another function.
func.func @larger(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 64, 64>]} {
  return
}
// expected-error @below {{but bytes [64, 129) overlap [64, 128)}}
func.func @other(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 64, 65>]} {
  return
}

// -----

// A tensor that begins inside the last tensor before it.
func.func @inside(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 128>]} {
  return
}
// expected-error @below {{but bytes [64, 128) overlap [0, 128)}}
func.func @other(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 64, 64>]} {
  return
}

// -----

// A tensor that reaches into the next one by one byte.
func.func @reaches(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 64, 64>]} {
  return
}
// expected-error @below {{but bytes [0, 65) overlap [64, 128)}}
func.func @other(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 65>]} {
  return
}

// -----

// A buffer over the last byte of a tensor.
func.func @last_byte(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 65>]} {
  return
}
// expected-error @below {{but bytes [64, 128) overlap [0, 65)}}
func.func @other(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 64, 64>]} {
  return
}

// -----

// A buffer that begins before a tensor and ends behind it.
func.func @around(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 64, 64>]} {
  return
}
// expected-error @below {{but bytes [0, 256) overlap [64, 128)}}
func.func @other(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 0, 256>]} {
  return
}

// -----

// One in the place of a tensor, of as many bytes.
func.func @same_place(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 64, 64>]} {
  return
}
// expected-error @below {{but bytes [64, 128) overlap [64, 128)}}
func.func @other(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 64, 64>]} {
  return
}
