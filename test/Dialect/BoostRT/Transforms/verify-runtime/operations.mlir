// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// Everything that does not belong is reported, with the pass that removes it.

// expected-error @below {{is not an operation of the runtime level; boostrt-bufferize should have removed it}}
func.func @tensors(%x: tensor<4xf32>) {
  // expected-error @below {{convert-stablehlo-to-linalg should have removed it}}
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  // expected-error @below {{convert-boost-to-runtime should have removed it}}
  boost.phase backward
  return
}

// -----

func.func @memrefs(%x: memref<4xf32>) {
  // expected-error @below {{boostrt-plan-memory should have removed it}}
  %0 = memref.alloc() : memref<4xf32>
  // expected-error @below {{boostrt-outline-kernels should have removed it}}
  linalg.exp ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>)
  // expected-error @below {{boostrt-outline-kernels should have removed it}}
  boostrt.rows 4 outs(%0 : memref<4xf32>) {
  ^bb0(%row: index, %out: memref<4xf32>):
  }
  return
}

// -----

func.func @unknown(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %o = arith.constant 0 : index
  // expected-error @below {{has no function in the runtime}}
  memref.assume_alignment %arena, 64 : memref<256xi8>
  return
}
