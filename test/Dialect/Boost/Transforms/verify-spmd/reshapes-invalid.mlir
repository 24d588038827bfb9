// RUN: boost-opt %s --boost-verify-spmd --split-input-file --verify-diagnostics
// Reshapes whose results are sharded in another way than the function says; reshapes.mlir has what is accepted.

// What is sharded is known.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @loses_the_first(%x: tensor<4x6xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<24xf32> {boost.sharding = #boost.sharding<{}>}) {
    %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
    // expected-error @+1 {{returns dimension 0 of result #0 sharded over [tp], but 'boost.sharding' says []}}
    return %0 : tensor<24xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @loses_what_is_merged(%x: tensor<4x6x5xf32> {boost.sharding = #boost.sharding<{}, {"tp"}, {}>})
      -> (tensor<4x30xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<4x6x5xf32>) -> tensor<4x30xf32>
    // expected-error @+1 {{returns dimension 1 of result #0 sharded over [tp], but 'boost.sharding' says []}}
    return %0 : tensor<4x30xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @loses_what_is_behind(%x: tensor<4x6x5xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, {"dp"}>})
      -> (tensor<24x5xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<4x6x5xf32>) -> tensor<24x5xf32>
    // expected-error @+1 {{returns dimension 1 of result #0 sharded over [dp], but 'boost.sharding' says []}}
    return %0 : tensor<24x5xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @loses_what_is_split(%x: tensor<24xf32> {boost.sharding = #boost.sharding<{"tp"}>})
      -> (tensor<4x6xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<24xf32>) -> tensor<4x6xf32>
    // expected-error @+1 {{returns dimension 0 of result #0 sharded over [tp], but 'boost.sharding' says []}}
    return %0 : tensor<4x6xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @shards_the_second_part(%x: tensor<24xf32> {boost.sharding = #boost.sharding<{"tp"}>})
      -> (tensor<4x6xf32> {boost.sharding = #boost.sharding<{"tp"}, {"dp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<24xf32>) -> tensor<4x6xf32>
    // expected-error @+1 {{returns dimension 1 of result #0 sharded over [], but 'boost.sharding' says [dp]}}
    return %0 : tensor<4x6xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @loses_a_branch(%x: tensor<1x4x6x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>})
      -> (tensor<4x12xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<1x4x6x2xf32>) -> tensor<4x12xf32>
    // expected-error @+1 {{returns dimension 1 of result #0 sharded over [tp], but 'boost.sharding' says []}}
    return %0 : tensor<4x12xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @loses_the_last_one(%x: tensor<4x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<2x2x1xf32> {boost.sharding = #boost.sharding<{}, {}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<4x1xf32>) -> tensor<2x2x1xf32>
    // expected-error @+1 {{returns dimension 2 of result #0 sharded over [tp], but 'boost.sharding' says []}}
    return %0 : tensor<2x2x1xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @shards_before_the_last_one(%x: tensor<4x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<2x2x1xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {"tp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<4x1xf32>) -> tensor<2x2x1xf32>
    // expected-error @+1 {{returns dimension 0 of result #0 sharded over [], but 'boost.sharding' says [dp]}}
    return %0 : tensor<2x2x1xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @loses_a_shard_before_ones(%x: tensor<3xf32> {boost.sharding = #boost.sharding<{"tp"}>})
      -> (tensor<3x1xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<3xf32>) -> tensor<3x1xf32>
    // expected-error @+1 {{returns dimension 0 of result #0 sharded over [tp], but 'boost.sharding' says []}}
    return %0 : tensor<3x1xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @loses_a_shard_before_a_dropped_one(%x: tensor<3x1xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<3xf32> {boost.sharding = #boost.sharding<{}>}) {
    %0 = stablehlo.reshape %x : (tensor<3x1xf32>) -> tensor<3xf32>
    // expected-error @+1 {{returns dimension 0 of result #0 sharded over [tp], but 'boost.sharding' says []}}
    return %0 : tensor<3xf32>
  }
}

// -----

// What is not sharded is known as well, also before a shard.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @shards_what_is_split(%x: tensor<4x6xf32> {boost.sharding = #boost.sharding<{}, {}>})
      -> (tensor<2x2x6xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<2x2x6xf32>
    // expected-error @+1 {{returns dimension 0 of result #0 sharded over [], but 'boost.sharding' says [tp]}}
    return %0 : tensor<2x2x6xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @shards_before_a_one(%x: tensor<6x4xf32> {boost.sharding = #boost.sharding<{}, {}>})
      -> (tensor<2x3x1x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, {}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<6x4xf32>) -> tensor<2x3x1x4xf32>
    // expected-error @+1 {{returns dimension 0 of result #0 sharded over [], but 'boost.sharding' says [tp]}}
    return %0 : tensor<2x3x1x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @shards_before_a_shard(%x: tensor<6x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<2x3x4xf32> {boost.sharding = #boost.sharding<{}, {"dp"}, {"tp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
    // expected-error @+1 {{returns dimension 1 of result #0 sharded over [], but 'boost.sharding' says [dp]}}
    return %0 : tensor<2x3x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @shards_an_added_one(%x: tensor<3xf32> {boost.sharding = #boost.sharding<{}>})
      -> (tensor<3x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<3xf32>) -> tensor<3x1xf32>
    // expected-error @+1 {{returns dimension 1 of result #0 sharded over [], but 'boost.sharding' says [tp]}}
    return %0 : tensor<3x1xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @shards_behind_a_branch(%x: tensor<1x4x3xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {}>})
      -> (tensor<4x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {"dp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<1x4x3xf32>) -> tensor<4x3xf32>
    // expected-error @+1 {{returns dimension 1 of result #0 sharded over [], but 'boost.sharding' says [dp]}}
    return %0 : tensor<4x3xf32>
  }
}

// -----

// Of dimensions that are merged only the first may be sharded. A shard of another is no shard of the result.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @merges_the_second(%x: tensor<6x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<24xf32> {boost.sharding = #boost.sharding<{}>}) {
    // expected-error @+1 {{merges a dimension sharded over axis 'tp' with one before it}}
    %0 = stablehlo.reshape %x : (tensor<6x4xf32>) -> tensor<24xf32>
    return %0 : tensor<24xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @merges_a_last_one(%x: tensor<3x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<3xf32> {boost.sharding = #boost.sharding<{}>}) {
    // expected-error @+1 {{merges a dimension sharded over axis 'tp' with one before it}}
    %0 = stablehlo.reshape %x : (tensor<3x1xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @divides_the_second(%x: tensor<6x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<8x3xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // expected-error @+1 {{merges a dimension sharded over axis 'tp' with one before it}}
    %0 = stablehlo.reshape %x : (tensor<6x4xf32>) -> tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
}
