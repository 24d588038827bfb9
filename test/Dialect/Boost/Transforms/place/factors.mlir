// RUN: boost-opt %s --boost-place="mesh=tp=2" | FileCheck %s
// RUN: boost-opt %s --boost-place="mesh=tp=2 placement=megatron" | FileCheck %s --check-prefix=ALTERNATING

// Linears that are factors are sharded as those of a bottleneck, whatever the
// rank; every rank computes what stands between them.

// CHECK-LABEL: func @loss
// CHECK-SAME: first factor: row-parallel, the sum is taken at the rank{{[^%]*}}boost.sharding = #boost.sharding<{"tp"}, {}>
// CHECK-SAME: between the factors of a bottleneck: every rank computes the latent whole{{[^%]*}}boost.sharding = #boost.sharding<{}, {}>
// CHECK-SAME: second factor: column-parallel, the latent is replicated{{[^%]*}}boost.sharding = #boost.sharding<{}, {"tp"}>
// CHECK: stablehlo.tanh %{{.*}} {boost.spread = {tp = array<i64: -1, -1>}}

// ALTERNATING-LABEL: func @loss
// ALTERNATING-NOT: boost.spread
// ALTERNATING: return
func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
                %a: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "a">},
                %c: tensor<4x3xf32> {boost.tensor = #boost.tensor<param "c">},
                %b: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "b">})
    -> (tensor<4x8xf32> {boost.tensor = #boost.tensor<output "y">}) {
  %h = boost.linear %x, %a {boost.factor = "first"} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %t = stablehlo.tanh %h : tensor<4x4xf32>
  %k = boost.linear %t, %c {boost.factor = "middle"} : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %y = boost.linear %k, %b {boost.factor = "second"} : (tensor<4x3xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
