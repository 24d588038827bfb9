// RUN: boost-opt %s --boostrt-outline-kernels --convert-kernels-to-gpu --canonicalize | FileCheck %s

// Loops that are written out: a thread for every row, booleans as bytes, and
// every operation on bf16 rounded.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    %[[P:.*]]: memref<300xi8> {{.*}}, %[[X:.*]]: memref<300xbf16>
// CHECK-SAME:    known_grid_size = array<i32: 3, 1, 1>
// CHECK:         %[[NEEDED:.*]] = arith.cmpi ult, %[[ROW:.*]], %c300
// CHECK:         scf.if %[[NEEDED]]
// CHECK:           memref.load %[[P]]
// CHECK:           arith.addf %{{.*}} : f32
// CHECK:           arith.truncf
// CHECK:           memref.store
func.func @f(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %p = memref.view %arena[%c0][] : memref<4096xi8> to memref<300xi1>
  %x = memref.view %arena[%c1024][] : memref<4096xi8> to memref<300xbf16>
  boostrt.rows 300 ins(%p : memref<300xi1>) outs(%x : memref<300xbf16>) {
  ^bb0(%row: index, %choice: memref<300xi1>, %out: memref<300xbf16>):
    %c = memref.load %choice[%row] : memref<300xi1>
    %v = memref.load %out[%row] : memref<300xbf16>
    %twice = arith.addf %v, %v : bf16
    %r = arith.select %c, %twice, %v : bf16
    memref.store %r, %out[%row] : memref<300xbf16>
  }
  return
}
