// RUN: boost-opt %s --boost-expand-inner-products | FileCheck %s
// RUN: boost-opt %s -boost-expand-inner-products -o %t.values && boost-eval --compare --every-function %s %t.values
// A product without rows or columns is a sum of products of elements.

// CHECK-LABEL: func @everything_is_summed
// CHECK-SAME:    %[[A:.*]]: tensor<2x4x8xf32>, %[[B:.*]]: tensor<8x2x4xf32>
func.func @everything_is_summed(%a: tensor<2x4x8xf32>, %b: tensor<8x2x4xf32>) -> tensor<f32> {
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.transpose %[[B]], dims = [1, 2, 0]
  // CHECK-NEXT: %[[P:.*]] = stablehlo.multiply %[[A]], %[[Y]] : tensor<2x4x8xf32>
  // CHECK:      %[[S:.*]] = stablehlo.reduce(%[[P]] init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1, 2]
  // CHECK-NEXT: return %[[S]] : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0, 1, 2] x [1, 2, 0] : (tensor<2x4x8xf32>, tensor<8x2x4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func @row_times_column
func.func @row_times_column(%a: tensor<2x4x1x8xf32>, %b: tensor<2x4x8x1xf32>) -> tensor<2x4x1x1xf32> {
  // CHECK-NOT: dot_general
  // CHECK:     stablehlo.multiply %{{.*}} : tensor<2x4x8xf32>
  // CHECK:     stablehlo.reduce({{.*}} across dimensions = [2]
  // CHECK:     stablehlo.reshape %{{.*}} : (tensor<2x4xf32>) -> tensor<2x4x1x1xf32>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x1x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x1x1xf32>
  return %0 : tensor<2x4x1x1xf32>
}

// Sums are taken in f32 and rounded once, to the type of the result.
// CHECK-LABEL: func @narrow
func.func @narrow(%a: tensor<4x64xbf16>, %b: tensor<4x64xbf16>) -> (tensor<4xbf16>, tensor<4xf32>) {
  // CHECK:      stablehlo.multiply %{{.*}} : tensor<4x64xf32>
  // CHECK:      %[[S:.*]] = stablehlo.reduce
  // CHECK:      stablehlo.convert %[[S]] : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK-NOT:  dot_general
  // CHECK-NOT:  -> tensor<4xbf16>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x64xbf16>, tensor<4x64xbf16>) -> tensor<4xbf16>
  %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x64xbf16>, tensor<4x64xbf16>) -> tensor<4xf32>
  return %0, %1 : tensor<4xbf16>, tensor<4xf32>
}

// CHECK-LABEL: func @wide
func.func @wide(%a: tensor<4x8xf32>, %b: tensor<4x8xf64>) -> (tensor<4xf32>, tensor<4xf64>) {
  // CHECK-COUNT-2: stablehlo.multiply %{{.*}} : tensor<4x8xf64>
  %c = stablehlo.convert %b : (tensor<4x8xf64>) -> tensor<4x8xf32>
  %0 = stablehlo.dot_general %b, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x8xf64>, tensor<4x8xf64>) -> tensor<4xf32>
  %1 = stablehlo.dot_general %a, %c, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf64>
  return %0, %1 : tensor<4xf32>, tensor<4xf64>
}

// CHECK-LABEL: func @integers
func.func @integers(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4xi32> {
  // CHECK:     stablehlo.multiply %{{.*}} : tensor<4x8xi32>
  // CHECK-NOT: dot_general
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func @nothing_is_summed
func.func @nothing_is_summed(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.multiply
  // CHECK-NEXT: return %[[P]]
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x [] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @rows_and_columns
func.func @rows_and_columns(%a: tensor<2x8xf32>, %b: tensor<8x1xf32>, %c: tensor<1x8xf32>) -> (tensor<2x1xf32>, tensor<1x2xf32>) {
  // CHECK-NEXT: stablehlo.dot_general
  // CHECK-NEXT: stablehlo.dot_general
  // CHECK-NEXT: return
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x1xf32>) -> tensor<2x1xf32>
  %1 = stablehlo.dot_general %c, %a, contracting_dims = [1] x [1] : (tensor<1x8xf32>, tensor<2x8xf32>) -> tensor<1x2xf32>
  return %0, %1 : tensor<2x1xf32>, tensor<1x2xf32>
}

// CHECK-LABEL: func @with_algorithm
func.func @with_algorithm(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<f32> {
  // CHECK-NEXT: stablehlo.dot_general
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// A row and a column of what has one dimension less, as jnp.expand_dims writes them.
// CHECK-LABEL: func @one_dimension_more
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>
func.func @one_dimension_more(%x: tensor<2x4x8xf32>) -> tensor<2x4x1x1xf32> {
  // CHECK: stablehlo.multiply %[[X]], %[[X]] : tensor<2x4x8xf32>
  %row = stablehlo.broadcast_in_dim %x, dims = [0, 1, 3] : (tensor<2x4x8xf32>) -> tensor<2x4x1x8xf32>
  %column = stablehlo.reshape %x : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
  %0 = stablehlo.dot_general %row, %column, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x1x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x1x1xf32>
  return %0 : tensor<2x4x1x1xf32>
}

// Broadcasts that repeat elements or change their order stay.
// CHECK-LABEL: func @not_the_same_elements
func.func @not_the_same_elements(%x: tensor<4x4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[T:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [1, 0]
  // CHECK: %[[R:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [1]
  // CHECK: stablehlo.multiply %[[T]], %[[R]] : tensor<4x4xf32>
  %turned = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %repeated = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
  %0 = stablehlo.dot_general %turned, %repeated, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
