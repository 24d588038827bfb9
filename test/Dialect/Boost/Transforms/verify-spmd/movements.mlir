// RUN: boost-opt %s --boost-verify-spmd -o /dev/null
// Collectives that fit what they are given; movements-invalid.mlir has their
// neighbors that do not.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

  // Each movement, of a tensor that another axis shards.
  func.func @gathers(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>})
      -> (tensor<4x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}) {
    %0 = boost.all_gather %x dims = [1] on @mesh axes = [1] {boost.component = "block"} : (tensor<4x8xf32>) -> tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }

  func.func @gathers_the_last_axis(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"dp", "tp"}>})
      -> (tensor<4x16xf32> {boost.sharding = #boost.sharding<{}, {"dp"}>}) {
    %0 = boost.all_gather %x dims = [1] on @mesh axes = [1] {boost.component = "block"} : (tensor<4x8xf32>) -> tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }

  func.func @slices(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>})
      -> (tensor<4x4xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>}) {
    %0 = shard.all_slice %x on @mesh grid_axes = [1] slice_axis = 1 {boost.component = "block"} : tensor<4x8xf32> -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }

  func.func @slices_further(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"dp"}>})
      -> (tensor<4x4xf32> {boost.sharding = #boost.sharding<{}, {"dp", "tp"}>}) {
    %0 = shard.all_slice %x on @mesh grid_axes = [1] slice_axis = 1 {boost.component = "block"} : tensor<4x8xf32> -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }

  func.func @slices_a_sum_of_other_ranks(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"dp"}>})
      -> (tensor<4x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}, partial = sum {"dp"}>}) {
    %0 = shard.all_slice %x on @mesh grid_axes = [1] slice_axis = 1 {boost.component = "block"} : tensor<4x8xf32> -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }

  func.func @scatters(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, partial = sum {"tp"}>})
      -> (tensor<4x4xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>}) {
    %0 = boost.reduce_scatter sum %x dims = [1] on @mesh axes = [1] {boost.component = "block"} : (tensor<4x8xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }

  func.func @exchanges(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>})
      -> (tensor<2x16xf32> {boost.sharding = #boost.sharding<{"dp", "tp"}, {}>}) {
    %0 = shard.all_to_all %x on @mesh grid_axes = [1] split_axis = 0 concat_axis = 1 {boost.component = "block"} : tensor<4x8xf32> -> tensor<2x16xf32>
    return %0 : tensor<2x16xf32>
  }

  // Sums and maxima over the axes of which ranks hold terms; the others stay.
  func.func @reduces(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, partial = sum {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}) {
    %0 = boost.all_reduce sum %x on @mesh axes = [1] {boost.component = "block"} : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }

  func.func @reduces_maxima(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, partial = max {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}) {
    %0 = boost.all_reduce max %x on @mesh axes = [1] {boost.component = "block"} : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }

  func.func @reduces_one_of_two_axes(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"dp", "tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"dp"}>}) {
    %0 = boost.all_reduce sum %x on @mesh axes = [1] {boost.component = "block"} : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }

  func.func @reduces_both_axes(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"dp", "tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = boost.all_reduce sum %x on @mesh axes = [0, 1] {boost.component = "block"} : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }

  func.func @keeps_maxima(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = max {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = max {"tp"}>}) {
    return %x : tensor<4x8xf32>
  }

  // One rank's value of a tensor that other axes shard, or make a sum.
  func.func @broadcasts(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}, %y: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"dp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}, tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"dp"}>}) {
    %0:2 = boost.broadcast %x, %y root = 1 on @mesh axes = [1] {boost.component = "block"} : tensor<4x8xf32>, tensor<4x8xf32>
    return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xf32>
  }

  func.func @broadcasts_to_all(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = boost.broadcast %x root = 3 on @mesh axes = [0, 1] {boost.component = "block"} : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }

  // Zero is a sum of zeros; a barrier changes nothing.
  func.func @zero_as_terms(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>}) {
    %0 = stablehlo.constant dense<0.0> : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }

  func.func @barrier(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, partial = sum {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, partial = sum {"tp"}>}) {
    %0 = stablehlo.optimization_barrier %x : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }

  // Both operands are sharded over the same axes, in whatever dimensions.
  func.func @squares(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>}, %y: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {"dp"}>})
      -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    %0 = boost.sum_of_squares %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
    %1 = boost.all_reduce sum %0 on @mesh axes = [0, 1] {boost.component = "block"} : tensor<f32>
    return %1 : tensor<f32>
  }

  // The gradient of a bias that is repeated along a batch or along heads is a sum
  // over the ranks that share these, also where each has one.
  func.func @bias_of_every_entry(%q: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {}, {}>}, %g: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {}, {}>}, %b: tensor<1x2x3x3xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>})
      -> (tensor<1x2x3x3xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}) {
    %o, %l = boost.attention %q, %q, %q bias %b {scale = 1.0 : f64} : (tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>, tensor<1x2x3x3xf32>) -> (tensor<1x3x2x2xf32>, tensor<1x2x3xf32>)
    %d = boost.attention_bias_grad %q, %q, %q bias %b of %o, %l grad %g {scale = 1.0 : f64} : (tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>, tensor<1x2x3x3xf32>, tensor<1x3x2x2xf32>, tensor<1x2x3xf32>, tensor<1x3x2x2xf32>) -> tensor<1x2x3x3xf32>
    %r = boost.all_reduce sum %d on @mesh axes = [0] {boost.component = "block"} : tensor<1x2x3x3xf32>
    return %r : tensor<1x2x3x3xf32>
  }

  func.func @bias_of_every_head(%q: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}, %g: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}, %b: tensor<1x1x3x3xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>})
      -> (tensor<1x1x3x3xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}) {
    %o, %l = boost.attention %q, %q, %q bias %b {scale = 1.0 : f64} : (tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x1x3x3xf32>) -> (tensor<1x3x1x2xf32>, tensor<1x1x3xf32>)
    %d = boost.attention_bias_grad %q, %q, %q bias %b of %o, %l grad %g {scale = 1.0 : f64} : (tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x1x3x3xf32>, tensor<1x3x1x2xf32>, tensor<1x1x3xf32>, tensor<1x3x1x2xf32>) -> tensor<1x1x3x3xf32>
    %r = boost.all_reduce sum %d on @mesh axes = [1] {boost.component = "block"} : tensor<1x1x3x3xf32>
    return %r : tensor<1x1x3x3xf32>
  }

  func.func @bias_of_every_entry_and_head(%q: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {"tp"}, {}>}, %g: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {"tp"}, {}>}, %b: tensor<1x1x3x3xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>})
      -> (tensor<1x1x3x3xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}) {
    %o, %l = boost.attention %q, %q, %q bias %b {scale = 1.0 : f64} : (tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x1x3x3xf32>) -> (tensor<1x3x1x2xf32>, tensor<1x1x3xf32>)
    %d = boost.attention_bias_grad %q, %q, %q bias %b of %o, %l grad %g {scale = 1.0 : f64} : (tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x1x3x3xf32>, tensor<1x3x1x2xf32>, tensor<1x1x3xf32>, tensor<1x3x1x2xf32>) -> tensor<1x1x3x3xf32>
    %r = boost.all_reduce sum %d on @mesh axes = [0, 1] {boost.component = "block"} : tensor<1x1x3x3xf32>
    return %r : tensor<1x1x3x3xf32>
  }

  func.func private @external(tensor<4xf32>)
}
