// RUN: boost-opt %s --split-input-file -boost-place="mesh=tp=2 placement=megatron" | FileCheck %s
// RUN: boost-opt %s --split-input-file -boost-place="mesh=tp=2 placement=bottleneck" | FileCheck %s
// Products whose weights have a dimension for experts alternate as linears do: along
// the experts if the mesh divides their number, or else along their hidden dimension.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "up">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "down">
func.func @loss(%x: tensor<6x8xf32> {boost.tensor = #boost.tensor<param "x">},
                %up: tensor<4x8x16xf32> {boost.tensor = #boost.tensor<param "up">},
                %down: tensor<4x16x8xf32> {boost.tensor = #boost.tensor<param "down">},
                %i: tensor<6x8xf32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x6x8xf32> {
  %y = stablehlo.add %x, %i : tensor<6x8xf32>
  %h = stablehlo.dot_general %y, %up, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<4x8x16xf32>) -> tensor<6x4x16xf32>
  %t = stablehlo.tanh %h : tensor<6x4x16xf32>
  %o = stablehlo.dot_general %t, %down, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<6x4x16xf32>, tensor<4x16x8xf32>) -> tensor<4x6x8xf32>
  return %o : tensor<4x6x8xf32>
}

// -----

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<param "up">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}, {}>, boost.tensor = #boost.tensor<param "down">
func.func @loss(%x: tensor<6x8xf32> {boost.tensor = #boost.tensor<param "x">},
                %up: tensor<3x8x16xf32> {boost.tensor = #boost.tensor<param "up">},
                %down: tensor<3x16x8xf32> {boost.tensor = #boost.tensor<param "down">},
                %i: tensor<6x8xf32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<3x6x8xf32> {
  %y = stablehlo.add %x, %i : tensor<6x8xf32>
  %h = stablehlo.dot_general %y, %up, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<3x8x16xf32>) -> tensor<6x3x16xf32>
  %t = stablehlo.tanh %h : tensor<6x3x16xf32>
  %o = stablehlo.dot_general %t, %down, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<6x3x16xf32>, tensor<3x16x8xf32>) -> tensor<3x6x8xf32>
  return %o : tensor<3x6x8xf32>
}
