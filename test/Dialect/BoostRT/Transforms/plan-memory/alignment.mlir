// RUN: boost-opt %s --boostrt-plan-memory | FileCheck %s --check-prefix=CHECK64
// RUN: boost-opt %s --boostrt-plan-memory=alignment=256 | FileCheck %s --check-prefix=CHECK256
// RUN: not boost-opt %s --boostrt-plan-memory=alignment=48 2>&1 | FileCheck %s --check-prefix=INVALID -DALIGNMENT=48
// RUN: not boost-opt %s --boostrt-plan-memory=alignment=8192 2>&1 | FileCheck %s --check-prefix=INVALID -DALIGNMENT=8192
// RUN: not boost-opt %s --boostrt-plan-memory=alignment=0 2>&1 | FileCheck %s --check-prefix=INVALID -DALIGNMENT=0

// Named tensors, transient buffers and the size of the arena keep to the
// alignment of the target.

// INVALID: error: expects an alignment that is a power of two of at most 4096, but got [[ALIGNMENT]]

// CHECK64: boost.arena_bytes = 320 : i64
// CHECK64: boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 68>, array<i64: 256, 16>]
// CHECK256: boost.arena_bytes = 1024 : i64
// CHECK256: boostrt.buffers = [array<i64: 0, 16>, array<i64: 256, 16>, array<i64: 512, 68>, array<i64: 768, 16>]
func.func @f(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">},
             %y: memref<4xf32> {boost.tensor = #boost.tensor<param "y">}) {
  %s = memref.alloc() : memref<17xf32>
  %t = memref.alloc() : memref<4xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<17xf32>)
  boostrt.copy ins(%x : memref<4xf32>) outs(%t : memref<4xf32>)
  boostrt.copy ins(%t : memref<4xf32>) outs(%y : memref<4xf32>)
  linalg.fill ins(%zero : f32) outs(%s : memref<17xf32>)
  return
}
