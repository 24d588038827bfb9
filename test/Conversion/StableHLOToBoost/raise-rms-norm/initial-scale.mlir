// RUN: boost-opt %s -boost-raise-rms-norm | FileCheck %s
// A scale starts from ones unless its argument says otherwise.

// CHECK-LABEL: func @silent
// CHECK-SAME:    tensor<64xf32> {boost.arg = "param", boost.init = "ones"}
// CHECK:         boost.rms_norm
func.func @silent(%x: tensor<4x64xf32>, %g: tensor<64xf32> {boost.arg = "param"}) -> tensor<4x64xf32> {
  %eps = stablehlo.constant dense<1.0e-6> : tensor<4xf32>
  %d = stablehlo.constant dense<6.4e+01> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<4x64xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.divide %1, %d : tensor<4xf32>
  %3 = stablehlo.add %2, %eps : tensor<4xf32>
  %4 = stablehlo.rsqrt %3 : tensor<4xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %6 = stablehlo.multiply %x, %5 : tensor<4x64xf32>
  %7 = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
  %8 = stablehlo.multiply %6, %7 : tensor<4x64xf32>
  return %8 : tensor<4x64xf32>
}

// CHECK-LABEL: func @explicit
// CHECK-SAME:    boost.init = "normal:0.5"
// CHECK:         boost.rms_norm
func.func @explicit(%x: tensor<4x64xf32>, %g: tensor<64xf32> {boost.arg = "param", boost.init = "normal:0.5"}) -> tensor<4x64xf32> {
  %eps = stablehlo.constant dense<1.0e-6> : tensor<4xf32>
  %d = stablehlo.constant dense<6.4e+01> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<4x64xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.divide %1, %d : tensor<4xf32>
  %3 = stablehlo.add %2, %eps : tensor<4xf32>
  %4 = stablehlo.rsqrt %3 : tensor<4xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %6 = stablehlo.multiply %x, %5 : tensor<4x64xf32>
  %7 = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
  %8 = stablehlo.multiply %6, %7 : tensor<4x64xf32>
  return %8 : tensor<4x64xf32>
}
