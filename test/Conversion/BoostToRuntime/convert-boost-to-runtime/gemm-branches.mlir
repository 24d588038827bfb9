// RUN: boost-opt %s --convert-boost-to-runtime --split-input-file | FileCheck %s
// Products of branches that are needed for different times are written apart; others are one product.

// The first of three is needed behind the next mark. The others are taken from one product. Both are in the region of
// the product that they are parts of.
// CHECK-LABEL: func.func @first_is_kept
// CHECK-SAME:    %[[Z:.*]]: tensor<3x4x8xf32>, %[[B:.*]]: tensor<3x8x6xf32>
// CHECK:         %[[P0:.*]] = boostrt.gemm ins(%[[Z]], %[[B]] : {{.*}} {batch = 1 : i64, boost.component = "block", k = 8 : i64, layout_a = array<i64: 0, 32, 8>, layout_b = array<i64: 0, 48, 6>, m = 4 : i64, n = 6 : i64} -> tensor<1x4x6xf32>
// CHECK:         %[[P1:.*]] = boostrt.gemm ins(%[[Z]], %[[B]] : {{.*}} {batch = 2 : i64, boost.component = "block", k = 8 : i64, layout_a = array<i64: 32, 32, 8>, layout_b = array<i64: 48, 48, 6>, m = 4 : i64, n = 6 : i64} -> tensor<2x4x6xf32>
// CHECK-DAG:     %[[S1:.*]] = stablehlo.slice %[[P1]] [0:1, 0:4, 0:6]
// CHECK-DAG:     %[[S2:.*]] = stablehlo.slice %[[P1]] [1:2, 0:4, 0:6]
// CHECK:         stablehlo.subtract %[[S1]], %[[S2]]
// CHECK:         boost.phase backward
// CHECK-NEXT:    stablehlo.tanh %[[P0]]
func.func @first_is_kept(%z: tensor<3x4x8xf32>, %b: tensor<3x8x6xf32>) -> (tensor<1x4x6xf32>, tensor<1x4x6xf32>) {
  %y = stablehlo.dot_general %z, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] {boost.component = "block"}
      : (tensor<3x4x8xf32>, tensor<3x8x6xf32>) -> tensor<3x4x6xf32>
  %0 = stablehlo.slice %y [0:1, 0:4, 0:6] : (tensor<3x4x6xf32>) -> tensor<1x4x6xf32>
  %1 = stablehlo.slice %y [1:2, 0:4, 0:6] : (tensor<3x4x6xf32>) -> tensor<1x4x6xf32>
  %2 = stablehlo.slice %y [2:3, 0:4, 0:6] : (tensor<3x4x6xf32>) -> tensor<1x4x6xf32>
  %s = stablehlo.subtract %1, %2 : tensor<1x4x6xf32>
  boost.phase backward
  %t = stablehlo.tanh %0 : tensor<1x4x6xf32>
  return %s, %t : tensor<1x4x6xf32>, tensor<1x4x6xf32>
}

// -----

