// RUN: boost-opt %s -boost-rematerialize | FileCheck %s
// What is computed again is marked, however far from what is kept.

// CHECK-LABEL: func.func @chain
// CHECK:         %[[H:.*]] = stablehlo.optimization_barrier %{{.*}}
// CHECK:         %[[C:.*]] = stablehlo.cosine %{{.*}}
// CHECK:         boost.phase backward
// CHECK:         %[[KEPT:.*]] = stablehlo.optimization_barrier %[[H]]
// CHECK-NEXT:    %[[A:.*]] = stablehlo.tanh %[[KEPT]] {boost.recomputed}
// CHECK-NEXT:    %[[B:.*]] = stablehlo.exponential %[[A]] {boost.recomputed}
// CHECK-NEXT:    %[[S:.*]] = stablehlo.sine %[[B]] {boost.recomputed}
// CHECK-NEXT:    stablehlo.multiply %[[S]], %[[S]]
// What is there already is used once more.
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[B]] {boost.recomputed}
// CHECK-NEXT:    stablehlo.multiply %[[N]], %[[S]]
// CHECK-NEXT:    return
func.func @chain(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.tanh %0 : tensor<4x4xf32>
  %2 = stablehlo.exponential %1 : tensor<4x4xf32>
  %3 = stablehlo.sine %2 : tensor<4x4xf32>
  %4 = stablehlo.negate %2 : tensor<4x4xf32>
  %5 = stablehlo.cosine %0 : tensor<4x4xf32>
  boost.phase backward
  %6 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %7 = stablehlo.multiply %3, %3 : tensor<4x4xf32>
  %8 = stablehlo.multiply %4, %3 : tensor<4x4xf32>
  return %5, %6, %7, %8 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// What is made of constants alone is not.
// CHECK-LABEL: func.func @constants
// CHECK:         boost.phase backward
// CHECK-NOT:     boost.recomputed
// CHECK:         %[[S:.*]] = stablehlo.sine
// CHECK-NEXT:    %[[E:.*]] = stablehlo.exponential %[[S]] :
// CHECK-NEXT:    stablehlo.multiply %[[E]], %[[E]]
func.func @constants(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<4x4xf32>
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.sine %i : tensor<4x4xf32>
  %2 = stablehlo.exponential %1 : tensor<4x4xf32>
  boost.phase backward
  %3 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %4 = stablehlo.multiply %2, %2 : tensor<4x4xf32>
  return %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>
}
