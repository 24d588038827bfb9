// RUN: boost-opt %s -boost-split-batch | FileCheck %s
// RUN: boost-opt %s -boost-split-batch="micro-batches=2" | FileCheck %s --check-prefix=OTHER

// One micro-batch is the batch.
// CHECK-LABEL: func @loss(
// CHECK-SAME: tensor<4xf32>
// CHECK-NOT: stablehlo.multiply
func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// Other functions are no losses.
// OTHER-LABEL: func @other(
// OTHER-SAME: tensor<4xf32>
// OTHER-NEXT: return
func.func @other(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