// The next mark counts: backward reads one branch, the optimizer none. A branch that is sliced twice is kept
// if one of its slices is.
// CHECK-LABEL: func.func @next_mark
// CHECK:         %[[P0:.*]] = boostrt.gemm {{.*}} -> tensor<1x4x6xf32>
// CHECK:         %[[P1:.*]] = boostrt.gemm {{.*}} -> tensor<1x4x6xf32>
// CHECK:         boost.phase backward
// CHECK-NEXT:    stablehlo.tanh %[[P0]]
// CHECK:         %[[P:.*]] = boostrt.gemm {{.*}} -> tensor<2x4x6xf32>
// CHECK-NEXT:    stablehlo.slice %[[P]] [0:1
// CHECK-NEXT:    stablehlo.slice %[[P]] [1:2
func.func @next_mark(%z: tensor<2x4x8xf32>, %b: tensor<2x8x6xf32>)
    -> (tensor<1x4x6xf32>, tensor<1x4x6xf32>, tensor<1x4x6xf32>, tensor<1x4x6xf32>) {
  %y = stablehlo.dot_general %z, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  %0 = stablehlo.slice %y [0:1, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  %1 = stablehlo.slice %y [1:2, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  %2 = stablehlo.slice %y [0:1, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<1x4x6xf32>
  boost.phase backward
  %4 = stablehlo.tanh %0 : tensor<1x4x6xf32>
  %x = stablehlo.dot_general %z, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  %5 = stablehlo.slice %x [0:1, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  %6 = stablehlo.slice %x [1:2, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  %7 = stablehlo.subtract %5, %6 : tensor<1x4x6xf32>
  boost.phase optimizer
  %8 = stablehlo.tanh %4 : tensor<1x4x6xf32>
  return %3, %4, %7, %8 : tensor<1x4x6xf32>, tensor<1x4x6xf32>, tensor<1x4x6xf32>, tensor<1x4x6xf32>
}

// -----

// A part of a branch keeps all of it.
// CHECK-LABEL: func.func @part_is_kept
// CHECK:         %[[P0:.*]] = boostrt.gemm {{.*}} -> tensor<1x4x6xf32>
// CHECK:         boostrt.gemm {{.*}} -> tensor<1x4x6xf32>
// CHECK:         %[[PART:.*]] = stablehlo.slice %[[P0]] [0:1, 0:4, 0:3]
// CHECK:         boost.phase backward
// CHECK-NEXT:    stablehlo.tanh %[[PART]]
func.func @part_is_kept(%z: tensor<2x4x8xf32>, %b: tensor<2x8x6xf32>) -> (tensor<1x4x6xf32>, tensor<1x4x3xf32>) {
  %y = stablehlo.dot_general %z, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  %0 = stablehlo.slice %y [0:1, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  %1 = stablehlo.slice %y [1:2, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  %2 = stablehlo.tanh %1 : tensor<1x4x6xf32>
  %3 = stablehlo.slice %0 [0:1, 0:4, 0:3] : (tensor<1x4x6xf32>) -> tensor<1x4x3xf32>
  boost.phase backward
  %4 = stablehlo.tanh %3 : tensor<1x4x3xf32>
  return %2, %4 : tensor<1x4x6xf32>, tensor<1x4x3xf32>
}

// -----

// No mark follows.
// CHECK-LABEL: func.func @last_phase
// CHECK:         boostrt.gemm {{.*}} -> tensor<2x4x6xf32>
func.func @last_phase(%z: tensor<2x4x8xf32>, %b: tensor<2x8x6xf32>) -> tensor<1x4x6xf32> {
  %y = stablehlo.dot_general %z, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  %0 = stablehlo.slice %y [0:1, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  return %0 : tensor<1x4x6xf32>
}

// -----

// All branches are kept.
// CHECK-LABEL: func.func @all_kept
// CHECK:         boostrt.gemm {{.*}} -> tensor<2x4x6xf32>
func.func @all_kept(%z: tensor<2x4x8xf32>, %b: tensor<2x8x6xf32>) -> tensor<1x4x6xf32> {
  %y = stablehlo.dot_general %z, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  %0 = stablehlo.slice %y [0:1, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  %1 = stablehlo.slice %y [1:2, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  boost.phase backward
  %2 = stablehlo.subtract %0, %1 : tensor<1x4x6xf32>
  return %2 : tensor<1x4x6xf32>
}

// -----

// Something reads all of it.
// CHECK-LABEL: func.func @other_user
// CHECK:         boostrt.gemm {{.*}} -> tensor<2x4x6xf32>
func.func @other_user(%z: tensor<2x4x8xf32>, %b: tensor<2x8x6xf32>) -> (tensor<1x4x6xf32>, tensor<2x4x6xf32>) {
  %y = stablehlo.dot_general %z, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  %0 = stablehlo.slice %y [0:1, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  %1 = stablehlo.tanh %y : tensor<2x4x6xf32>
  boost.phase backward
  %2 = stablehlo.tanh %0 : tensor<1x4x6xf32>
  return %2, %1 : tensor<1x4x6xf32>, tensor<2x4x6xf32>
}

// -----

// A slice of two branches.
// CHECK-LABEL: func.func @two_at_once
// CHECK:         boostrt.gemm {{.*}} -> tensor<3x4x6xf32>
func.func @two_at_once(%z: tensor<3x4x8xf32>, %b: tensor<3x8x6xf32>) -> (tensor<1x4x6xf32>, tensor<2x4x6xf32>) {
  %y = stablehlo.dot_general %z, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x4x8xf32>, tensor<3x8x6xf32>) -> tensor<3x4x6xf32>
  %0 = stablehlo.slice %y [0:1, 0:4, 0:6] : (tensor<3x4x6xf32>) -> tensor<1x4x6xf32>
  %1 = stablehlo.slice %y [1:3, 0:4, 0:6] : (tensor<3x4x6xf32>) -> tensor<2x4x6xf32>
  %2 = stablehlo.tanh %1 : tensor<2x4x6xf32>
  boost.phase backward
  %3 = stablehlo.tanh %0 : tensor<1x4x6xf32>
  return %3, %2 : tensor<1x4x6xf32>, tensor<2x4x6xf32>
}

// -----

// A slice of a part of a branch.
// CHECK-LABEL: func.func @part
// CHECK:         boostrt.gemm {{.*}} -> tensor<2x4x6xf32>
func.func @part(%z: tensor<2x4x8xf32>, %b: tensor<2x8x6xf32>) -> (tensor<1x4x6xf32>, tensor<1x3x6xf32>) {
  %y = stablehlo.dot_general %z, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  %0 = stablehlo.slice %y [0:1, 0:4, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x4x6xf32>
  %1 = stablehlo.slice %y [1:2, 0:3, 0:6] : (tensor<2x4x6xf32>) -> tensor<1x3x6xf32>
  %2 = stablehlo.tanh %1 : tensor<1x3x6xf32>
  boost.phase backward
  %3 = stablehlo.tanh %0 : tensor<1x4x6xf32>
  return %3, %2 : tensor<1x4x6xf32>, tensor<1x3x6xf32>
}

// -----

// Branches are one batching dimension, not two.
// CHECK-LABEL: func.func @two_dimensions
// CHECK:         boostrt.gemm {{.*}} -> tensor<2x3x4x6xf32>
func.func @two_dimensions(%z: tensor<2x3x4x8xf32>, %b: tensor<2x3x8x6xf32>) -> (tensor<1x3x4x6xf32>, tensor<1x3x4x6xf32>) {
  %y = stablehlo.dot_general %z, %b, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<2x3x4x8xf32>, tensor<2x3x8x6xf32>) -> tensor<2x3x4x6xf32>
  %0 = stablehlo.slice %y [0:1, 0:3, 0:4, 0:6] : (tensor<2x3x4x6xf32>) -> tensor<1x3x4x6xf32>
  %1 = stablehlo.slice %y [1:2, 0:3, 0:4, 0:6] : (tensor<2x3x4x6xf32>) -> tensor<1x3x4x6xf32>
  %2 = stablehlo.tanh %1 : tensor<1x3x4x6xf32>
  boost.phase backward
  %3 = stablehlo.tanh %0 : tensor<1x3x4x6xf32>
  return %3, %2 : tensor<1x3x4x6xf32>, tensor<1x3x4x6xf32>
}
