// RUN: boost-opt %s -boost-place="mesh=dp=2,tp=2" | FileCheck %s
// RUN: boost-opt %s -boost-place="mesh=dp=2,tp=2 placement=bottleneck" | FileCheck %s
// Bottlenecks are sharded along their wide dimensions, the residual stream along the hidden one.

// CHECK: shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<{{param|batch}} "embed"
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "down"
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<{{param|batch}} "up"
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<{{param|batch}} "norm"
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<{{param|batch}} "head"
// CHECK-SAME: boost.reason = "replicated", boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<{{param|batch}} "rest"
// CHECK-SAME: boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "tokens"
// CHECK-SAME: -> (tensor<2x4xf32> {boost.sharding = #boost.sharding<{}, {}>})
func.func @loss(%t: tensor<32x8xf32> {boost.tensor = #boost.tensor<param "embed">},
                %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "down">},
                %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "up">},
                %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "norm">},
                %h: tensor<8x32xf32> {boost.tensor = #boost.tensor<param "head">},
                %r: tensor<3xf32> {boost.tensor = #boost.tensor<param "rest">},
                %i: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "tokens">}) -> tensor<2x4xf32> {
  %x = boost.embedding %t, %i : (tensor<32x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  %y = boost.bottleneck %x down(%a) up(%b) : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x4x8xf32>
  %n = boost.rms_norm %y, %g {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %o = boost.linear %n, %h shard_output : (tensor<2x4x8xf32>, tensor<8x32xf32>) -> tensor<2x4x32xf32>
  %e, %s = boost.cross_entropy %o, %i : (tensor<2x4x32xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return %e : tensor<2x4xf32>
}
