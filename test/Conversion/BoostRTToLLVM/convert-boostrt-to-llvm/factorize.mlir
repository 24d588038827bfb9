// RUN: boost-opt %s -convert-boostrt-to-llvm | FileCheck %s -enable-var-scope
// The kind, the type, the buffers and the sizes of a factorization.

// CHECK-LABEL: llvm.func @boost_fn_step(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr,
// CHECK:         %[[ARRAY:.*]] = llvm.alloca
// CHECK-DAG:     %[[KIND:.*]] = llvm.mlir.constant(2 : i32)
// CHECK-DAG:     %[[TYPE:.*]] = llvm.mlir.constant(3 : i32)
func.func @step(%arena: memref<4096xi8>) {
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %packed = memref.view %arena[%c64][] : memref<4096xi8> to memref<2x6x4xf64>
  %scales = memref.view %arena[%c1024][] : memref<4096xi8> to memref<2x3xf64>
  %q = memref.view %arena[%c2048][] : memref<4096xi8> to memref<2x6x4xf64>
  // CHECK-COUNT-3: llvm.store
  // CHECK-DAG: %[[ROWS:.*]] = llvm.mlir.constant(6 : i64)
  // CHECK-DAG: %[[COLUMNS:.*]] = llvm.mlir.constant(4 : i64)
  // CHECK-DAG: %[[SCALES:.*]] = llvm.mlir.constant(3 : i64)
  // CHECK-DAG: %[[BATCH:.*]] = llvm.mlir.constant(2 : i64)
  // CHECK: llvm.call @boost_rt_factorize(%[[CONTEXT]], %[[KIND]], %[[TYPE]], %[[ARRAY]], %[[ROWS]], %[[COLUMNS]], %[[SCALES]], %[[BATCH]])
  boostrt.factorize qr_basis ins(%packed, %scales : memref<2x6x4xf64>, memref<2x3xf64>) outs(%q : memref<2x6x4xf64>)
  return
}
