// RUN: boost-opt %s -boost-place="mesh=dp=2,tp=2 placement=replicated" | FileCheck %s
// RUN: boost-opt %s -boost-place | FileCheck %s --check-prefix=ONE
// Plain data parallelism uses every axis for the batch. On one rank nothing is
// cut, and there is a mesh all the same.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "down"
// CHECK-SAME: boost.sharding = #boost.sharding<{"dp", "tp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "x"
// ONE: shard.grid @mesh(shape = 1) {boost.axes = ["tp"]}
// ONE-LABEL: func @loss
// ONE-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "down"
func.func @loss(%a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "down">},
                %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "up">},
                %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4x8xf32> {
  %y = boost.bottleneck %x down(%a) up(%b) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
