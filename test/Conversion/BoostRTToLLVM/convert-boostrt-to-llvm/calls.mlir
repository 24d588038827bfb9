// RUN: boost-opt %s -convert-boostrt-to-llvm | FileCheck %s -enable-var-scope
// Operations become calls of the runtime with addresses in the arena.

// Counts, types and shapes are constants of the module.
// CHECK-DAG: llvm.mlir.global internal constant @[[$COUNTS:.*]](dense<[16, 4]> : tensor<2xi64>)
// CHECK-DAG: llvm.func @boost_rt_gemm(!llvm.ptr, i32, i32, i32, i32, i64, i64, i64, !llvm.ptr, i64, i64, !llvm.ptr, i64, i64, !llvm.ptr, i64, i64, i64, i32)
// CHECK-DAG: llvm.mlir.global internal constant @table(dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>)
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

llvm.func internal @kernel_0(%begin: i64, %end: i64, %buffers: !llvm.ptr) {
  llvm.return
}

// CHECK-LABEL: llvm.func @boost_fn_step(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr) attributes {no_inline, optimize_none}
// CHECK:         %[[ARRAY:.*]] = llvm.alloca
func.func @step(%arena: memref<4096xi8>) {
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = memref.view %arena[%c64][] : memref<4096xi8> to memref<4x4xf32>
  %y = memref.view %arena[%c128][] : memref<4096xi8> to memref<2x2xf32>
  %c = memref.get_global @table : memref<4xf32>

  // CHECK:     %[[KERNEL:.*]] = llvm.mlir.addressof @kernel_0
  // CHECK:     %[[SLOT:.*]] = llvm.getelementptr %[[ARRAY]][0]
  // CHECK:     %[[O64:.*]] = llvm.mlir.constant(64 : i64)
  // CHECK:     %[[X:.*]] = llvm.getelementptr %[[ARENA]][%[[O64]]]
  // CHECK:     llvm.store %[[X]], %[[SLOT]]
  // CHECK:     llvm.call @boost_rt_launch(%[[CONTEXT]], %[[KERNEL]], %[[ARRAY]], %{{.*}})
  boostrt.launch @kernel_0[32] (%x : memref<4x4xf32>) {num_outputs = 1 : i64}

  // A view with an offset is a further constant.
  // CHECK:     %[[O80:.*]] = llvm.mlir.constant(80 : i64)
  // CHECK:     %[[ROW:.*]] = llvm.getelementptr %[[ARENA]][%[[O80]]]
  // CHECK:     %[[START:.*]] = llvm.mlir.addressof @table
  // CHECK:     %[[TABLE:.*]] = llvm.getelementptr %[[START]]
  // CHECK:     %[[BYTES:.*]] = llvm.mlir.constant(16 : i64)
  // CHECK:     llvm.call @boost_rt_copy(%[[CONTEXT]], %[[ROW]], %[[TABLE]], %[[BYTES]])
  %row = memref.subview %x[1, 0][1, 4][1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: 4>>
  boostrt.copy ins(%c : memref<4xf32>) outs(%row : memref<4xf32, strided<[1], offset: 4>>)

  // CHECK:     llvm.call @boost_rt_gemm(
  boostrt.gemm ins(%x, %c : memref<4x4xf32>, memref<4xf32>) outs(%y : memref<2x2xf32>)
      {batch = 1, m = 2, n = 2, k = 2, transpose_a, layout_a = array<i64: 0, 0, 14>}

  // CHECK:     llvm.getelementptr %[[ARRAY]][1]
  // CHECK:     llvm.store
  // CHECK:     %[[COUNTARRAY:.*]] = llvm.mlir.addressof @[[$COUNTS]]
  // CHECK:     llvm.call @boost_rt_all_reduce(%[[CONTEXT]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ARRAY]], %[[COUNTARRAY]], %{{.*}})
  boostrt.all_reduce sum group 1 site 0 outs(%x, %y : memref<4x4xf32>, memref<2x2xf32>)

  // CHECK:     %[[Y:.*]] = llvm.getelementptr %[[ARENA]]
  // CHECK:     llvm.call @boost_rt_probe(%[[CONTEXT]], %{{.*}}, %{{.*}}, %[[Y]], %{{.*}})
  boostrt.probe %y as "y" site 5 sharding <{}, {}> : memref<2x2xf32>
  return
}
