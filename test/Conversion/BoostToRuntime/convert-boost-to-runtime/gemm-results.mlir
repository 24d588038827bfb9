// RUN: boost-opt %s --convert-boost-to-runtime --split-input-file | FileCheck %s
// Which transposes of a result a product writes by itself.

// Batches side by side in every row.
// CHECK-LABEL: func.func @batches
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[Y:.*]]: tensor<2x8x6xf32>
// CHECK-NEXT:    tensor.empty() : tensor<4x2x6xf32>
// CHECK-NEXT:    %[[Z:.*]] = boostrt.gemm ins(%[[X]], %[[Y]] : {{.*}} {batch = 2 : i64, k = 8 : i64, layout_c = array<i64: 0, 6, 12>, m = 4 : i64, n = 6 : i64} -> tensor<4x2x6xf32>
// CHECK-NEXT:    return %[[Z]]
func.func @batches(%x: tensor<2x4x8xf32>, %y: tensor<2x8x6xf32>) -> tensor<4x2x6xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x4x6xf32>) -> tensor<4x2x6xf32>
  return %1 : tensor<4x2x6xf32>
}

// -----

// Transposed matrices side by side: the operands change places.
// CHECK-LABEL: func.func @swapped_batches
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[Y:.*]]: tensor<2x8x6xf32>
// CHECK-NEXT:    tensor.empty() : tensor<6x2x4xf32>
// CHECK-NEXT:    %[[Z:.*]] = boostrt.gemm ins(%[[Y]], %[[X]] : {{.*}} {batch = 2 : i64, k = 8 : i64, layout_c = array<i64: 0, 4, 8>, m = 6 : i64, n = 4 : i64, transpose_a, transpose_b} -> tensor<6x2x4xf32>
// CHECK-NEXT:    return %[[Z]]
func.func @swapped_batches(%x: tensor<2x4x8xf32>, %y: tensor<2x8x6xf32>) -> tensor<6x2x4xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x4x6xf32>) -> tensor<6x2x4xf32>
  return %1 : tensor<6x2x4xf32>
}

// -----

// Neighbors in memory would be of different batches.
// CHECK-LABEL: func.func @batches_last
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[Y:.*]]: tensor<2x8x6xf32>
// CHECK-NEXT:    tensor.empty() : tensor<2x4x6xf32>
// CHECK-NEXT:    %[[Z:.*]] = boostrt.gemm ins(%[[X]], %[[Y]] : {{.*}} {batch = 2 : i64, k = 8 : i64, m = 4 : i64, n = 6 : i64} -> tensor<2x4x6xf32>
// CHECK-NEXT:    stablehlo.transpose %[[Z]], dims = [1, 2, 0]
func.func @batches_last(%x: tensor<2x4x8xf32>, %y: tensor<2x8x6xf32>) -> tensor<4x6x2xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<2x4x6xf32>) -> tensor<4x6x2xf32>
  return %1 : tensor<4x6x2xf32>
}

// -----

// Something else reads the result as it is.
// CHECK-LABEL: func.func @two_users
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<8x6xf32>
// CHECK-NEXT:    tensor.empty() : tensor<4x6xf32>
// CHECK-NEXT:    %[[Z:.*]] = boostrt.gemm ins(%[[X]], %[[Y]] : {{.*}} {batch = 1 : i64, k = 8 : i64, m = 4 : i64, n = 6 : i64} -> tensor<4x6xf32>
// CHECK-NEXT:    %[[T:.*]] = stablehlo.transpose %[[Z]], dims = [1, 0]
// CHECK-NEXT:    return %[[T]], %[[Z]]
func.func @two_users(%x: tensor<4x8xf32>, %y: tensor<8x6xf32>) -> (tensor<6x4xf32>, tensor<4x6xf32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
      : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return %1, %0 : tensor<6x4xf32>, tensor<4x6xf32>
}

// -----

// Its only user is no transpose.
// CHECK-LABEL: func.func @other_user
// CHECK:         %[[Z:.*]] = boostrt.gemm
// CHECK-SAME:    -> tensor<4x6xf32>
// CHECK-NEXT:    stablehlo.tanh %[[Z]]
func.func @other_user(%x: tensor<4x8xf32>, %y: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
      : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.tanh %0 : tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
