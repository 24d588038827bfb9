// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=sequence" | FileCheck %s

// A vector has no sequence to shard the latent along.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "down">
// CHECK-NOT: boost.spread
// CHECK: boost.bottleneck
// CHECK-NOT: boost.spread
func.func @loss(%x: tensor<8xf32> {boost.tensor = #boost.tensor<batch "x">},
    %down: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "down">},
    %up: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "up">})
    -> (tensor<8xf32> {boost.tensor = #boost.tensor<output "y">}) {
  %y = boost.bottleneck %x down(%down) up(%up)
      : tensor<8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<8xf32>
  return %y : tensor<8xf32>
}
