// RUN: boost-opt %s --split-input-file -boost-place="mesh=tp=2 placement=megatron" | FileCheck %s

// A product of a weight and a constant vector, as in the power iteration of
// spectral normalization, comes first in the program, but the linear decides.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "w">
func.func @loss(%w: tensor<8x16xf32> {boost.tensor = #boost.tensor<param "w">},
                    %x: tensor<4x6x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4x6x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %u = stablehlo.constant dense<0.25> : tensor<16xf32>
  %v = stablehlo.dot_general %w, %u, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8xf32>
  %norm = boost.sum_of_squares %v : (tensor<8xf32>) -> tensor<f32>
  %scale = stablehlo.broadcast_in_dim %norm, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
  %g = stablehlo.divide %w, %scale : tensor<8x16xf32>
  %y = boost.linear %x, %g : (tensor<4x6x8xf32>, tensor<8x16xf32>) -> tensor<4x6x16xf32>
  return %y : tensor<4x6x16xf32>
}

// -----

// What nothing but a product with a constant reads, such as a projection of
// positions, is sharded by that.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "p">
func.func @loss(%p: tensor<4x16xf32> {boost.tensor = #boost.tensor<param "p">},
                %x: tensor<6x16xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<6x16xf32> {
  %waves = stablehlo.constant dense<0.5> : tensor<6x4xf32>
  %0 = stablehlo.dot_general %waves, %p, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x16xf32>) -> tensor<6x16xf32>
  %1 = stablehlo.add %x, %0 : tensor<6x16xf32>
  return %1 : tensor<6x16xf32>
}
