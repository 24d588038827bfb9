// RUN: boost-opt %s --convert-boostrt-to-llvm | FileCheck %s
// The addresses of many buffers are computed by a loop.

// CHECK-DAG:   llvm.mlir.global internal constant @[[$OFFSETS:.*]](dense<64> : tensor<65xi64>)
// CHECK-LABEL: llvm.func @boost_fn_step(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr)
// CHECK:         %[[ARRAY:.*]] = llvm.alloca
// CHECK:         %[[TABLE:.*]] = llvm.mlir.addressof @[[$OFFSETS]]
// CHECK:         llvm.call @boost_fill_pointers(%[[ARENA]], %[[TABLE]], %{{.*}}, %[[ARRAY]])
// CHECK-NOT:     llvm.store
// CHECK:         llvm.call @boost_rt_sum_of_squares(%[[CONTEXT]], %{{.*}}, %[[ARRAY]],
func.func @step(%arena: memref<4096xi8>) {
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = memref.view %arena[%c64][] : memref<4096xi8> to memref<4xf32>
  %y = memref.view %arena[%c128][] : memref<4096xi8> to memref<f32>
  boostrt.sum_of_squares ins(%x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) outs(%y : memref<f32>)
  return
}

// Those of a few are computed one by one.
// CHECK-LABEL: llvm.func @boost_fn_few(
// CHECK-NOT:     @boost_fill_pointers
// CHECK-COUNT-64: llvm.store
// CHECK:         llvm.call @boost_rt_sum_of_squares(
// CHECK-LABEL: llvm.func internal @boost_fill_pointers(
func.func @few(%arena: memref<4096xi8>) {
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = memref.view %arena[%c64][] : memref<4096xi8> to memref<4xf32>
  %y = memref.view %arena[%c128][] : memref<4096xi8> to memref<f32>
  boostrt.sum_of_squares ins(%x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) outs(%y : memref<f32>)
  return
}
