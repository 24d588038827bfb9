// RUN: boost-opt %s --convert-boostrt-to-llvm=calls-per-part=2 --split-input-file | FileCheck %s
// Functions take a slot of the stash as third pointer, and buffers in it are at a distance from that.

// CHECK-LABEL: llvm.func @boost_fn_forward(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %[[STASH:.*]]: !llvm.ptr)
// CHECK:         %[[O64:.*]] = llvm.mlir.constant(64 : i64)
// CHECK:         %[[H:.*]] = llvm.getelementptr %[[STASH]][%[[O64]]]
// CHECK:         %[[O128:.*]] = llvm.mlir.constant(128 : i64)
// CHECK:         %[[X:.*]] = llvm.getelementptr %[[ARENA]][%[[O128]]]
// CHECK:         llvm.call @boost_rt_copy(%[[CONTEXT]], %[[H]], %[[X]], %{{.*}})
func.func @forward(%arena: memref<4096xi8>, %stash: memref<256xi8>) {
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = memref.view %arena[%c128][] : memref<4096xi8> to memref<4xf32>
  %h = memref.view %stash[%c64][] : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%x : memref<4xf32>) outs(%h : memref<4xf32>)
  return
}

// -----

// A kernel has buffers of both. Parts of a long function get it, too.

llvm.func internal @kernel_0(%begin: i64, %end: i64, %buffers: !llvm.ptr) {
  llvm.return
}

// CHECK-LABEL: llvm.func @boost_fn_parts(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %[[STASH:.*]]: !llvm.ptr)
// CHECK-NEXT:    llvm.call @boost_part_parts_0(%[[CONTEXT]], %[[ARENA]], %[[STASH]])
// CHECK-NEXT:    llvm.call @boost_part_parts_1(%[[CONTEXT]], %[[ARENA]], %[[STASH]])
// CHECK-LABEL: llvm.func internal @boost_part_parts_0(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %[[STASH:.*]]: !llvm.ptr)
// CHECK:         %[[ARRAY:.*]] = llvm.alloca
// CHECK:         llvm.getelementptr %[[ARRAY]][0]
// CHECK:         %[[X:.*]] = llvm.getelementptr %[[ARENA]]
// CHECK:         llvm.store %[[X]]
// CHECK:         llvm.getelementptr %[[ARRAY]][1]
// CHECK:         %[[H:.*]] = llvm.getelementptr %[[STASH]]
// CHECK:         llvm.store %[[H]]
// CHECK:         llvm.call @boost_rt_launch
func.func @parts(%arena: memref<4096xi8>, %stash: memref<256xi8>) {
  %c64 = arith.constant 64 : index
  %x = memref.view %arena[%c64][] : memref<4096xi8> to memref<4xf32>
  %h = memref.view %stash[%c64][] : memref<256xi8> to memref<4xf32>
  boostrt.launch @kernel_0[32] (%x, %h : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64}
  boostrt.copy ins(%x : memref<4xf32>) outs(%h : memref<4xf32>)
  boostrt.copy ins(%h : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// -----

// Many buffers of the slot have a loop of their own.

// CHECK-LABEL: llvm.func @boost_fn_many(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %[[STASH:.*]]: !llvm.ptr)
// CHECK:         %[[ARRAY:.*]] = llvm.alloca
// CHECK:         llvm.call @boost_fill_pointers(%[[STASH]], %{{.*}}, %{{.*}}, %[[ARRAY]])
// CHECK:         llvm.call @boost_fill_pointers(%[[ARENA]], %{{.*}}, %{{.*}}, %[[ARRAY]])
// CHECK:         llvm.call @boost_rt_sum_of_squares
func.func @many(%arena: memref<4096xi8>, %stash: memref<256xi8>) {
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = memref.view %arena[%c64][] : memref<4096xi8> to memref<4xf32>
  %h = memref.view %stash[%c64][] : memref<256xi8> to memref<4xf32>
  %n = memref.view %arena[%c128][] : memref<4096xi8> to memref<f32>
  boostrt.sum_of_squares ins(%h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x, %h, %x : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) outs(%n : memref<f32>)
  return
}
