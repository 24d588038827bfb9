// RUN: boost-opt %s -convert-kernels-to-llvm | FileCheck %s
// Functions that are no kernels are for convert-boostrt-to-llvm.

// CHECK-LABEL: func.func @step
// CHECK-NEXT:    linalg.exp
// CHECK-NEXT:    return
func.func @step(%x: memref<64xf32>, %y: memref<64xf32>) {
  linalg.exp ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
