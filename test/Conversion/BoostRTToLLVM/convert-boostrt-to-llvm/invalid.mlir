// RUN: boost-opt %s -split-input-file -convert-boostrt-to-llvm -verify-diagnostics
// What cannot be a call of the runtime is refused where it stands.

// expected-error @below {{expects the arena, and a slot of the stash or nothing, as arguments, no result and one block; run boostrt-plan-memory}}
func.func @three_arguments(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) {
  return
}

// -----

func.func @no_site(%arena: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
  // expected-error @below {{expects a site; run boostrt-number-collectives}}
  boostrt.all_reduce sum group 1 outs(%x : memref<4xf32>)
  return
}

// -----

func.func @unplanned(%arena: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %offset = arith.addi %c0, %c0 : index
  %x = memref.view %arena[%offset][] : memref<64xi8> to memref<4xf32>
  %y = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
  // expected-error @below {{expects buffers at constant offsets of the arena or globals; run boostrt-plan-memory}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @no_call(%arena: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
  // expected-error @below {{'linalg.exp' op has no function in the runtime}}
  linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// -----

// expected-error @below {{is a kernel; run convert-kernels-to-llvm before}}
func.func private @kernel(%begin: index, %end: index, %x: memref<4xf32>) attributes {boost.kernel} {
  return
}
