// RUN: boost-opt %s -boost-differentiate -mlir-print-debuginfo | FileCheck %s

// Gradient operations are in the region and at the location of what they
// differentiate; constants are in no region. Gradients lie like parameters.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<gradient "grad.w", of = "w">}
// CHECK:         boost.phase backward
// CHECK:         stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK:         stablehlo.broadcast_in_dim {{.*}} {boost.component = "loss"}
// CHECK:         stablehlo.dot_general {{.*}} {boost.component = "head"} {{.*}} loc([[HEAD:#loc[0-9]*]])
// CHECK:       [[HEAD]] = loc("model.py":12:0)
func.func @loss(%x: tensor<2x4xf32> {boost.tensor = #boost.tensor<batch "x">},
                %w: tensor<4x8xf32> {
                                     boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "w">}) -> tensor<f32> {
  %0 = boost.linear %x, %w {boost.component = "head"}
      : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32> loc("model.py":12:0)
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      {boost.component = "loss"} : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
