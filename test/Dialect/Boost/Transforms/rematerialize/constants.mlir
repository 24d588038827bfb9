// RUN: boost-opt %s -boost-rematerialize=mode=low-rank | FileCheck %s
// RUN: boost-opt %s -boost-rematerialize=mode=low-rank -o %t
// RUN: boost-eval --compare --every-function --tolerance=0 %s %t
// Constants, counts and masks take no memory: the backward pass reads them where they are. What they are combined with
// is computed again, behind a barrier.

// CHECK-LABEL: func.func @masked
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64>
// CHECK:         %[[H:.*]] = stablehlo.optimization_barrier %arg0
// CHECK:         %[[C:.*]] = stablehlo.constant
// CHECK:         %[[I:.*]] = stablehlo.iota
// CHECK:         %[[M:.*]] = stablehlo.compare GT, %[[I]], %[[C]]
// CHECK:         boost.phase backward
// CHECK-NEXT:    %[[B:.*]] = stablehlo.optimization_barrier %[[H]]
// CHECK-NEXT:    %[[S:.*]] = stablehlo.select %[[M]], %[[B]], %[[C]] {boost.recomputed}
// CHECK-NEXT:    stablehlo.multiply %[[S]], %[[I]]
// CHECK-NEXT:    stablehlo.select %[[M]], %[[C]], %[[S]]
// CHECK-NEXT:    stablehlo.multiply %[[H]], %[[H]]
// CHECK-NEXT:    return
func.func @masked(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %c = stablehlo.constant dense<2.0> : tensor<4x4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x4xf32>
  %m = stablehlo.compare GT, %i, %c : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
  %1 = stablehlo.select %m, %0, %c : tensor<4x4xi1>, tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %1, %i : tensor<4x4xf32>
  %3 = stablehlo.select %m, %c, %1 : tensor<4x4xi1>, tensor<4x4xf32>
  %4 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  return %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// An argument is behind a barrier too, or the two sums would be made one again.
// CHECK-LABEL: func.func @argument_and_constant
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 0>
// CHECK:         %[[C:.*]] = stablehlo.constant
// CHECK:         boost.phase backward
// CHECK-NEXT:    %[[B:.*]] = stablehlo.optimization_barrier %arg0
// CHECK-NEXT:    %[[S:.*]] = stablehlo.add %[[B]], %[[C]] {boost.recomputed}
// CHECK-NEXT:    stablehlo.multiply %[[S]], %[[S]]
// CHECK-NEXT:    return
func.func @argument_and_constant(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c = stablehlo.constant dense<2.0> : tensor<4x4xf32>
  %1 = stablehlo.add %x, %c : tensor<4x4xf32>
  %2 = stablehlo.tanh %1 : tensor<4x4xf32>
  boost.phase backward
  %3 = stablehlo.multiply %1, %1 : tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// Of two operands one is computed of constants alone, the other of what is kept, in either order. What is
// kept has one barrier, of the layer that reads it first.
// CHECK-LABEL: func.func @table
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64>
// CHECK:         %[[I:.*]] = stablehlo.iota
// CHECK:         %[[H:.*]] = stablehlo.optimization_barrier %arg0
// CHECK:         boost.phase backward
// CHECK-NEXT:    %[[B:.*]] = stablehlo.optimization_barrier {boost.layer = #boost.layer<class = 0, index = 0>} %[[H]]
// CHECK-NEXT:    %[[E:.*]] = stablehlo.exponential %[[B]] {boost.layer = #boost.layer<class = 0, index = 0>, boost.recomputed}
// CHECK-NEXT:    %[[S:.*]] = stablehlo.sine %[[I]] {boost.layer = #boost.layer<class = 0, index = 0>} :
// CHECK-NEXT:    %[[P:.*]] = stablehlo.multiply %[[E]], %[[S]] {boost.layer = #boost.layer<class = 0, index = 0>, boost.recomputed}
// CHECK-NEXT:    %[[T:.*]] = stablehlo.tanh %[[B]] {boost.layer = #boost.layer<class = 0, index = 0>, boost.recomputed}
// CHECK-NEXT:    %[[Q:.*]] = stablehlo.subtract %[[S]], %[[T]] {boost.layer = #boost.layer<class = 0, index = 0>, boost.recomputed}
// CHECK-NEXT:    stablehlo.dot_general %[[P]], %[[Q]]
// CHECK-NEXT:    return
func.func @table(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %i = stablehlo.iota dim = 0 : tensor<4x4xf32>
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.exponential %0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %2 = stablehlo.sine %i {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %3 = stablehlo.multiply %1, %2 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %4 = stablehlo.tanh %0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %5 = stablehlo.subtract %2, %4 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  boost.phase backward
  %6 = stablehlo.dot_general %3, %5, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %6 : tensor<4x4xf32>
}

// Beside what is kept, an argument is read as it is: the one barrier keeps the two sums apart.
// CHECK-LABEL: func.func @argument_and_kept
// CHECK:         %[[H:.*]] = stablehlo.optimization_barrier %arg0
// CHECK:         boost.phase backward
// CHECK-NEXT:    %[[B:.*]] = stablehlo.optimization_barrier %[[H]]
// CHECK-NEXT:    %[[S:.*]] = stablehlo.add %[[B]], %arg1 {boost.recomputed}
// CHECK-NEXT:    stablehlo.multiply %[[S]], %[[H]]
// CHECK-NEXT:    return
func.func @argument_and_kept(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.add %0, %w : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %1, %0 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
