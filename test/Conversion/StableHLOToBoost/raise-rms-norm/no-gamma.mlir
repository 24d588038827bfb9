// RUN: boost-opt %s -boost-raise-rms-norm -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// A norm without gamma gets one of ones.

// CHECK-LABEL: func @no_gamma
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>
// CHECK:         %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<64xf32>
// CHECK-NEXT:    %[[Y:.*]] = boost.rms_norm %[[X]], %[[ONE]]
// CHECK-NEXT:    return %[[Y]]
func.func @no_gamma(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}) -> tensor<4x16x64xf32> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4x16x1xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x16x64xf32>
  %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %3 = stablehlo.divide %2, %cst_0 : tensor<4x16x1xf32>
  %4 = stablehlo.add %3, %cst : tensor<4x16x1xf32>
  %5 = stablehlo.rsqrt %4 : tensor<4x16x1xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %7 = stablehlo.multiply %arg0, %6 : tensor<4x16x64xf32>
  return %7 : tensor<4x16x64xf32>
}
