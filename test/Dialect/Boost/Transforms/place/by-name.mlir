// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=vanilla" | FileCheck %s --check-prefix=VANILLA
// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=megatron" | FileCheck %s --check-prefix=MEGATRON
// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=sequence" | FileCheck %s --check-prefix=SEQUENCE
// RUN: boost-opt %s -boost-place="mesh=tp=1 placement=sequence" | FileCheck %s --check-prefix=ALONE
// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=gathered" | FileCheck %s --check-prefix=GATHERED
// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=vocabulary-embedding" | FileCheck %s --check-prefix=VOCABULARY
// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=hidden-head" | FileCheck %s --check-prefix=HIDDEN
// RUN: not boost-opt %s -boost-place="mesh=tp=3 placement=sequence" 2>&1 | FileCheck %s --check-prefix=DIVIDES
// Placements by name, and what each of them shards of embedding, q, k and v, output and head.

// VANILLA-LABEL: func @loss
// VANILLA-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "embed">
// VANILLA-SAME: boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<param "qkv.down">
// VANILLA-SAME: boost.sharding = #boost.sharding<{}, {"tp"}, {}>, boost.tensor = #boost.tensor<param "qkv.up">
// VANILLA-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "out.down">
// VANILLA-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "out.up">
// VANILLA-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "head">

// Attention is sharded by heads: q, k and v are made so, and its output is read so.
// MEGATRON-LABEL: func @loss
// MEGATRON-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "embed">
// MEGATRON-SAME: boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<param "qkv.down">
// MEGATRON-SAME: boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<param "qkv.up">
// MEGATRON-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "out.down">
// MEGATRON-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "out.up">
// MEGATRON-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "head">

// Latents are sharded along the sequence, what is made of them is not.
// SEQUENCE-LABEL: func @loss
// SEQUENCE-SAME: boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "qkv.down">
// SEQUENCE-NOT: boost.bottleneck
// SEQUENCE: stablehlo.dot_general {{.*}}boost.shardings = [#boost.sharding<{}, {"tp"}, {}, {}>], boost.spread = {tp = array<i64: 2, 0, -1>}{{.*}} -> tensor<2x4x3x2xf32>
// SEQUENCE: stablehlo.dot_general {{.*}}boost.shardings = [#boost.sharding<{}, {}, {}, {"tp"}>], boost.spread = {tp = array<i64: -1, 2, 3>}{{.*}} -> tensor<3x2x4x8xf32>
// SEQUENCE: boost.linear {{.*}}boost.shardings = [#boost.sharding<{}, {"tp"}, {}>]{{.*}} -> tensor<2x4x2xf32>
// SEQUENCE: stablehlo.multiply {{.*}}boost.shardings = [#boost.sharding<{}, {"tp"}, {}>]{{.*}} : tensor<2x4x2xf32>
// SEQUENCE: boost.linear {{.*}}boost.shardings = [#boost.sharding<{}, {}, {"tp"}>]{{.*}} -> tensor<2x4x8xf32>

// ALONE-NOT: boost.shardings
// ALONE: boost.bottleneck
// ALONE-NOT: boost.shardings

// GATHERED-LABEL: func @loss
// GATHERED-SAME: boost.reason = "first factor of several: replicated, so that the input is gathered in place of the sums", boost.sharding = #boost.sharding<{}, {}, {}>, boost.tensor = #boost.tensor<param "qkv.down">
// GATHERED-SAME: boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<param "qkv.up">
// GATHERED-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "out.down">
// GATHERED: stablehlo.dot_general {{.*}}boost.gradient_spread = {tp = array<i64: 2, 0, -1>}, boost.spread = {tp = array<i64: -1, -1, -1>}{{.*}} -> tensor<2x4x3x2xf32>
// GATHERED-NOT: boost.spread
// GATHERED: boost.bottleneck
// GATHERED-NOT: boost.spread

// VOCABULARY-LABEL: func @loss
// VOCABULARY-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "embed">
// VOCABULARY: boost.embedding {{.*}}boost.shardings = [#boost.sharding<{}, {}, {"tp"}>], boost.spread = {tp = array<i64: 0, -1, -1>}
// VOCABULARY-NOT: boost.spread

// HIDDEN-LABEL: func @loss
// HIDDEN-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "embed">
// HIDDEN-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "head">
// HIDDEN-NOT: boost.spread
// HIDDEN: boost.linear {{.*}} shard_output {{.*}}boost.shardings = [#boost.sharding<{}, {}, {"tp"}>], boost.spread = {tp = array<i64: 2, 0, -1>}

// DIVIDES: error: expects a sequence length that tp = 3 divides, but got 4
// DIVIDES: note: tp = 1 or 2 would do, or a sequence length of 3 or 6
func.func @loss(%t: tensor<32x8xf32> {boost.tensor = #boost.tensor<param "embed">},
    %a: tensor<8x3x2xf32> {boost.tensor = #boost.tensor<param "qkv.down">},
    %b: tensor<3x2x8xf32> {boost.tensor = #boost.tensor<param "qkv.up">},
    %ao: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "out.down">},
    %bo: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "out.up">},
    %w: tensor<8x32xf32> {boost.tensor = #boost.tensor<param "head">},
    %i: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "tokens">}) -> tensor<2x4xf32> {
  %x = boost.embedding %t, %i : (tensor<32x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  %qkv = boost.bottleneck %x down(%a) up(%b) : tensor<2x4x8xf32> down tensor<8x3x2xf32> up tensor<3x2x8xf32> -> tensor<3x2x4x8xf32>
  %q = stablehlo.slice %qkv [0:1, 0:2, 0:4, 0:8] : (tensor<3x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  %k = stablehlo.slice %qkv [1:2, 0:2, 0:4, 0:8] : (tensor<3x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  %v = stablehlo.slice %qkv [2:3, 0:2, 0:4, 0:8] : (tensor<3x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  %qh = stablehlo.reshape %q : (tensor<1x2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %kh = stablehlo.reshape %k : (tensor<1x2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %vh = stablehlo.reshape %v : (tensor<1x2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %o, %l = boost.attention %qh, %kh, %vh causal {scale = 0.5 : f64}
      : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> (tensor<2x4x2x4xf32>, tensor<2x2x4xf32>)
  %of = stablehlo.reshape %o : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  %y = boost.bottleneck %of down(%ao) up(%bo) activation(silu) : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x4x8xf32>
  %h = boost.linear %y, %w shard_output : (tensor<2x4x8xf32>, tensor<8x32xf32>) -> tensor<2x4x32xf32>
  %e, %s = boost.cross_entropy %h, %i : (tensor<2x4x32xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return %e : tensor<2x4xf32>
}
