// RUN: boost-opt %s -boost-expand-inner-products -boost-raise-rms-norm -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// One row alone, whose squares are summed by a product with itself.

// CHECK-LABEL: func @vector
// CHECK-SAME:    %[[X:.*]]: tensor<64xf32>
// CHECK:         boost.rms_norm %[[X]]
func.func @vector(%x: tensor<64xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<64xf32> {
  %n = stablehlo.constant dense<6.400000e+01> : tensor<f32>
  %eps = stablehlo.constant dense<1.000000e-05> : tensor<f32>
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<64xf32>, tensor<64xf32>) -> tensor<f32>
  %1 = stablehlo.divide %0, %n : tensor<f32>
  %2 = stablehlo.add %1, %eps : tensor<f32>
  %3 = stablehlo.rsqrt %2 : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<64xf32>
  %5 = stablehlo.multiply %x, %4 : tensor<64xf32>
  return %5 : tensor<64xf32>
}
