// RUN: boost-opt %s -boost-rematerialize=mode=full-block | FileCheck %s
// A boolean is a byte in memory, not a bit.

// Four of them that must be kept are four bytes.
// CHECK-LABEL: func.func @kept
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 4>
func.func @kept(%p: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.optimization_barrier %p : tensor<4xi1>
  boost.phase backward
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %1 = stablehlo.select %0, %x, %zero : tensor<4xi1>, tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Sixteen booleans from two numbers: the numbers are fewer bytes, though not
// fewer bits.
// CHECK-LABEL: func.func @recomputed
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 8>
// CHECK:         %[[B:.*]] = stablehlo.optimization_barrier
// CHECK:         boost.phase backward
// CHECK:         stablehlo.compare
func.func @recomputed(%x: tensor<2xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zeros = stablehlo.constant dense<0.0> : tensor<2x8xf32>
  %0 = stablehlo.optimization_barrier %x : tensor<2xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] {boost.component = "block"} : (tensor<2xf32>) -> tensor<2x8xf32>
  %2 = stablehlo.compare GT, %1, %y {boost.component = "block"} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
  boost.phase backward
  %3 = stablehlo.select %2, %y, %zeros : tensor<2x8xi1>, tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}
