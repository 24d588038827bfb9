// RUN: boost-opt %s --boost-import-check | FileCheck %s
// A program of the subset passes unchanged.

// CHECK-LABEL: func @loss
// CHECK-NEXT:    stablehlo.reduce
// CHECK-NEXT:    return
func.func @loss(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
