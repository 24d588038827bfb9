// RUN: boost-opt %s -convert-kernels-to-llvm | FileCheck %s -enable-var-scope
// A kernel becomes its rows, with buffers that cannot overlap, and an entry for the runtime.

// CHECK:       llvm.func @cbrtf(f32) -> f32
// CHECK-LABEL: llvm.func internal @scale_rows(
// CHECK-SAME:    i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias})
// CHECK-NOT:     memref
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> bf16
// Widening bf16 is a shift, which vectorizes.
// CHECK:         llvm.shl
// CHECK:         llvm.call @cbrtf
// CHECK:         llvm.return
// CHECK-LABEL: llvm.func internal @scale(
// CHECK-SAME:    %[[BEGIN:.*]]: i64, %[[END:.*]]: i64, %[[BUFFERS:.*]]: !llvm.ptr)
// CHECK:         %[[X:.*]] = llvm.load
// CHECK:         %[[SLOT:.*]] = llvm.getelementptr %[[BUFFERS]][1]
// CHECK:         %[[Y:.*]] = llvm.load %[[SLOT]]
// CHECK:         llvm.call @scale_rows(%[[BEGIN]], %[[END]], %[[X]], %[[Y]])
func.func private @scale(%begin: index, %end: index, %x: memref<64xbf16> {llvm.noalias},
                         %y: memref<64xf32> {llvm.noalias}) attributes {boost.kernel} {
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    %v = memref.load %x[%i] : memref<64xbf16>
    %w = arith.extf %v : bf16 to f32
    %e = math.cbrt %w : f32
    memref.store %e, %y[%i] : memref<64xf32>
  }
  return
}

// Integers become bf16 by way of f32, whose rounding is integer arithmetic.
// CHECK-LABEL: llvm.func internal @count_rows(
// CHECK:         llvm.sitofp %{{.*}} : i32 to f32
// CHECK:         llvm.lshr
// CHECK:         llvm.uitofp %{{.*}} : i16 to f32
// CHECK-NOT:     fptrunc
// CHECK:         llvm.return
func.func private @count(%begin: index, %end: index, %x: memref<64xi32>, %m: memref<64xi16>,
                         %y: memref<64xbf16>, %z: memref<64xbf16>) attributes {boost.kernel} {
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    %v = memref.load %x[%i] : memref<64xi32>
    %f = arith.sitofp %v : i32 to bf16
    memref.store %f, %y[%i] : memref<64xbf16>
    %u = memref.load %m[%i] : memref<64xi16>
    %g = arith.uitofp %u : i16 to bf16
    memref.store %g, %z[%i] : memref<64xbf16>
  }
  return
}

// What is no kernel stays.
// CHECK-LABEL: func.func @host
func.func @host(%arena: memref<64xi8>) {
  return
}
