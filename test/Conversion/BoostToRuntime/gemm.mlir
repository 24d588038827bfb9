// RUN: boost-opt %s --convert-boost-to-runtime --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @linear
// CHECK-SAME: %[[X:.*]]: tensor<4x8x16xf32>, %[[W:.*]]: tensor<16x32xf32>, %[[T:.*]]: tensor<32x16xf32>
func.func @linear(%x: tensor<4x8x16xf32>, %w: tensor<16x32xf32>, %t: tensor<32x16xf32>)
    -> (tensor<4x8x32xf32>, tensor<4x8x32xf32>) {
  // CHECK: boostrt.gemm ins(%[[X]], %[[W]] :
  // CHECK-SAME: {batch = 1 : i64, boost.region = "block", k = 16 : i64, m = 32 : i64, n = 32 : i64} ->
  %0 = boost.linear %x, %w {boost.region = "block"}
      : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
  // CHECK: boostrt.gemm ins(%[[X]], %[[T]] :
  // CHECK-SAME: {batch = 1 : i64, k = 16 : i64, m = 32 : i64, n = 32 : i64, transpose_b} ->
  %1 = boost.linear %x, %t transposed
      : (tensor<4x8x16xf32>, tensor<32x16xf32>) -> tensor<4x8x32xf32>
  return %0, %1 : tensor<4x8x32xf32>, tensor<4x8x32xf32>
}

// -----

// The gradient of a weight: both leading dimensions are contracted.

// CHECK-LABEL: func.func @weight_gradient
// CHECK-SAME: %[[X:.*]]: tensor<4x8x16xf32>, %[[G:.*]]: tensor<4x8x32xf32>
func.func @weight_gradient(%x: tensor<4x8x16xf32>, %g: tensor<4x8x32xf32>)
    -> (tensor<16x32xf32>, tensor<16x32xf32>) {
  // CHECK: boostrt.gemm ins(%[[X]], %[[G]] :
  // CHECK-SAME: k = 32 : i64, m = 16 : i64, n = 32 : i64, transpose_a} ->
  %0 = stablehlo.dot_general %x, %g, contracting_dims = [0, 1] x [0, 1]
      : (tensor<4x8x16xf32>, tensor<4x8x32xf32>) -> tensor<16x32xf32>
  // As JAX writes it: the transpose behind it swaps the operands.
  // CHECK-NEXT: tensor.empty
  // CHECK-NEXT: boostrt.gemm ins(%[[X]], %[[G]] :
  // CHECK-SAME: k = 32 : i64, m = 16 : i64, n = 32 : i64, transpose_a} -> tensor<16x32xf32>
  // CHECK-NOT: transpose
  %1 = stablehlo.dot_general %g, %x, contracting_dims = [1, 0] x [1, 0]
      : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
  return %0, %2 : tensor<16x32xf32>, tensor<16x32xf32>
}

// -----

// A transposed operand is read where it is.

// CHECK-LABEL: func.func @through_transpose
// CHECK-SAME: %[[X:.*]]: tensor<8x16xf32>, %[[W:.*]]: tensor<32x16xf32>
func.func @through_transpose(%x: tensor<8x16xf32>, %w: tensor<32x16xf32>) -> tensor<8x32xf32> {
  // CHECK-NOT: stablehlo.transpose
  // CHECK: boostrt.gemm ins(%[[X]], %[[W]] : {{.*}} transpose_b}
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
  %0 = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// Square operands, every layout: flags, never copies.

// CHECK-LABEL: func.func @square
// CHECK-SAME: %[[A:.*]]: tensor<8x8xf32>, %[[B:.*]]: tensor<8x8xf32>
func.func @square(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: gemm ins(%[[A]], %[[B]] : {{.*}} n = 8 : i64} ->
  %nn = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: gemm ins(%[[A]], %[[B]] : {{.*}} n = 8 : i64, transpose_b} ->
  %nt = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: gemm ins(%[[A]], %[[B]] : {{.*}} n = 8 : i64, transpose_a} ->
  %tn = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: gemm ins(%[[A]], %[[B]] : {{.*}} n = 8 : i64, transpose_a, transpose_b} ->
  %tt = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %nn, %nt, %tn, %tt : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Batches of matrices; heads in the middle of [b, s, h, dh] must be moved.

// CHECK-LABEL: func.func @batched
// CHECK-SAME: %[[A:.*]]: tensor<2x4x8x16xf32>, %[[B:.*]]: tensor<2x4x16x8xf32>, %[[C:.*]]: tensor<2x8x4x16xf32>
func.func @batched(%a: tensor<2x4x8x16xf32>, %b: tensor<2x4x16x8xf32>, %c: tensor<2x8x4x16xf32>)
    -> (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) {
  // CHECK: gemm ins(%[[A]], %[[B]] : {{.*}} {batch = 8 : i64, k = 16 : i64, m = 8 : i64, n = 8 : i64} ->
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<2x4x8x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x8x8xf32>
  // CHECK: %[[T:.*]] = stablehlo.transpose %[[C]], dims = [0, 2, 1, 3]
  // CHECK: gemm ins(%[[A]], %[[T]] : {{.*}} {batch = 8 : i64, k = 16 : i64, m = 8 : i64, n = 8 : i64, transpose_b} ->
  %1 = stablehlo.dot_general %a, %c, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [3]
      : (tensor<2x4x8x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  return %0, %1 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>
}

// -----

// Integers stay for a kernel.

// CHECK-LABEL: func.func @integers
func.func @integers(%a: tensor<4x8xi32>, %b: tensor<8x4xi32>) -> tensor<4x4xi32> {
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<4x8xi32>, tensor<8x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}
