// RUN: boost-opt %s | FileCheck %s
// RUN: boost-opt %s --mlir-print-op-generic | boost-opt | FileCheck %s
// Constants and data movement print as they parse.

// CHECK-LABEL: func @creation
func.func @creation() {
  // CHECK-NEXT: %{{.*}} = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK-NEXT: %{{.*}} = stablehlo.constant dense<[1, 2]> : tensor<2xui32>
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xui32>
  // CHECK-NEXT: %{{.*}} = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %0 = stablehlo.iota dim = 1 : tensor<4x8xi32>
  return
}

// CHECK-LABEL: func @shape
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
func.func @shape(%x: tensor<4x8xf32>, %p: tensor<4xi1>) {
  // CHECK-NEXT: stablehlo.broadcast_in_dim %[[X]], dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x16x8xf32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x16x8xf32>
  // CHECK-NEXT: stablehlo.reshape %[[X]] : (tensor<4x8xf32>) -> tensor<32xf32>
  %1 = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>
  // CHECK-NEXT: stablehlo.bitcast_convert %[[X]] : (tensor<4x8xf32>) -> tensor<4x8xi32>
  %2 = stablehlo.bitcast_convert %x : (tensor<4x8xf32>) -> tensor<4x8xi32>
  // CHECK-NEXT: stablehlo.bitcast_convert %[[X]] : (tensor<4x8xf32>) -> tensor<4x8x4xui8>
  %5 = stablehlo.bitcast_convert %x : (tensor<4x8xf32>) -> tensor<4x8x4xui8>
  // CHECK-NEXT: stablehlo.bitcast_convert %{{.*}} : (tensor<4xi1>) -> tensor<4xi1>
  %6 = stablehlo.bitcast_convert %p : (tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NEXT: stablehlo.transpose %[[X]], dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: stablehlo.reverse %[[X]], dims = [0] : tensor<4x8xf32>
  %4 = stablehlo.reverse %x, dims = [0] : tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @parts
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[S:.*]]: tensor<f32>, %[[I:.*]]: tensor<i32>, %[[U:.*]]: tensor<1x8xf32>
func.func @parts(%x: tensor<4x8xf32>, %s: tensor<f32>, %i: tensor<i32>, %u: tensor<1x8xf32>) {
  // CHECK-NEXT: stablehlo.slice %[[X]] [0:2, 1:7:2] : (tensor<4x8xf32>) -> tensor<2x3xf32>
  %0 = stablehlo.slice %x [0:2, 1:7:2] : (tensor<4x8xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: stablehlo.concatenate %[[X]], %[[U]], dim = 0 : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<5x8xf32>
  %1 = stablehlo.concatenate %x, %u, dim = 0 : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<5x8xf32>
  // CHECK-NEXT: stablehlo.pad %[[X]], %[[S]], low = [0, 5], high = [0, -1], interior = [1, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<7x12xf32>
  %2 = stablehlo.pad %x, %s, low = [0, 5], high = [0, -1], interior = [1, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<7x12xf32>
  // CHECK-NEXT: stablehlo.dynamic_slice %[[X]], %[[I]], %[[I]], sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  %3 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  // CHECK-NEXT: stablehlo.dynamic_update_slice %[[X]], %[[U]], %[[I]], %[[I]] : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %4 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @indexing
func.func @indexing(%t: tensor<64x8xf32>, %i: tensor<4x3x1xi32>, %u: tensor<4x3x8xf32>) {
  // CHECK: "stablehlo.gather"
  // CHECK-SAME: #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>
  // CHECK-SAME: slice_sizes = array<i64: 1, 8>
  // CHECK-SAME: -> tensor<4x3x8xf32>
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x3x1xi32>) -> tensor<4x3x8xf32>
  // CHECK: "stablehlo.scatter"
  // CHECK-SAME: #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>
  // CHECK: -> tensor<64x8xf32>
  %1 = "stablehlo.scatter"(%t, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<64x8xf32>, tensor<4x3x1xi32>, tensor<4x3x8xf32>) -> tensor<64x8xf32>
  return
}

// Parts without elements, indices without a dimension for their components, and the second
// dimension of the operand batched with the first of the indices.
// CHECK-LABEL: func @corner_cases
func.func @corner_cases(%x: tensor<4x8xf32>, %s: tensor<f32>, %i: tensor<i32>, %j: tensor<3xi32>, %k: tensor<8x1xi32>) {
  // CHECK-NEXT: stablehlo.pad {{.*}} -> tensor<0x8xf32>
  %0 = stablehlo.pad %x, %s, low = [-4, 0], high = [0, 0], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<0x8xf32>
  // CHECK-NEXT: stablehlo.dynamic_slice {{.*}} -> tensor<0x8xf32>
  %1 = stablehlo.dynamic_slice %x, %i, %i, sizes = [0, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<0x8xf32>
  // CHECK-NEXT: "stablehlo.gather"{{.*}} -> tensor<3x0xf32>
  %2 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 0>}> : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<3x0xf32>
  // CHECK-NEXT: "stablehlo.gather"{{.*}} -> tensor<8xf32>
  %3 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<8x1xi32>) -> tensor<8xf32>
  return
}
