// RUN: boost-opt %s --convert-stablehlo-to-linalg --split-input-file | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$COLUMNS:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @sum
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
func.func @sum(%a: tensor<4x8xf32>) -> tensor<8xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<8xf32>)
  // CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$COLUMNS]]], iterator_types = ["reduction", "parallel"]} ins(%[[A]] : {{.*}}) outs(%[[F]] :
  // CHECK: ^bb0(%[[X:.*]]: f32, %[[S:.*]]: f32)
  // CHECK: arith.addf %[[S]], %[[X]] : f32
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0]
      : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// bf16 accumulates in f32 and is rounded once.

// CHECK-LABEL: func.func @short_floats
func.func @short_floats(%a: tensor<4x8xbf16>) -> tensor<4xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  // CHECK: arith.extf {{.*}} : bf16 to f32
  // CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4xf32>)
  // CHECK: arith.addf {{.*}} : f32
  // CHECK: arith.truncf {{.*}} : f32 to bf16
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1]
      : (tensor<4x8xbf16>, tensor<bf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// A pair of value and index, as argmax has it.

// CHECK-LABEL: func.func @pairs
func.func @pairs(%a: tensor<4x8xf32>, %i: tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xi32>) outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xi32>)
  // CHECK: ^bb0(%[[X:.*]]: f32, %[[I:.*]]: i32, %[[BX:.*]]: f32, %[[BI:.*]]: i32)
  // CHECK: %[[C:.*]] = arith.cmpf oge, %[[BX]], %[[X]]
  // CHECK: %[[V:.*]] = arith.select %[[C]], %[[BX]], %[[X]]
  // CHECK: %[[K:.*]] = arith.select %[[C]], %[[BI]], %[[I]]
  // CHECK: linalg.yield %[[V]], %[[K]]
  %0:2 = stablehlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [1]
      : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
      reducer(%v: tensor<f32>, %x: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
    %c = stablehlo.compare GE, %v, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %m = stablehlo.select %c, %v, %x : tensor<i1>, tensor<f32>
    %n = stablehlo.select %c, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %m, %n : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}

// -----

// CHECK-DAG: #[[$LHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
// CHECK-DAG: #[[$RHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @integer_product
func.func @integer_product(%a: tensor<8x2x4xi32>, %b: tensor<2x8x3xi32>) -> tensor<2x4x3xi32> {
  // CHECK: indexing_maps = [#[[$LHS]], #[[$RHS]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  // CHECK: arith.muli
  // CHECK: arith.addi
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [0] x [1]
      : (tensor<8x2x4xi32>, tensor<2x8x3xi32>) -> tensor<2x4x3xi32>
  return %0 : tensor<2x4x3xi32>
}
