// RUN: boost-opt %s --convert-boostrt-to-llvm | FileCheck %s
// The addresses of many buffers are computed by a loop, over positions in the array and offsets.

// CHECK-DAG:   llvm.mlir.global internal constant @[[$ENTRIES:boost_array_.*]](dense<"0x00000000000000004000000000000000{{.*}}"> : tensor<130xi64>)
// CHECK-LABEL: llvm.func @boost_fn_step(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK:         %[[ARRAY:.*]] = llvm.alloca
// CHECK:         %[[TABLE:.*]] = llvm.mlir.addressof @[[$ENTRIES]]
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
func.func @few(%arena: memref<4096xi8>) {
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = memref.view %arena[%c64][] : memref<4096xi8> to memref<4xf32>
  %y = memref.view %arena[%c128][] : memref<4096xi8> to memref<f32>
  boostrt.sum_of_squares ins(%x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) outs(%y : memref<f32>)
  return
}

// Those of a global have a loop of their own, as gradients that are one constant need.
// CHECK-LABEL: llvm.func @boost_fn_constant(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK:         %[[ARRAY:.*]] = llvm.alloca
// CHECK:         llvm.call @boost_fill_pointers(%[[ARENA]], %{{.*}}, %{{.*}}, %[[ARRAY]])
// CHECK:         %[[ONES:.*]] = llvm.mlir.addressof @ones
// CHECK:         llvm.call @boost_fill_pointers(%[[ONES]], %{{.*}}, %{{.*}}, %[[ARRAY]])
// CHECK-NOT:     llvm.store
// CHECK:         llvm.call @boost_rt_sum_of_squares(%[[CONTEXT]], %{{.*}}, %[[ARRAY]],
// CHECK-LABEL: llvm.func internal @boost_fill_pointers(
memref.global "private" constant @ones : memref<4xf32> = dense<1.0>
func.func @constant(%arena: memref<4096xi8>) {
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = memref.view %arena[%c64][] : memref<4096xi8> to memref<4xf32>
  %y = memref.view %arena[%c128][] : memref<4096xi8> to memref<f32>
  %g = memref.get_global @ones : memref<4xf32>
  boostrt.sum_of_squares ins(%x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g, %x, %g : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) outs(%y : memref<f32>)
  return
}
