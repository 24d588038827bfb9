// RUN: boost-opt %s --cse --canonicalize | FileCheck %s
// Equal computations on both sides of a barrier stay two: the second is there
// to be computed again.

// CHECK-LABEL: func @recompute
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
func.func @recompute(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.exponential %[[X]]
  // CHECK-NEXT: %[[B:.*]] = stablehlo.optimization_barrier %[[X]]
  // CHECK-NEXT: %[[C:.*]] = stablehlo.exponential %[[B]]
  // CHECK-NEXT: return %[[A]], %[[C]]
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.optimization_barrier %x : tensor<4xf32>
  %2 = stablehlo.exponential %1 : tensor<4xf32>
  %3 = stablehlo.optimization_barrier %0 : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}
