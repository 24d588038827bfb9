// RUN: boost-opt %s --convert-stablehlo-to-linalg --canonicalize | FileCheck %s

// The gradient of two halves is their concatenation.

// CHECK-LABEL: func.func @halves
// CHECK-SAME: %[[A:.*]]: tensor<4x2xf32>, %[[B:.*]]: tensor<4x6xf32>
func.func @halves(%a: tensor<4x2xf32>, %b: tensor<4x6xf32>) -> tensor<4x8xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %z, low = [0, 6], high = [0, 0], interior = [0, 0]
      : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x8xf32>
  %1 = stablehlo.pad %b, %z, low = [0, 0], high = [0, 2], interior = [0, 0]
      : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x8xf32>
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
  // CHECK-NEXT: %[[F:.*]] = tensor.insert_slice %[[B]] into %[[E]][0, 0] [4, 6] [1, 1]
  // CHECK: %[[G:.*]] = tensor.insert_slice %[[A]] into %[[F]][0, 6] [4, 2] [1, 1]
  // CHECK: return %[[G]]
  %2 = stablehlo.add %0, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
