// RUN: boost-opt %s -boost-rematerialize=mode=full-block | FileCheck %s
// RUN: boost-opt %s -boost-rematerialize=mode=full-block -verify-diagnostics -o /dev/null
// A function without a backward pass, and values that the backward pass reads
// but that must not be computed twice: those of operations with effects.
// What is kept is not explained unless asked for.

// CHECK-LABEL: func.func @loss
// CHECK-NOT:     boost.kept_bytes
// CHECK-NEXT:    stablehlo.sine
// CHECK-NEXT:    return
func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @effects
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 16>
// CHECK-NEXT:    %[[B:.*]] = stablehlo.optimization_barrier
// CHECK-NEXT:    boost.phase backward
// CHECK-NEXT:    stablehlo.multiply %[[B]], %[[B]]
// CHECK-NEXT:    return
func.func @effects(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.optimization_barrier %x : tensor<4xf32>
  boost.phase backward
  %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
