// RUN: boost-opt %s | FileCheck %s
// RUN: boost-opt %s --mlir-print-op-generic | boost-opt | FileCheck %s
// Contractions and reductions print as they parse.

// CHECK-LABEL: func @dot_general
// CHECK-SAME:    %[[A:.*]]: tensor<2x4x8xf32>, %[[B:.*]]: tensor<2x8x3xf32>, %[[W:.*]]: tensor<8x5xf32>
func.func @dot_general(%a: tensor<2x4x8xf32>, %b: tensor<2x8x3xf32>, %w: tensor<8x5xf32>) {
  // CHECK-NEXT: stablehlo.dot_general %[[A]], %[[B]], batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x4x8xf32>, tensor<2x8x3xf32>) -> tensor<2x4x3xf32>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x4x8xf32>, tensor<2x8x3xf32>) -> tensor<2x4x3xf32>
  // CHECK-NEXT: stablehlo.dot_general %[[A]], %[[W]], contracting_dims = [2] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 3, num_primitive_operations = 4, allow_imprecise_accumulation = true> : (tensor<2x4x8xf32>, tensor<8x5xf32>) -> tensor<2x4x5xf32>
  %2 = stablehlo.dot_general %a, %w, contracting_dims = [2] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 3, num_primitive_operations = 4, allow_imprecise_accumulation = true> : (tensor<2x4x8xf32>, tensor<8x5xf32>) -> tensor<2x4x5xf32>
  // CHECK-NEXT: stablehlo.dot_general %[[A]], %[[W]], contracting_dims = [2] x [0] : (tensor<2x4x8xf32>, tensor<8x5xf32>) -> tensor<2x4x5xf64>
  %1 = stablehlo.dot_general %a, %w, contracting_dims = [2] x [0] : (tensor<2x4x8xf32>, tensor<8x5xf32>) -> tensor<2x4x5xf64>
  return
}

// CHECK-LABEL: func @reduce
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[I:.*]]: tensor<4x8xi32>, %[[S:.*]]: tensor<f32>, %[[T:.*]]: tensor<i32>
func.func @reduce(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>, %s: tensor<f32>, %t: tensor<i32>) {
  // CHECK-NEXT: stablehlo.reduce(%[[X]] init: %[[S]]) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK-NEXT: stablehlo.reduce(%[[X]] init: %[[S]]), (%[[I]] init: %[[T]]) across dimensions = [0] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[C:.*]]: tensor<f32>) (%[[B:.*]]: tensor<i32>, %[[D:.*]]: tensor<i32>) {
  // CHECK-NEXT:   stablehlo.maximum %[[A]], %[[C]]
  // CHECK-NEXT:   stablehlo.add %[[B]], %[[D]]
  %1:2 = stablehlo.reduce(%x init: %s), (%i init: %t) across dimensions = [0] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %2 = stablehlo.maximum %a, %c : tensor<f32>
    %3 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }
  return
}
