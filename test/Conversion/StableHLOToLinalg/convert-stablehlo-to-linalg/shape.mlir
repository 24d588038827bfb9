// RUN: boost-opt %s --convert-stablehlo-to-linalg --split-input-file | FileCheck %s

// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$ONE:.*]] = affine_map<(d0, d1, d2) -> (d0, 0)>
// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%a: tensor<4x8xf32>, %b: tensor<4x1xf32>)
    -> (tensor<4x2x8xf32>, tensor<4x2x8xf32>) {
  // CHECK: indexing_maps = [#[[$ROWS]], #{{.*}}]
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x2x8xf32>
  // CHECK: indexing_maps = [#[[$ONE]], #{{.*}}]
  %1 = stablehlo.broadcast_in_dim %b, dims = [0, 2] : (tensor<4x1xf32>) -> tensor<4x2x8xf32>
  return %0, %1 : tensor<4x2x8xf32>, tensor<4x2x8xf32>
}

// -----

// CHECK: #[[$MAP:.*]] = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-LABEL: func.func @transpose
func.func @transpose(%a: tensor<4x8x2xf32>) -> tensor<2x4x8xf32> {
  // CHECK: indexing_maps = [#[[$MAP]], #{{.*}}]
  %0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<4x8x2xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @reshape
func.func @reshape(%a: tensor<4x8xf32>, %s: tensor<1x1xf32>)
    -> (tensor<4x2x4xf32>, tensor<16x2xf32>, tensor<f32>) {
  // CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]]
  %0 = stablehlo.reshape %a : (tensor<4x8xf32>) -> tensor<4x2x4xf32>
  // CHECK: %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  // CHECK: tensor.expand_shape %[[FLAT]]
  %1 = stablehlo.reshape %a : (tensor<4x8xf32>) -> tensor<16x2xf32>
  // CHECK: tensor.collapse_shape %{{.*}} [] : tensor<1x1xf32> into tensor<f32>
  %2 = stablehlo.reshape %s : (tensor<1x1xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<4x2x4xf32>, tensor<16x2xf32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @parts
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
func.func @parts(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[L:.*]] = tensor.extract_slice %[[A]][0, 4] [4, 4] [1, 1]
  %0 = stablehlo.slice %a [0:4, 4:8] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  // CHECK: %[[H:.*]] = tensor.extract_slice %[[A]][0, 0] [4, 4] [1, 2]
  %1 = stablehlo.slice %a [0:4, 0:8:2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
  // CHECK: %[[F:.*]] = tensor.insert_slice %[[L]] into %[[E]][0, 0] [4, 4] [1, 1]
  // CHECK: tensor.insert_slice %[[H]] into %[[F]][0, 4] [4, 4] [1, 1]
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// Interior padding first, then elements are cut off at the edges.

// CHECK-LABEL: func.func @pad
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>
func.func @pad(%a: tensor<4xf32>) -> (tensor<9xf32>, tensor<5xf32>) {
  %v = stablehlo.constant dense<1.0> : tensor<f32>
  // CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<9xf32>
  // CHECK: tensor.insert_slice %[[A]] into %[[F]][1] [4] [2]
  %0 = stablehlo.pad %a, %v, low = [1], high = [1], interior = [1]
      : (tensor<4xf32>, tensor<f32>) -> tensor<9xf32>
  // a0 . a1 . a2 . a3 without the first and the last: . a1 . a2 .
  // CHECK: %[[G:.*]] = linalg.fill {{.*}} -> tensor<5xf32>
  // CHECK: %[[S:.*]] = tensor.extract_slice %[[A]][1] [2] [1]
  // CHECK: tensor.insert_slice %[[S]] into %[[G]][1] [2] [2]
  %1 = stablehlo.pad %a, %v, low = [-1], high = [-1], interior = [1]
      : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return %0, %1 : tensor<9xf32>, tensor<5xf32>
}

// -----

// CHECK-LABEL: func.func @pad_with_argument
// CHECK-SAME: %[[A:.*]]: tensor<2x3xf32>, %[[V:.*]]: tensor<f32>
func.func @pad_with_argument(%a: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<4x3xf32> {
  // CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%[[V]] : tensor<f32>) outs(%{{.*}} : tensor<4x3xf32>)
  // CHECK: tensor.insert_slice %[[A]] into %[[F]][1, 0] [2, 3] [1, 1]
  %0 = stablehlo.pad %a, %v, low = [1, 0], high = [1, 0], interior = [0, 0]
      : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @sources
func.func @sources() -> (tensor<4x8xf32>, tensor<2xi32>) {
  // CHECK: linalg.index 1
  // CHECK: arith.sitofp
  %0 = stablehlo.iota dim = 1 : tensor<4x8xf32>
  // CHECK: arith.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  return %0, %1 : tensor<4x8xf32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @reverse
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
func.func @reverse(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[I:.*]] = linalg.index 0
  // CHECK: %[[J:.*]] = linalg.index 1
  // CHECK: %[[K:.*]] = arith.subi %{{.*}}, %[[J]]
  // CHECK: tensor.extract %[[A]][%[[I]], %[[K]]]
  %0 = stablehlo.reverse %a, dims = [1] : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Narrower bits are shifted down to the lowest place, wider ones put together.

// CHECK: #[[$DROP:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @bits
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func @bits(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[$DROP]], {{.*}}} ins(%[[X]] : tensor<4xf32>) outs(%{{.*}} : tensor<4x2xbf16>)
  // CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[MOVED:.*]] = arith.shrui %[[BITS]], %{{.*}} : i32
  // CHECK: %[[LOW:.*]] = arith.trunci %[[MOVED]] : i32 to i16
  // CHECK: arith.bitcast %[[LOW]] : i16 to bf16
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x2xbf16>
  // CHECK: linalg.generic
  // CHECK-COUNT-2: tensor.extract %{{.*}} : tensor<4x2xbf16>
  // CHECK: %[[ALL:.*]] = arith.ori %{{.*}}, %{{.*}} : i32
  // CHECK: arith.bitcast %[[ALL]] : i32 to f32
  %1 = stablehlo.bitcast_convert %0 : (tensor<4x2xbf16>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Constants in resources of the file need not be read.

// CHECK-LABEL: func.func @resource
func.func @resource() -> tensor<2xi32> {
  // CHECK: arith.constant dense_resource<kept> : tensor<2xi32>
  %0 = stablehlo.constant dense_resource<kept> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

{-#
  dialect_resources: {
    builtin: { kept: "0x040000000100000002000000" }
  }
#-}
