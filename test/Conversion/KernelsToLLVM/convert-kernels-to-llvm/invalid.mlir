// RUN: boost-opt %s -convert-kernels-to-llvm -split-input-file -verify-diagnostics
// What has no counterpart in LLVM is refused inside of kernels.

func.func private @kernel(%begin: index, %end: index, %x: memref<64xf32>, %y: memref<64xf32>)
    attributes {boost.kernel} {
  // expected-error @below {{failed to legalize operation}}
  linalg.exp ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
