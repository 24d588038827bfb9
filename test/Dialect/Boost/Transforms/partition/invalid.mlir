// RUN: boost-opt %s --boost-partition --split-input-file --verify-diagnostics
// What cannot be partitioned is refused before anything changes.

// expected-error @+1 {{is already the program of one rank}}
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
}

// -----

module {
  shard.grid @mesh(shape = 4) {boost.axes = ["tp"]}
  // expected-error @+1 {{argument 'layers.0.attn.k.up': dimension 1 of size 6 cannot be cut into 4 equal parts over axis 'tp'; sizes that would do: 1, 2, 3, 6}}
  func.func @does_not_divide(%w: tensor<4x6xf32> {boost.split = [[], ["tp"]], boost.tensor = #boost.tensor<param "layers.0.attn.k.up">}) {
    return
  }
}

// -----

module {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @bad_inferred_split(%x: tensor<4xf32> {boost.split = [[]]}) {
    // expected-error @+1 {{expects 'boost.splits' with one entry for each of 1 results}}
    %0 = stablehlo.negate %x {boost.splits = []} : tensor<4xf32>
    return
  }
}
