// RUN: boost-opt %s --convert-boost-to-runtime --split-input-file | FileCheck %s
// Which operand is copied where not both can be read in place, and how.

// Each fits in the order of its own dimensions only: the first one stays as it is.
// CHECK-LABEL: func.func @order_of_first
// CHECK-SAME:    %[[X:.*]]: tensor<6x4x8xf32>, %[[Y:.*]]: tensor<8x4x10xf32>
// CHECK-NEXT:    %[[T:.*]] = stablehlo.transpose %[[Y]], dims = [2, 1, 0]
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    boostrt.gemm ins(%[[X]], %[[T]] : {{.*}} {batch = 1 : i64, k = 32 : i64, m = 6 : i64, n = 10 : i64, transpose_b} ->
func.func @order_of_first(%x: tensor<6x4x8xf32>, %y: tensor<8x4x10xf32>) -> tensor<6x10xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1, 2] x [1, 0]
      : (tensor<6x4x8xf32>, tensor<8x4x10xf32>) -> tensor<6x10xf32>
  return %0 : tensor<6x10xf32>
}

// -----

// The order in which the pairs are given does not matter: both are read in place.
// CHECK-LABEL: func.func @order_of_both
// CHECK-SAME:    %[[X:.*]]: tensor<6x4x8xf32>, %[[Y:.*]]: tensor<4x8x10xf32>
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    boostrt.gemm ins(%[[X]], %[[Y]] : {{.*}} {batch = 1 : i64, k = 32 : i64, m = 6 : i64, n = 10 : i64} ->
func.func @order_of_both(%x: tensor<6x4x8xf32>, %y: tensor<4x8x10xf32>) -> tensor<6x10xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [2, 1] x [1, 0]
      : (tensor<6x4x8xf32>, tensor<4x8x10xf32>) -> tensor<6x10xf32>
  return %0 : tensor<6x10xf32>
}

// -----

// Neither fits in any order: both are copied, their pairs in the order of the first one.
// CHECK-LABEL: func.func @none
// CHECK-SAME:    %[[X:.*]]: tensor<4x6x8xf32>, %[[Y:.*]]: tensor<8x10x4xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.transpose %[[X]], dims = [1, 0, 2]
// CHECK-NEXT:    %[[T:.*]] = stablehlo.transpose %[[Y]], dims = [1, 2, 0]
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    boostrt.gemm ins(%[[S]], %[[T]] : {{.*}} {batch = 1 : i64, k = 32 : i64, m = 6 : i64, n = 10 : i64, transpose_b} ->
func.func @none(%x: tensor<4x6x8xf32>, %y: tensor<8x10x4xf32>) -> tensor<6x10xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0, 2] x [2, 0]
      : (tensor<4x6x8xf32>, tensor<8x10x4xf32>) -> tensor<6x10xf32>
  return %0 : tensor<6x10xf32>
}

// -----

// Two transposes and the copy are one transpose.
// CHECK-LABEL: func.func @through_transposes
// CHECK-SAME:    %[[X:.*]]: tensor<2x8x4x16xf32>, %[[Y:.*]]: tensor<2x4x16x5xf32>
// CHECK-NEXT:    %[[T:.*]] = stablehlo.transpose %[[X]], dims = [0, 2, 1, 3]
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    boostrt.gemm ins(%[[T]], %[[Y]] : {{.*}} {batch = 8 : i64, k = 16 : i64, m = 8 : i64, n = 5 : i64} ->
func.func @through_transposes(%x: tensor<2x8x4x16xf32>, %y: tensor<2x4x16x5xf32>) -> tensor<2x4x8x5xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0, 3, 2] : (tensor<2x8x4x16xf32>) -> tensor<8x2x16x4xf32>
  %1 = stablehlo.transpose %0, dims = [3, 0, 2, 1] : (tensor<8x2x16x4xf32>) -> tensor<4x8x16x2xf32>
  %2 = stablehlo.dot_general %1, %y, batching_dims = [3, 0] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<4x8x16x2xf32>, tensor<2x4x16x5xf32>) -> tensor<2x4x8x5xf32>
  return %2 : tensor<2x4x8x5xf32>
}
