// RUN: boost-opt %s -convert-boostrt-to-llvm=list-constants=true | FileCheck %s
// RUN: boost-opt %s -convert-boostrt-to-llvm | FileCheck %s --check-prefix=WITHOUT
// Devices with memory of their own copy the constants, which are listed with their sizes in bytes.

// WITHOUT-NOT: boost_program_constants

// CHECK-DAG: llvm.mlir.global internal constant @table
// CHECK-DAG: llvm.mlir.global internal constant @mask
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" constant @mask : memref<3xi1> = dense<[true, false, true]>

func.func @step(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] : memref<4096xi8> to memref<4xf32>
  %c = memref.get_global @table : memref<4xf32>
  boostrt.copy ins(%c : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// CHECK:      llvm.mlir.global external constant @boost_program_constants() {{.*}} : !llvm.array<3 x struct<(ptr, i64)>> {
// CHECK-NEXT:   %[[NONE:.*]] = llvm.mlir.zero
// CHECK-NEXT:   %[[A:.*]] = llvm.mlir.addressof @table
// CHECK-NEXT:   %[[T0:.*]] = llvm.insertvalue %[[A]], %[[NONE]][0, 0]
// CHECK-NEXT:   %[[B:.*]] = llvm.mlir.constant(16 : i64)
// CHECK-NEXT:   %[[T1:.*]] = llvm.insertvalue %[[B]], %[[T0]][0, 1]
// CHECK-NEXT:   %[[C:.*]] = llvm.mlir.addressof @mask
// CHECK-NEXT:   %[[T2:.*]] = llvm.insertvalue %[[C]], %[[T1]][1, 0]
// CHECK-NEXT:   %[[D:.*]] = llvm.mlir.constant(3 : i64)
// CHECK-NEXT:   %[[T3:.*]] = llvm.insertvalue %[[D]], %[[T2]][1, 1]
// CHECK-NEXT:   llvm.return %[[T3]]
