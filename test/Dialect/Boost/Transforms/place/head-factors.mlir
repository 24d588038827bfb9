// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=megatron" | FileCheck %s
// Logits of a head with factors are sharded along the vocabulary where the stream is
// replicated, too.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "down">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "up">
func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "x">},
                %down: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "down">},
                %up: tensor<2x32xf32> {boost.tensor = #boost.tensor<param "up">},
                %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "targets">}) -> tensor<4xf32> {
  %o = boost.bottleneck %x down(%down) up(%up) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x32xf32> -> tensor<4x32xf32>
  %loss, %lse = boost.cross_entropy %o, %i : (tensor<4x32xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %loss : tensor<4xf32>
}
