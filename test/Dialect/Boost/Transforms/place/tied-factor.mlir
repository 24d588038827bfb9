// RUN: boost-opt %s --split-input-file -boost-place="mesh=tp=2 placement=bottleneck" | FileCheck %s
// A table of latents that is also the second factor of the head is sharded along the
// vocabulary, whatever function stands between the factors of the head.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "table">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "up">
func.func @loss(%t: tensor<32x2xf32> {boost.tensor = #boost.tensor<param "table">},
                %p: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "up">},
                %i: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "tokens">}) -> tensor<2x4xf32> {
  %e = boost.embedding %t, %i {boost.factor = "first"} : (tensor<32x2xf32>, tensor<2x4xi32>) -> tensor<2x4x2xf32>
  %x = boost.linear %e, %p {boost.factor = "second"} : (tensor<2x4x2xf32>, tensor<2x8xf32>) -> tensor<2x4x8xf32>
  %down = stablehlo.transpose %p, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %up = stablehlo.transpose %t, dims = [1, 0] : (tensor<32x2xf32>) -> tensor<2x32xf32>
  %o = boost.bottleneck %x down(%down) up(%up) : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x32xf32> -> tensor<2x4x32xf32>
  %loss, %lse = boost.cross_entropy %o, %i : (tensor<2x4x32xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return %loss : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "table">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "up">
func.func @loss(%t: tensor<32x2xf32> {boost.tensor = #boost.tensor<param "table">},
                %p: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "up">},
                %b: tensor<2x4x32xf32> {boost.tensor = #boost.tensor<param "bias">},
                %i: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "tokens">}) -> tensor<2x4xf32> {
  %e = boost.embedding %t, %i {boost.factor = "first"} : (tensor<32x2xf32>, tensor<2x4xi32>) -> tensor<2x4x2xf32>
  %x = boost.linear %e, %p {boost.factor = "second"} : (tensor<2x4x2xf32>, tensor<2x8xf32>) -> tensor<2x4x8xf32>
  %h = boost.linear %x, %p transposed {boost.factor = "first"} : (tensor<2x4x8xf32>, tensor<2x8xf32>) -> tensor<2x4x2xf32>
  %g = stablehlo.tanh %h : tensor<2x4x2xf32>
  %o = boost.linear %g, %t transposed shard_output {boost.factor = "second"} : (tensor<2x4x2xf32>, tensor<32x2xf32>) -> tensor<2x4x32xf32>
  %l = stablehlo.add %o, %b : tensor<2x4x32xf32>
  %loss, %lse = boost.cross_entropy %l, %i : (tensor<2x4x32xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return %loss : tensor<2x4xf32>
}

// -----

// Without such a head, the table is sharded along the latents, and what looks
// them up is no part of the stream: its second factor is column-parallel.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.reason = "embedding of latents: sharded along these, which are gathered", boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "table">
// CHECK-SAME: boost.reason = "second factor: column-parallel, the latent is replicated", boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "up">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "gamma">
func.func @loss(%t: tensor<32x2xf32> {boost.tensor = #boost.tensor<param "table">},
                %p: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "up">},
                %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "gamma">},
                %i: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "tokens">}) -> tensor<2x4x8xf32> {
  %e = boost.embedding %t, %i {boost.factor = "first"} : (tensor<32x2xf32>, tensor<2x4xi32>) -> tensor<2x4x2xf32>
  %x = boost.linear %e, %p {boost.factor = "second"} : (tensor<2x4x2xf32>, tensor<2x8xf32>) -> tensor<2x4x8xf32>
  %n = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  return %n : tensor<2x4x8xf32>
}
