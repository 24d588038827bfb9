// RUN: boost-opt %s --boostrt-plan-memory --split-input-file | FileCheck %s
// What functions share of the arena, and which one the record of the memory is about.

// Of two functions that need as much the last; results of one function lie where those of another do, results of both
// apart. What is declared only has no memory.

// CHECK: boost.arena_bytes = 192 : i64, boost.memory = {{{.*}}function = "second", {{.*}}peak = 192 : i64, {{.*}}results = 128 : i64,
// CHECK-SAME: name = "x", offset = 0 : i64
// CHECK-SAME: name = "both", offset = 64 : i64
// CHECK-SAME: name = "one", offset = 128 : i64
// CHECK-SAME: name = "two", offset = 128 : i64
// CHECK-LABEL: func.func private @declared(memref<4xf32>)
// CHECK-LABEL: func.func @first(%{{.*}}: memref<192xi8>)
// CHECK-SAME:    boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]
// CHECK-LABEL: func.func @second(
// CHECK-SAME:    boostrt.arguments = array<i64: 2>, boostrt.buffers = [array<i64: 128, 16>, array<i64: 64, 16>, array<i64: 0, 16>]
// CHECK-LABEL: func.func @third(
// CHECK-SAME:    boostrt.buffers = [array<i64: 0, 16>]
func.func private @declared(memref<4xf32>)
func.func @first(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">},
                 %both: memref<4xf32> {boost.tensor = #boost.tensor<output "both">},
                 %one: memref<4xf32> {boost.tensor = #boost.tensor<output "one">}) {
  boostrt.copy ins(%x : memref<4xf32>) outs(%both : memref<4xf32>)
  boostrt.copy ins(%x : memref<4xf32>) outs(%one : memref<4xf32>)
  return
}
func.func @second(%two: memref<4xf32> {boost.tensor = #boost.tensor<output "two">},
                  %both: memref<4xf32> {boost.tensor = #boost.tensor<output "both">},
                  %x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  boostrt.copy ins(%x : memref<4xf32>) outs(%both : memref<4xf32>)
  boostrt.copy ins(%x : memref<4xf32>) outs(%two : memref<4xf32>)
  return
}
func.func @third(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  return
}

// -----

// There is an arena even if nothing is in it.

// CHECK: boost.arena_bytes = 64 : i64, boost.memory = {{{.*}}function = "nothing", {{.*}}largest = [], {{.*}}peak = 64 : i64, {{.*}}temporaries = 0 : i64, unused = 64 : i64}, boost.tensors = []
// CHECK: func.func @nothing(%{{.*}}: memref<64xi8>) attributes {boostrt.arguments = array<i64>, boostrt.buffers = []}
func.func @nothing() {
  return
}

// -----

// Arguments and allocations that nothing uses have no view.

// CHECK-LABEL: func.func @unused(
// CHECK-NOT:     memref.view
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @unused(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  %t = memref.alloc() : memref<4xf32>
  return
}
