// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=sequence" | FileCheck %s
// What a norm adds up of its input, and gamma for every row, are spread along the width of the input.

// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [2] {boost.spread = {tp = array<i64: 0, 2>}} : (tensor<8xf32>)
// CHECK: stablehlo.reduce({{.*}} across dimensions = [2] {boost.spread = {tp = array<i64: 2, -1, -1>}} : (tensor<2x4x8xf32>
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 1] : (tensor<2x4xf32>)
func.func @loss(
    %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "gamma">},
    %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "down">},
    %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "up">},
    %x: tensor<2x4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<2x4x8xf32> {
  %y = boost.bottleneck %x norm(%g, 1.0e-05) down(%a) up(%b) : tensor<2x4x8xf32> norm tensor<8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}
