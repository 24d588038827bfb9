// RUN: boost-opt %s --boost-verify-spmd -o /dev/null
// How the result of a reshape is sharded; reshapes-invalid.mlir has what is refused.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}

  // Dimensions that are merged, and that are split: the first has what the merged one has.
  func.func @merged(%x: tensor<4x6x5xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, {"dp"}>})
      -> (tensor<24x5xf32> {boost.sharding = #boost.sharding<{"tp"}, {"dp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<4x6x5xf32>) -> tensor<24x5xf32>
    return %0 : tensor<24x5xf32>
  }

  func.func @merged_in_the_middle(%x: tensor<4x6x5xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}, {}>})
      -> (tensor<4x30xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<4x6x5xf32>) -> tensor<4x30xf32>
    return %0 : tensor<4x30xf32>
  }

  func.func @split(%x: tensor<24x5xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<4x6x5xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<24x5xf32>) -> tensor<4x6x5xf32>
    return %0 : tensor<4x6x5xf32>
  }

  func.func @divided_otherwise(%x: tensor<8x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<4x6xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<8x3xf32>) -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }

  // The first dimension of a branch is dropped.
  func.func @branch(%x: tensor<1x4x6x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>})
      -> (tensor<4x12xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<1x4x6x2xf32>) -> tensor<4x12xf32>
    return %0 : tensor<4x12xf32>
  }

  // Dimensions of size 1 without a neighbor of size 1 correspond.
  func.func @last_is_one(%x: tensor<4x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<2x2x1xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<4x1xf32>) -> tensor<2x2x1xf32>
    return %0 : tensor<2x2x1xf32>
  }

  func.func @added_behind_a_shard(%x: tensor<3xf32> {boost.sharding = #boost.sharding<{"tp"}>})
      -> (tensor<3x1xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<3xf32>) -> tensor<3x1xf32>
    return %0 : tensor<3x1xf32>
  }

  func.func @dropped_behind_a_shard(%x: tensor<3x1xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<3xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<3x1xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }

  // A shard of local size 1 that is merged with the dimension behind it, or that is split off it: which of the two is
  // sharded cannot be told.
  func.func @may_be_merged(%x: tensor<1x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<1x4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }

  func.func @may_be_dropped(%x: tensor<1x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
    %0 = stablehlo.reshape %x : (tensor<1x4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }

  func.func @may_be_the_first(%x: tensor<1x4x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, {}>})
      -> (tensor<4x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<1x4x3xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }

  func.func @may_be_split_off(%x: tensor<6x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<2x3x1x4xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<6x4xf32>) -> tensor<2x3x1x4xf32>
    return %0 : tensor<2x3x1x4xf32>
  }

  func.func @may_stay(%x: tensor<6x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<2x3x1x4xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {"tp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<6x4xf32>) -> tensor<2x3x1x4xf32>
    return %0 : tensor<2x3x1x4xf32>
  }

  func.func @moved_to_another_one(%x: tensor<3x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<3x1x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    return %0 : tensor<3x1x1xf32>
  }

  func.func @stays_behind_another_one(%x: tensor<3x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<3x1x1xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    return %0 : tensor<3x1x1xf32>
  }
}
