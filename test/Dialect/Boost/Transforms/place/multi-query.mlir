// RUN: boost-opt %s -split-input-file -boost-place="mesh=tp=4 placement=bottleneck" | FileCheck %s --check-prefixes=CHECK,BOTTLENECK
// RUN: boost-opt %s -split-input-file -boost-place="mesh=tp=4 placement=megatron" | FileCheck %s --check-prefixes=CHECK,MEGATRON
// One head of keys and values, read by the query heads of all ranks: what it is made of stays whole, while queries
// are sharded by heads.

// CHECK-LABEL: func @loss
// BOTTLENECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "q.down">
// BOTTLENECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "q.up">
// BOTTLENECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "{k,v}.down">
// BOTTLENECK-SAME: boost.reason = "keys and values of one head: every rank computes them whole", boost.sharding = #boost.sharding<{}, {}, {}>, boost.tensor = #boost.tensor<param "{k,v}.up">
// BOTTLENECK-SAME: boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "k.bias">
// BOTTLENECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "out.down">
// Along the latent, partial sums are added: the result is whole.
// MEGATRON-SAME: boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<param "{k,v}.down">
func.func @loss(%x: tensor<2x4x16xf32>,
    %aq: tensor<16x4xf32> {boost.tensor = #boost.tensor<param "q.down">}, %bq: tensor<4x16xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a: tensor<16x2x4xf32> {boost.tensor = #boost.tensor<param "{k,v}.down">}, %b: tensor<2x4x4xf32> {boost.tensor = #boost.tensor<param "{k,v}.up">},
    %c: tensor<4xf32> {boost.tensor = #boost.tensor<param "k.bias">},
    %ao: tensor<16x4xf32> {boost.tensor = #boost.tensor<param "out.down">}, %bo: tensor<4x16xf32> {boost.tensor = #boost.tensor<param "out.up">}) -> tensor<2x4x16xf32> {
  %q = boost.bottleneck %x down(%aq) up(%bq) : tensor<2x4x16xf32> down tensor<16x4xf32> up tensor<4x16xf32> -> tensor<2x4x16xf32>
  %kv = boost.bottleneck %x down(%a) up(%b) : tensor<2x4x16xf32> down tensor<16x2x4xf32> up tensor<2x4x4xf32> -> tensor<2x2x4x4xf32>
  %ks = stablehlo.slice %kv [0:1, 0:2, 0:4, 0:4] : (tensor<2x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %k0 = stablehlo.reshape %ks : (tensor<1x2x4x4xf32>) -> tensor<2x4x4xf32>
  %cb = stablehlo.broadcast_in_dim %c, dims = [2] : (tensor<4xf32>) -> tensor<2x4x4xf32>
  %k1 = stablehlo.add %k0, %cb : tensor<2x4x4xf32>
  %k = stablehlo.reshape %k1 : (tensor<2x4x4xf32>) -> tensor<2x4x1x4xf32>
  %vs = stablehlo.slice %kv [1:2, 0:2, 0:4, 0:4] : (tensor<2x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %v = stablehlo.reshape %vs : (tensor<1x2x4x4xf32>) -> tensor<2x4x1x4xf32>
  %qh = stablehlo.reshape %q : (tensor<2x4x16xf32>) -> tensor<2x4x4x4xf32>
  %o, %l = boost.attention %qh, %k, %v causal {scale = 0.5 : f64}
      : (tensor<2x4x4x4xf32>, tensor<2x4x1x4xf32>, tensor<2x4x1x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4xf32>)
  %m = stablehlo.reshape %o : (tensor<2x4x4x4xf32>) -> tensor<2x4x16xf32>
  %y = boost.bottleneck %m down(%ao) up(%bo) : tensor<2x4x16xf32> down tensor<16x4xf32> up tensor<4x16xf32> -> tensor<2x4x16xf32>
  return %y : tensor<2x4x16xf32>
}

// -----

// Plain linears of a replicated input. Where one product makes the queries as well, it is sharded as any other.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "q">
// CHECK-SAME: boost.reason = "keys and values of one head: every rank computes them whole", boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "k">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "qkv">
func.func @loss(%x: tensor<2x4x16xf32>,
    %wq: tensor<16x16xf32> {boost.tensor = #boost.tensor<param "q">}, %wk: tensor<16x4xf32> {boost.tensor = #boost.tensor<param "k">},
    %w: tensor<16x24xf32> {boost.tensor = #boost.tensor<param "qkv">}) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) {
  %q = boost.linear %x, %wq : (tensor<2x4x16xf32>, tensor<16x16xf32>) -> tensor<2x4x16xf32>
  %qh = stablehlo.reshape %q : (tensor<2x4x16xf32>) -> tensor<2x4x4x4xf32>
  %k = boost.linear %x, %wk : (tensor<2x4x16xf32>, tensor<16x4xf32>) -> tensor<2x4x4xf32>
  %kh = stablehlo.reshape %k : (tensor<2x4x4xf32>) -> tensor<2x4x1x4xf32>
  %o, %l = boost.attention %qh, %kh, %kh causal {scale = 0.5 : f64}
      : (tensor<2x4x4x4xf32>, tensor<2x4x1x4xf32>, tensor<2x4x1x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4xf32>)
  %all = boost.linear %x, %w : (tensor<2x4x16xf32>, tensor<16x24xf32>) -> tensor<2x4x24xf32>
  %q2s = stablehlo.slice %all [0:2, 0:4, 0:16] : (tensor<2x4x24xf32>) -> tensor<2x4x16xf32>
  %q2 = stablehlo.reshape %q2s : (tensor<2x4x16xf32>) -> tensor<2x4x4x4xf32>
  %k2s = stablehlo.slice %all [0:2, 0:4, 16:20] : (tensor<2x4x24xf32>) -> tensor<2x4x4xf32>
  %k2 = stablehlo.reshape %k2s : (tensor<2x4x4xf32>) -> tensor<2x4x1x4xf32>
  %o2, %l2 = boost.attention %q2, %k2, %k2 causal {scale = 0.5 : f64}
      : (tensor<2x4x4x4xf32>, tensor<2x4x1x4xf32>, tensor<2x4x1x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4xf32>)
  return %o, %o2 : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>
}

// -----

// What was decided for a weight before stays, whatever stands beside it. Products behind a product that makes the
// keys are as wide as they like.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "tied">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "q">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "behind">
func.func @loss(%x: tensor<2x4x16xf32>,
    %wk: tensor<16x4xf32> {boost.tensor = #boost.tensor<param "tied">}, %wq: tensor<16x16xf32> {boost.tensor = #boost.tensor<param "q">},
    %wb: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "behind">}, %m: tensor<8x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) {
  %u = boost.linear %x, %wk : (tensor<2x4x16xf32>, tensor<16x4xf32>) -> tensor<2x4x4xf32>
  %k = boost.linear %x, %wk : (tensor<2x4x16xf32>, tensor<16x4xf32>) -> tensor<2x4x4xf32>
  %kh = stablehlo.reshape %k : (tensor<2x4x4xf32>) -> tensor<2x4x1x4xf32>
  %q = boost.linear %x, %wq : (tensor<2x4x16xf32>, tensor<16x16xf32>) -> tensor<2x4x16xf32>
  %qh = stablehlo.reshape %q : (tensor<2x4x16xf32>) -> tensor<2x4x4x4xf32>
  %o, %l = boost.attention %qh, %kh, %kh causal {scale = 0.5 : f64}
      : (tensor<2x4x4x4xf32>, tensor<2x4x1x4xf32>, tensor<2x4x1x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4xf32>)
  %b = boost.linear %x, %wb : (tensor<2x4x16xf32>, tensor<16x8xf32>) -> tensor<2x4x8xf32>
  %k2 = stablehlo.dot_general %b, %m, contracting_dims = [2] x [0] : (tensor<2x4x8xf32>, tensor<8x4xf32>) -> tensor<2x4x4xf32>
  %k2h = stablehlo.reshape %k2 : (tensor<2x4x4xf32>) -> tensor<2x4x1x4xf32>
  %o2, %l2 = boost.attention %qh, %k2h, %k2h causal {scale = 0.5 : f64}
      : (tensor<2x4x4x4xf32>, tensor<2x4x1x4xf32>, tensor<2x4x1x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4xf32>)
  return %u, %o, %o2 : tensor<2x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>
}
