// RUN: boost-opt %s -boost-classify-parameters | FileCheck %s

// One parameter of every kind. How a norm is stacked does not matter: `stacked`
// has rank 2 and is a scale in every layer.

// CHECK-LABEL: func @loss
// CHECK-SAME:    {boost.tensor = #boost.tensor<param "embed", init = "normal:0.02", decay = true>}
// CHECK-SAME:    {boost.tensor = #boost.tensor<param "positions", init = "normal:0.02", decay = true>}
// CHECK-SAME:    {boost.tensor = #boost.tensor<param "w", init = "normal:0.02", decay = true>}
// CHECK-SAME:    {boost.tensor = #boost.tensor<param "stacked", init = "ones", decay = false>}
// CHECK-SAME:    {boost.tensor = #boost.tensor<param "centered", init = "zeros", decay = false>}
// CHECK-SAME:    {boost.tensor = #boost.tensor<param "bias", init = "zeros", decay = false>}
// CHECK-SAME:    {boost.tensor = #boost.tensor<param "unused", init = "zeros", decay = false>}
// CHECK-SAME:    {boost.tensor = #boost.tensor<batch "ids">}
func.func @loss(
    %embed: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "embed">},
    %positions: tensor<32x8xf32> {boost.tensor = #boost.tensor<param "positions">},
    %w: tensor<2x8x8xf32> {boost.tensor = #boost.tensor<param "w">},
    %stacked: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "stacked">},
    %centered: tensor<8xf32> {boost.tensor = #boost.tensor<param "centered">},
    %bias: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "bias">},
    %unused: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "unused">},
    %ids: tensor<3x4xi32> {boost.tensor = #boost.tensor<batch "ids">})
    -> (tensor<3x4x2x4xf32> {boost.tensor = #boost.tensor<output "h">}) {
  %one = stablehlo.constant dense<1.0> : tensor<8xf32>
  %rows = "stablehlo.gather"(%embed, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<3x4xi32>) -> tensor<3x4x8xf32>
  %p0 = stablehlo.slice %positions [0:4, 0:8] : (tensor<32x8xf32>) -> tensor<4x8xf32>
  %p1 = stablehlo.broadcast_in_dim %p0, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<3x4x8xf32>
  %x = stablehlo.add %rows, %p1 : tensor<3x4x8xf32>

  %g0 = stablehlo.slice %stacked [1:2, 0:8] : (tensor<2x8xf32>) -> tensor<1x8xf32>
  %g1 = stablehlo.reshape %g0 : (tensor<1x8xf32>) -> tensor<8xf32>
  %g2 = stablehlo.broadcast_in_dim %g1, dims = [2] : (tensor<8xf32>) -> tensor<3x4x8xf32>
  %y = stablehlo.multiply %x, %g2 : tensor<3x4x8xf32>

  %c0 = stablehlo.add %centered, %one : tensor<8xf32>
  %c1 = stablehlo.broadcast_in_dim %c0, dims = [2] : (tensor<8xf32>) -> tensor<3x4x8xf32>
  %z = stablehlo.multiply %y, %c1 : tensor<3x4x8xf32>

  %w0 = stablehlo.slice %w [0:1, 0:8, 0:8] : (tensor<2x8x8xf32>) -> tensor<1x8x8xf32>
  %w1 = stablehlo.reshape %w0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
  %h0 = stablehlo.dot_general %z, %w1, contracting_dims = [2] x [0]
      : (tensor<3x4x8xf32>, tensor<8x8xf32>) -> tensor<3x4x8xf32>
  %h1 = stablehlo.reshape %h0 : (tensor<3x4x8xf32>) -> tensor<3x4x2x4xf32>
  %b = stablehlo.broadcast_in_dim %bias, dims = [2, 3] : (tensor<2x4xf32>) -> tensor<3x4x2x4xf32>
  %h = stablehlo.add %h1, %b : tensor<3x4x2x4xf32>
  return %h : tensor<3x4x2x4xf32>
}
