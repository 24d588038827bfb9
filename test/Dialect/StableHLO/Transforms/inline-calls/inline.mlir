// RUN: boost-opt %s --boost-inline-calls --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// Calls of calls and calls in loops are inlined, and locations keep both places.

// CHECK-NOT:   private
// CHECK-LABEL: func.func @loss
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NOT:     call @
// CHECK:         %[[N:.*]] = stablehlo.negate %[[X]] {{.*}}loc(callsite(callsite("{{.*}}inline.mlir":[[#@LINE+20]]:8 at "{{.*}}inline.mlir":[[#@LINE+15]]:8) at "{{.*}}inline.mlir":[[#@LINE+3]]:8))
// CHECK:         %[[E:.*]] = stablehlo.exponential %[[N]]
func.func @loss(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = call @outer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1:2 = stablehlo.while(%a = %i, %b = %0) : tensor<i32>, tensor<4xf32>
  cond {
    %2 = stablehlo.compare LT, %a, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %3 = func.call @inner(%b) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %a, %3 : tensor<i32>, tensor<4xf32>
  }
  return %1#1 : tensor<4xf32>
}
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
