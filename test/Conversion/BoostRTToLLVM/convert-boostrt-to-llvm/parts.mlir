// RUN: boost-opt %s -convert-boostrt-to-llvm=calls-per-part=2 | FileCheck %s
// A long function calls parts, in order, so that none is long.

// CHECK-LABEL: llvm.func @boost_fn_loss(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %[[STASH:.*]]: !llvm.ptr)
// CHECK-NEXT:    llvm.call @boost_part_loss_0(%[[CONTEXT]], %[[ARENA]], %[[STASH]])
// CHECK-NEXT:    llvm.call @boost_part_loss_1(%[[CONTEXT]], %[[ARENA]], %[[STASH]])
// CHECK-NEXT:    llvm.return
// CHECK-LABEL: llvm.func internal @boost_part_loss_0(
// CHECK-COUNT-2: llvm.call @boost_rt_copy
// CHECK-NOT:     llvm.call
// CHECK-LABEL: llvm.func internal @boost_part_loss_1(
// CHECK:         llvm.call @boost_rt_process_index
func.func @loss(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = memref.view %arena[%c0][] : memref<4096xi8> to memref<4xf32>
  %y = memref.view %arena[%c64][] : memref<4096xi8> to memref<4xf32>
  %i = memref.view %arena[%c0][] : memref<4096xi8> to memref<i32>
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  boostrt.copy ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
  boostrt.process_index group 1 outs(%i : memref<i32>)
  return
}
