// RUN: boost-opt %s --boost-expand-dot-algorithm | FileCheck %s
// RUN: boost-opt %s -boost-expand-dot-algorithm -o %t.values && boost-eval --compare --every-function %s %t.values
// What operands are rounded to becomes operations; the sum is taken as products
// take it anyway.

// CHECK-LABEL: func @wide_operands
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x2xf32>
func.func @wide_operands(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  // CHECK-NEXT: %[[X:.*]] = stablehlo.convert %[[A]] : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.convert %[[B]] : (tensor<8x2xf32>) -> tensor<8x2xbf16>
  // CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %[[X]], %[[Y]], contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  // CHECK-NEXT: return %[[P]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func @native
func.func @native(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>) -> (tensor<4x2xbf16>, tensor<4x2xf32>) {
  // CHECK-NEXT: stablehlo.dot_general %{{.*}} : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
  // CHECK-NEXT: stablehlo.dot_general %{{.*}} : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true> : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true> : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xbf16>, tensor<4x2xf32>
}

// The sum is f32 and is rounded to the result's type at the end.
// CHECK-LABEL: func @narrow_result
func.func @narrow_result(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf16> {
  // CHECK:      %[[P:.*]] = stablehlo.dot_general %{{.*}} : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  // CHECK-NEXT: stablehlo.convert %[[P]] : (tensor<4x2xf32>) -> tensor<4x2xf16>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf16>
  return %0 : tensor<4x2xf16>
}

// CHECK-LABEL: func @tf32
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x2xf32>
func.func @tf32(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  // CHECK-NEXT: %[[X:.*]] = stablehlo.reduce_precision %[[A]], format = e8m10
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.reduce_precision %[[B]], format = e8m10
  // CHECK-NEXT: stablehlo.dot_general %[[X]], %[[Y]], contracting_dims = [1] x [0] :
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func @without_algorithm
func.func @without_algorithm(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  // CHECK-NEXT: stablehlo.dot_general %{{.*}}, precision = [HIGHEST, HIGHEST] :
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
