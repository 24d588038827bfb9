// RUN: boost-opt %s -split-input-file -verify-diagnostics -boost-partition

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
func.func @two_loops(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>},
                     %w: tensor<8x2xf32> {boost.sharding = #boost.sharding<{}, {}>})
    -> (tensor<4x2xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  // expected-error @+1 {{expects 'boost.spread' to name dimensions of one loop that can be spread over "tp", but got array<i64: 0, 1, -1>}}
  %h = boost.linear %x, %w {boost.spread = {tp = array<i64: 0, 1, -1>}}
      : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %h : tensor<4x2xf32>
}

// -----

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
func.func @unknown_axis(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>})
    -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  // expected-error @+1 {{expects 'boost.spread' of axes of the mesh, but got "ep"}}
  %h = stablehlo.tanh %x {boost.spread = {ep = array<i64: 0, 0>}} : tensor<4x8xf32>
  return %h : tensor<4x8xf32>
}
