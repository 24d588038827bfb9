// RUN: boost-opt %s --boost-partition --split-input-file --verify-diagnostics
// What cannot be partitioned is refused before anything changes.

// expected-error @+1 {{is already the program of one rank}}
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
}

// -----

module {
  shard.grid @mesh(shape = 4) {boost.axes = ["tp"]}
  // expected-error @+1 {{argument 'layers.0.attn.k.up': dimension 1 of size 6 cannot be sharded into 4 equal parts over axis 'tp'; sizes that would do: 1, 2, 3, 6}}
  func.func @does_not_divide(%w: tensor<4x6xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "layers.0.attn.k.up">}) {
    return
  }
}

// -----

module {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  // expected-error @+1 {{argument 'x': expects a partial sum, but got #boost.sharding<{}, partial = max {"tp"}>}}
  func.func @partial_maximum(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">, boost.sharding = #boost.sharding<{}, partial = max {"tp"}>}) {
    return
  }
}

// -----

module {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @inferred_does_not_divide(%x: tensor<3xf32> {boost.sharding = #boost.sharding<{}>}) {
    // expected-error @+1 {{dimension 0 of size 3 cannot be sharded into 2 equal parts over axis 'tp'; sizes that would do: 1, 3}}
    %0 = stablehlo.negate %x {boost.shardings = [#boost.sharding<{"tp"}>]} : tensor<3xf32>
    return
  }
}
