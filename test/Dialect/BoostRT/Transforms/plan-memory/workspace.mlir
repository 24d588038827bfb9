// RUN: boost-opt %s --boostrt-plan-memory="alignment=256" --split-input-file | FileCheck %s
// What single calls use while they run lies behind all buffers, as large as the call needs that needs most.

// CHECK: module attributes {boost.arena_bytes = 2048 : i64,
// CHECK-SAME: peak = 2048 : i64
// CHECK-SAME: temporaries = 1792 : i64, unused = 0 : i64
// CHECK-SAME: boostrt.workspace = array<i64: 768, 1100>
// CHECK-LABEL: func.func @f(%{{.*}}: memref<2048xi8>)
func.func @f(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  %s = memref.alloc() : memref<4xf32>
  boostrt.copy ins(%x : memref<4xf32>) outs(%s : memref<4xf32>) {boostrt.workspace_bytes = 300 : i64}
  %t = memref.alloc() : memref<4xf32>
  boostrt.copy ins(%s : memref<4xf32>) outs(%t : memref<4xf32>)
  return
}
func.func @g(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  %s = memref.alloc() : memref<4xf32>
  boostrt.copy ins(%x : memref<4xf32>) outs(%s : memref<4xf32>) {boostrt.workspace_bytes = 1100 : i64}
  return
}

// -----

// Calls that need none have none.

// CHECK: module attributes {boost.arena_bytes = 512 : i64
// CHECK-NOT: boostrt.workspace
func.func @f(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  %s = memref.alloc() : memref<4xf32>
  boostrt.copy ins(%x : memref<4xf32>) outs(%s : memref<4xf32>)
  return
}
