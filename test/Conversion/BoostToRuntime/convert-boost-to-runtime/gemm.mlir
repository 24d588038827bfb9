// RUN: boost-opt %s --convert-boost-to-runtime --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @linear
// CHECK-SAME: %[[X:.*]]: tensor<4x8x16xf32>, %[[W:.*]]: tensor<16x32xf32>, %[[T:.*]]: tensor<32x16xf32>
func.func @linear(%x: tensor<4x8x16xf32>, %w: tensor<16x32xf32>, %t: tensor<32x16xf32>)
    -> (tensor<4x8x32xf32>, tensor<4x8x32xf32>) {
  // CHECK: boostrt.gemm ins(%[[X]], %[[W]] :
  // CHECK-SAME: {batch = 1 : i64, boost.component = "block", k = 16 : i64, m = 32 : i64, n = 32 : i64} ->
  %0 = boost.linear %x, %w {boost.component = "block"}
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

// The first rows of each matrix are dense, but there are others between them.

// CHECK-LABEL: func.func @first_rows
// CHECK-SAME: %[[X:.*]]: tensor<3x4x8xf32>, %[[Y:.*]]: tensor<3x8x16xf32>
func.func @first_rows(%x: tensor<3x4x8xf32>, %y: tensor<3x8x16xf32>) -> tensor<3x2x16xf32> {
  // CHECK: boostrt.gemm ins(%[[X]], %[[Y]] :
  // CHECK-SAME: {batch = 3 : i64, k = 8 : i64, layout_a = array<i64: 0, 32, 8>, m = 2 : i64, n = 16 : i64} ->
  %0 = stablehlo.slice %x [0:3, 0:2, 0:8] : (tensor<3x4x8xf32>) -> tensor<3x2x8xf32>
  %1 = stablehlo.dot_general %0, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x2x8xf32>, tensor<3x8x16xf32>) -> tensor<3x2x16xf32>
  return %1 : tensor<3x2x16xf32>
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

// -----

// Branches that stand side by side in the latent are read and written where
// they are: matrices 8 elements apart, rows 24.

// CHECK-LABEL: func.func @branches
// CHECK-SAME: %[[Z:.*]]: tensor<2x4x3x8xf32>, %[[B:.*]]: tensor<3x8x16xf32>, %[[G:.*]]: tensor<3x2x4x16xf32>
func.func @branches(%z: tensor<2x4x3x8xf32>, %b: tensor<3x8x16xf32>, %g: tensor<3x2x4x16xf32>)
    -> (tensor<3x2x4x16xf32>, tensor<2x4x3x8xf32>, tensor<3x8x16xf32>) {
  // CHECK-NOT: stablehlo.transpose
  // CHECK: boostrt.gemm ins(%[[Z]], %[[B]] :
  // CHECK-SAME: {batch = 3 : i64, k = 8 : i64, layout_a = array<i64: 0, 8, 24>, m = 8 : i64, n = 16 : i64} ->
  %y = stablehlo.dot_general %z, %b, batching_dims = [2] x [0], contracting_dims = [3] x [1]
      : (tensor<2x4x3x8xf32>, tensor<3x8x16xf32>) -> tensor<3x2x4x16xf32>
  // The gradient of the latent.
  // CHECK: boostrt.gemm ins(%[[G]], %[[B]] :
  // CHECK-SAME: {batch = 3 : i64, k = 16 : i64, layout_c = array<i64: 0, 8, 24>, m = 8 : i64, n = 8 : i64, transpose_b} -> tensor<2x4x3x8xf32>
  %dz = stablehlo.dot_general %g, %b, batching_dims = [0] x [0], contracting_dims = [3] x [2]
      : (tensor<3x2x4x16xf32>, tensor<3x8x16xf32>) -> tensor<3x2x4x8xf32>
  %dzt = stablehlo.transpose %dz, dims = [1, 2, 0, 3] : (tensor<3x2x4x8xf32>) -> tensor<2x4x3x8xf32>
  // The gradient of the up factors.
  // CHECK: boostrt.gemm ins(%[[Z]], %[[G]] :
  // CHECK-SAME: {batch = 3 : i64, k = 8 : i64, layout_a = array<i64: 0, 8, 24>, m = 8 : i64, n = 16 : i64, transpose_a} ->
  %db = stablehlo.dot_general %z, %g, batching_dims = [2] x [0], contracting_dims = [0, 1] x [1, 2]
      : (tensor<2x4x3x8xf32>, tensor<3x2x4x16xf32>) -> tensor<3x8x16xf32>
  return %y, %dzt, %db : tensor<3x2x4x16xf32>, tensor<2x4x3x8xf32>, tensor<3x8x16xf32>
}

// -----

// A slice is read where it is: the matrix begins after 8 elements.

// CHECK-LABEL: func.func @slice
// CHECK-SAME: %[[Z:.*]]: tensor<2x4x24xf32>, %[[B:.*]]: tensor<16x5xf32>
func.func @slice(%z: tensor<2x4x24xf32>, %b: tensor<16x5xf32>) -> tensor<8x5xf32> {
  // CHECK: boostrt.gemm ins(%[[Z]], %[[B]] :
  // CHECK-SAME: layout_a = array<i64: 8, 128, 24>
  %s = stablehlo.slice %z [0:2, 0:4, 8:24] : (tensor<2x4x24xf32>) -> tensor<2x4x16xf32>
  %r = stablehlo.reshape %s : (tensor<2x4x16xf32>) -> tensor<8x16xf32>
  %0 = boost.linear %r, %b : (tensor<8x16xf32>, tensor<16x5xf32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}

// -----

// Memory is held as long as a part of it is needed: of three branches backward
// reads the last one only, which is written apart from the others.

// CHECK-LABEL: func.func @kept_branch
// CHECK-SAME: %[[Z:.*]]: tensor<4x3x8xf32>, %[[B:.*]]: tensor<3x8x16xf32>
func.func @kept_branch(%z: tensor<4x3x8xf32>, %b: tensor<3x8x16xf32>) -> (tensor<1x4x16xf32>, tensor<4x16xf32>) {
  // CHECK: %[[QK:.*]] = boostrt.gemm ins(%[[Z]], %[[B]] :
  // CHECK-SAME: {batch = 2 : i64, k = 8 : i64, layout_a = array<i64: 0, 8, 24>, layout_b = array<i64: 0, 128, 16>, m = 4 : i64, n = 16 : i64} -> tensor<2x4x16xf32>
  // CHECK: %[[V:.*]] = boostrt.gemm ins(%[[Z]], %[[B]] :
  // CHECK-SAME: {batch = 1 : i64, k = 8 : i64, layout_a = array<i64: 16, 32, 24>, layout_b = array<i64: 256, 128, 16>, m = 4 : i64, n = 16 : i64} -> tensor<1x4x16xf32>
  %y = stablehlo.dot_general %z, %b, batching_dims = [1] x [0], contracting_dims = [2] x [1]
      : (tensor<4x3x8xf32>, tensor<3x8x16xf32>) -> tensor<3x4x16xf32>
  // CHECK: stablehlo.slice %[[QK]] [0:1, 0:4, 0:16]
  // CHECK: stablehlo.slice %[[QK]] [1:2, 0:4, 0:16]
  %q = stablehlo.slice %y [0:1, 0:4, 0:16] : (tensor<3x4x16xf32>) -> tensor<1x4x16xf32>
  %k = stablehlo.slice %y [1:2, 0:4, 0:16] : (tensor<3x4x16xf32>) -> tensor<1x4x16xf32>
  %v = stablehlo.slice %y [2:3, 0:4, 0:16] : (tensor<3x4x16xf32>) -> tensor<1x4x16xf32>
  %s = stablehlo.add %q, %k : tensor<1x4x16xf32>
  boost.phase backward
  // CHECK: stablehlo.reshape %[[V]]
  %r = stablehlo.reshape %v : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
  %t = stablehlo.tanh %r : tensor<4x16xf32>
  return %s, %t : tensor<1x4x16xf32>, tensor<4x16xf32>
}

// -----

// Contracted pairs are ordered so that one operand alone is copied: the first
// fits in no order, the second in that of its own dimensions.

// CHECK-LABEL: func.func @order_of_second
// CHECK-SAME: %[[X:.*]]: tensor<4x6x8xf32>, %[[Y:.*]]: tensor<8x4x10xf32>
func.func @order_of_second(%x: tensor<4x6x8xf32>, %y: tensor<8x4x10xf32>) -> tensor<6x10xf32> {
  // CHECK: %[[T:.*]] = stablehlo.transpose %[[X]], dims = [1, 2, 0]
  // CHECK-NOT: stablehlo.transpose
  // CHECK: boostrt.gemm ins(%[[T]], %[[Y]] :
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0, 2] x [1, 0]
      : (tensor<4x6x8xf32>, tensor<8x4x10xf32>) -> tensor<6x10xf32>
  return %0 : tensor<6x10xf32>
}
