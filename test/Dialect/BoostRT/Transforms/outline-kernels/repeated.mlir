// RUN: boost-opt %s -boostrt-outline-kernels -o %t.once
// RUN: boost-opt %t.once -boostrt-outline-kernels | diff %t.once -
// RUN: FileCheck %s < %t.once

// Kernels stay as they are.
// CHECK:     boostrt.launch @[[KERNEL:.*]][8]
// CHECK:     func private @[[KERNEL]]
// CHECK-NOT: func
func.func @f(%arena: memref<128xi8>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = memref.view %arena[%c0][] : memref<128xi8> to memref<8xf32>
  %y = memref.view %arena[%c64][] : memref<128xi8> to memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
