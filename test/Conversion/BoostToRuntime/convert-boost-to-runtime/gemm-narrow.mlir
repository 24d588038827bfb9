// RUN: boost-opt %s --convert-boost-to-runtime | FileCheck %s
// Matrices of one or two rows and columns: what is read in place, and what is copied.

// Every second of four columns: a copy.
// CHECK-LABEL: func.func @two_columns(
// CHECK-SAME:    %[[X:.*]]: tensor<{{[0-9x]*}}xf32>, %[[Y:.*]]: tensor
// CHECK-NEXT:    %[[S:.*]] = stablehlo.slice %[[X]] [0:4, 0:4:2]
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    boostrt.gemm ins(%[[S]], %[[Y]] : {{.*}} {batch = 1 : i64, k = 2 : i64, m = 4 : i64, n = 8 : i64} ->
func.func @two_columns(%x: tensor<4x4xf32>, %y: tensor<2x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.slice %x [0:4, 0:4:2] : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// One column has no neighbor.
// CHECK-LABEL: func.func @one_column(
// CHECK-SAME:    %[[X:.*]]: tensor<{{[0-9x]*}}xf32>, %[[Y:.*]]: tensor
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    boostrt.gemm ins(%[[X]], %[[Y]] : {{.*}} {batch = 1 : i64, k = 1 : i64, layout_a = array<i64: 1, 4, 4>, m = 4 : i64, n = 8 : i64} ->
func.func @one_column(%x: tensor<4x4xf32>, %y: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.slice %x [0:4, 1:2] : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [1] x [0] : (tensor<4x1xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// Every second row.
// CHECK-LABEL: func.func @other_rows(
// CHECK-SAME:    %[[X:.*]]: tensor<{{[0-9x]*}}xf32>, %[[Y:.*]]: tensor
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    boostrt.gemm ins(%[[X]], %[[Y]] : {{.*}} {batch = 1 : i64, k = 4 : i64, layout_a = array<i64: 0, 8, 8>, m = 2 : i64, n = 8 : i64} ->
func.func @other_rows(%x: tensor<4x4xf32>, %y: tensor<4x8xf32>) -> tensor<2x8xf32> {
  %0 = stablehlo.slice %x [0:4:2, 0:4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// Rows that overlap are no matrix.
// CHECK-LABEL: func.func @repeated_rows(
// CHECK-SAME:    %[[X:.*]]: tensor<{{[0-9x]*}}xf32>, %[[Y:.*]]: tensor
// CHECK-NEXT:    %[[S:.*]] = stablehlo.broadcast_in_dim %[[X]]
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    boostrt.gemm ins(%[[S]], %[[Y]] : {{.*}} {batch = 1 : i64, k = 4 : i64, m = 2 : i64, n = 8 : i64} ->
func.func @repeated_rows(%x: tensor<4xf32>, %y: tensor<4x8xf32>) -> tensor<2x8xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// The step from one row to the next is that of a dense matrix where there is one.
// CHECK-LABEL: func.func @one_row(
// CHECK-SAME:    %[[X:.*]]: tensor<{{[0-9x]*}}xf32>, %[[Y:.*]]: tensor
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    boostrt.gemm ins(%[[X]], %[[Y]] : {{.*}} {batch = 1 : i64, k = 4 : i64, layout_a = array<i64: 8, 4, 4>, m = 1 : i64, n = 8 : i64} ->
func.func @one_row(%x: tensor<4x4xf32>, %y: tensor<4x8xf32>) -> tensor<1x8xf32> {
  %0 = stablehlo.slice %x [2:3, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x8xf32>) -> tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}

// So is that from one matrix to the next.
// CHECK-LABEL: func.func @one_of_a_batch(
// CHECK-SAME:    %[[X:.*]]: tensor<{{[0-9x]*}}xf32>, %[[Y:.*]]: tensor
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    boostrt.gemm ins(%[[X]], %[[Y]] : {{.*}} {batch = 1 : i64, k = 4 : i64, layout_a = array<i64: 16, 8, 4>, m = 2 : i64, n = 8 : i64} ->
func.func @one_of_a_batch(%x: tensor<3x2x4xf32>, %y: tensor<1x4x8xf32>) -> tensor<1x2x8xf32> {
  %0 = stablehlo.slice %x [2:3, 0:2, 0:4] : (tensor<3x2x4xf32>) -> tensor<1x2x4xf32>
  %1 = stablehlo.dot_general %0, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x2x4xf32>, tensor<1x4x8xf32>) -> tensor<1x2x8xf32>
  return %1 : tensor<1x2x8xf32>
}

// CHECK-LABEL: func.func @repeated_matrices(
// CHECK-SAME:    %[[X:.*]]: tensor<{{[0-9x]*}}xf32>, %[[Y:.*]]: tensor
// CHECK-NEXT:    %[[S:.*]] = stablehlo.broadcast_in_dim %[[X]]
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    boostrt.gemm ins(%[[S]], %[[Y]] : {{.*}} {batch = 3 : i64, k = 4 : i64, m = 2 : i64, n = 8 : i64} ->
func.func @repeated_matrices(%x: tensor<2x4xf32>, %y: tensor<3x4x8xf32>) -> tensor<3x2x8xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<3x2x4xf32>
  %1 = stablehlo.dot_general %0, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x2x4xf32>, tensor<3x4x8xf32>) -> tensor<3x2x8xf32>
  return %1 : tensor<3x2x8xf32>
}
