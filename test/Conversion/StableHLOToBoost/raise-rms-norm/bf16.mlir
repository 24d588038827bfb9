// RUN: boost-opt %s -boost-raise-rms-norm | FileCheck %s
// RUN: boost-opt %s -boost-raise-rms-norm -o %t.values && boost-eval --compare --every-function %s %t.values
// The statistic is in f32 by definition: conversions belong to the norm. Gamma
// keeps the type that it is multiplied in.

// CHECK-LABEL: func @gamma_in_f32
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xbf16>{{.*}}, %[[G:.*]]: tensor<64xbf16>
// CHECK-NEXT:    %[[W:.*]] = stablehlo.convert %[[G]]
// CHECK-NEXT:    %[[Y:.*]] = boost.rms_norm %[[X]], %[[W]] {eps = 9.9999997473787516E-6 : f64} : tensor<4x16x64xbf16>, tensor<64xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @gamma_in_f32(%arg0: tensor<4x16x64xbf16> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xbf16> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xbf16> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4x16x1xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.convert %arg0 : (tensor<4x16x64xbf16>) -> tensor<4x16x64xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4x16x64xf32>
  %2 = stablehlo.reduce(%1 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %4 = stablehlo.divide %3, %cst_0 : tensor<4x16x1xf32>
  %5 = stablehlo.add %4, %cst : tensor<4x16x1xf32>
  %6 = stablehlo.rsqrt %5 : tensor<4x16x1xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %8 = stablehlo.multiply %0, %7 : tensor<4x16x64xf32>
  %9 = stablehlo.convert %arg1 : (tensor<64xbf16>) -> tensor<64xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [2] : (tensor<64xf32>) -> tensor<4x16x64xf32>
  %11 = stablehlo.multiply %8, %10 : tensor<4x16x64xf32>
  %12 = stablehlo.convert %11 : (tensor<4x16x64xf32>) -> tensor<4x16x64xbf16>
  return %12 : tensor<4x16x64xbf16>
}

// CHECK-LABEL: func @gamma_in_bf16
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xbf16>{{.*}}, %[[G:.*]]: tensor<64xbf16>
// CHECK-NEXT:    %[[Y:.*]] = boost.rms_norm %[[X]], %[[G]] {eps = 9.9999997473787516E-6 : f64} : tensor<4x16x64xbf16>, tensor<64xbf16>
// CHECK-NEXT:    return %[[Y]]
func.func @gamma_in_bf16(%arg0: tensor<4x16x64xbf16> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xbf16> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xbf16> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4x16x1xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.convert %arg0 : (tensor<4x16x64xbf16>) -> tensor<4x16x64xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4x16x64xf32>
  %2 = stablehlo.reduce(%1 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %4 = stablehlo.divide %3, %cst_0 : tensor<4x16x1xf32>
  %5 = stablehlo.add %4, %cst : tensor<4x16x1xf32>
  %6 = stablehlo.rsqrt %5 : tensor<4x16x1xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %8 = stablehlo.multiply %0, %7 : tensor<4x16x64xf32>
  %9 = stablehlo.convert %8 : (tensor<4x16x64xf32>) -> tensor<4x16x64xbf16>
  %10 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<64xbf16>) -> tensor<4x16x64xbf16>
  %11 = stablehlo.multiply %9, %10 : tensor<4x16x64xbf16>
  return %11 : tensor<4x16x64xbf16>
}
