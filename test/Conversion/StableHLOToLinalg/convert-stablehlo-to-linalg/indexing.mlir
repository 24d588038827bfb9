// RUN: boost-opt %s --convert-stablehlo-to-linalg --split-input-file | FileCheck %s

// The row of each label, its index clamped.

// CHECK-LABEL: func.func @gather
// CHECK-SAME: %[[T:.*]]: tensor<64x16xf32>, %[[I:.*]]: tensor<4x8x1xi32>
func.func @gather(%t: tensor<64x16xf32>, %i: tensor<4x8x1xi32>) -> tensor<4x8x16xf32> {
  // CHECK-DAG: %[[B:.*]] = linalg.index 0
  // CHECK-DAG: %[[S:.*]] = linalg.index 1
  // CHECK: %[[ID:.*]] = tensor.extract %[[I]][%[[B]], %[[S]], %{{.*}}]
  // CHECK: %[[X:.*]] = arith.index_cast %[[ID]]
  // CHECK: %[[LO:.*]] = arith.maxsi %[[X]], %{{.*}}
  // CHECK: %[[ROW:.*]] = arith.minsi %[[LO]], %{{.*}}
  // CHECK: tensor.extract %[[T]][%[[ROW]], %{{.*}}]
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 16>}>
      : (tensor<64x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
  return %0 : tensor<4x8x16xf32>
}

// -----

// One index at each place, which is no vector.

// CHECK-LABEL: func.func @gather_by_scalars
// CHECK-SAME: %[[T:.*]]: tensor<64x16xf32>, %[[I:.*]]: tensor<4x8xi32>
func.func @gather_by_scalars(%t: tensor<64x16xf32>, %i: tensor<4x8xi32>) -> tensor<4x8x16xf32> {
  // CHECK-DAG: %[[B:.*]] = linalg.index 0
  // CHECK-DAG: %[[S:.*]] = linalg.index 1
  // CHECK: tensor.extract %[[I]][%[[B]], %[[S]]]
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 16>}>
      : (tensor<64x16xf32>, tensor<4x8xi32>) -> tensor<4x8x16xf32>
  return %0 : tensor<4x8x16xf32>
}

// -----

// Constant starts are ordinary slices, clamped.

// CHECK-LABEL: func.func @constant_starts
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[U:.*]]: tensor<1x8xf32>
func.func @constant_starts(%a: tensor<4x8xf32>, %u: tensor<1x8xf32>)
    -> (tensor<1x8xf32>, tensor<4x8xf32>) {
  %i = stablehlo.constant dense<9> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  // CHECK: tensor.extract_slice %[[A]][3, 0] [1, 8] [1, 1]
  %0 = stablehlo.dynamic_slice %a, %i, %z, sizes = [1, 8]
      : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  // CHECK: tensor.insert_slice %[[U]] into %[[A]][3, 0] [1, 8] [1, 1]
  %1 = stablehlo.dynamic_update_slice %a, %u, %i, %z
      : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<1x8xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @computed_starts
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[U:.*]]: tensor<2x8xf32>, %[[I:.*]]: tensor<i32>
func.func @computed_starts(%a: tensor<4x8xf32>, %u: tensor<2x8xf32>, %i: tensor<i32>)
    -> (tensor<2x8xf32>, tensor<4x8xf32>) {
  // CHECK: linalg.generic
  // CHECK: tensor.extract %[[I]][]
  // CHECK: tensor.extract %[[A]]
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 8]
      : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  // CHECK: linalg.generic {{.*}} ins(%[[A]] :
  // CHECK: %[[IN:.*]] = tensor.extract %[[U]]
  // CHECK: arith.select %{{.*}}, %[[IN]], %{{.*}} : f32
  %1 = stablehlo.dynamic_update_slice %a, %u, %i, %i
      : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<2x8xf32>, tensor<4x8xf32>
}

// -----

// An unsigned start is never below 0; beyond the end it is moved inside.

// CHECK-LABEL: func.func @unsigned_start
func.func @unsigned_start(%x: tensor<8xf32>, %i: tensor<ui32>) -> tensor<3xf32> {
  // CHECK-NOT: arith.maxsi
  // CHECK: %[[LAST:.*]] = arith.constant 5 : index
  // CHECK: %[[START:.*]] = arith.index_castui %{{.*}} : i32 to index
  // CHECK: arith.minui %[[START]], %[[LAST]] : index
  // CHECK-NOT: arith.minsi
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<8xf32>, tensor<ui32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
