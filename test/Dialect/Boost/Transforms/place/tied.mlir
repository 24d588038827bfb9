// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=bottleneck" | FileCheck %s --check-prefix=BOTTLENECK
// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=megatron" | FileCheck %s --check-prefix=MEGATRON
// A table that is also the head has one split.

// BOTTLENECK: boost.sharding = #boost.sharding<{}, {"tp"}>
// MEGATRON: boost.sharding = #boost.sharding<{"tp"}, {}>
func.func @loss(%t: tensor<32x8xf32> {boost.tensor = #boost.tensor<param "embed">},
                %i: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "tokens">}) -> tensor<2x4x32xf32> {
  %x = boost.embedding %t, %i : (tensor<32x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  %o = boost.linear %x, %t transposed shard_output : (tensor<2x4x8xf32>, tensor<32x8xf32>) -> tensor<2x4x32xf32>
  return %o : tensor<2x4x32xf32>
}
