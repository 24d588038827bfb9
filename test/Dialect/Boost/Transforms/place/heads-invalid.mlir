// RUN: boost-opt %s -split-input-file -verify-diagnostics -boost-place="mesh=tp=4 placement=megatron"
// Heads must divide where the stream is replicated, too, if attention is computed by heads.

func.func @loss(%w: tensor<8x48xf32> {boost.tensor = #boost.tensor<param "w">}, %x: tensor<4x4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4x4x6x8xf32> {
  %0 = boost.linear %x, %w : (tensor<4x4x8xf32>, tensor<8x48xf32>) -> tensor<4x4x48xf32>
  %q = stablehlo.reshape %0 : (tensor<4x4x48xf32>) -> tensor<4x4x6x8xf32>
  // expected-error@+4 {{expects a number of attention heads that tp = 4 divides, but got 6}}
  // expected-note@+3 {{tp = 1, 2, 3 or 6 would do, or a number of attention heads of 4 or 8}}
  // expected-error@+2 {{expects a number of key and value heads that tp = 4 divides, but got 6}}
  // expected-note@+1 {{tp = 1, 2, 3 or 6 would do, or a number of key and value heads of 4 or 8}}
  %1, %l = boost.attention %q, %q, %q causal {scale = 0.5 : f64}
      : (tensor<4x4x6x8xf32>, tensor<4x4x6x8xf32>, tensor<4x4x6x8xf32>) -> (tensor<4x4x6x8xf32>, tensor<4x6x4xf32>)
  return %1 : tensor<4x4x6x8xf32>
}

// -----

// Queries that nothing shards are computed by every rank.
func.func @loss(%q: tensor<4x4x6x8xf32>) -> tensor<4x4x6x8xf32> {
  %1, %l = boost.attention %q, %q, %q causal {scale = 0.5 : f64}
      : (tensor<4x4x6x8xf32>, tensor<4x4x6x8xf32>, tensor<4x4x6x8xf32>) -> (tensor<4x4x6x8xf32>, tensor<4x6x4xf32>)
  return %1 : tensor<4x4x6x8xf32>
}
