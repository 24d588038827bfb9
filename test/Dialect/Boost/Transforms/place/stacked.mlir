// RUN: boost-opt %s -boost-place="mesh=tp=2" | FileCheck %s
// A split of a layer's weight is a split of the stack that it is a slice of,
// and a transposed weight is sharded along the transposed dimension.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "down"
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "up"
func.func @loss(%a: tensor<3x8x2xf32> {boost.tensor = #boost.tensor<param "down">},
                %b: tensor<3x8x2xf32> {boost.tensor = #boost.tensor<param "up">},
                %x: tensor<2x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<2x8xf32> {
  %0 = stablehlo.slice %a [1:2, 0:8, 0:2] : (tensor<3x8x2xf32>) -> tensor<1x8x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x8x2xf32>) -> tensor<8x2xf32>
  %2 = stablehlo.slice %b [1:2, 0:8, 0:2] : (tensor<3x8x2xf32>) -> tensor<1x8x2xf32>
  %3 = stablehlo.reshape %2 : (tensor<1x8x2xf32>) -> tensor<8x2xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
  %y = boost.bottleneck %x down(%1) up(%4) : tensor<2x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
