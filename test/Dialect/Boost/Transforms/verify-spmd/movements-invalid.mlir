// RUN: boost-opt %s --boost-verify-spmd --split-input-file --verify-diagnostics
// Collectives that do not fit what they are given, and shardings that are
// missing or promise something else.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @gathers_another_axis(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>})
      -> (tensor<4x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}) {
    // expected-error @+1 {{over axis 'dp' gathers a dimension that is not sharded over it}}
    %0 = boost.all_gather %x dims = [1] on @mesh axes = [0] {boost.component = "block"} : (tensor<4x8xf32>) -> tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @gathers_the_first_of_two(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"tp", "dp"}>})
      -> (tensor<4x16xf32> {boost.sharding = #boost.sharding<{}, {"dp"}>}) {
    // expected-error @+1 {{over axis 'tp' gathers a dimension that another axis shards further}}
    %0 = boost.all_gather %x dims = [1] on @mesh axes = [1] {boost.component = "block"} : (tensor<4x8xf32>) -> tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @slices_twice(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<4x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
    // expected-error @+1 {{over axis 'tp' shards a tensor that is sharded over it already}}
    %0 = shard.all_slice %x on @mesh grid_axes = [1] slice_axis = 1 {boost.component = "block"} : tensor<4x8xf32> -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @slices_terms(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>})
      -> (tensor<4x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
    // expected-error @+1 {{over axis 'tp' shards a partial sum over the same axis}}
    %0 = shard.all_slice %x on @mesh grid_axes = [1] slice_axis = 1 {boost.component = "block"} : tensor<4x8xf32> -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @scatters_what_is_complete(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>})
      -> (tensor<4x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
    // expected-error @+1 {{over axis 'tp' reduces a value that is not a partial sum}}
    %0 = boost.reduce_scatter sum %x dims = [1] on @mesh axes = [1] {boost.component = "block"} : (tensor<4x8xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @scatters_terms_of_another_axis(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"dp"}>})
      -> (tensor<4x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
    // expected-error @+1 {{over axis 'tp' reduces a value that is not a partial sum}}
    %0 = boost.reduce_scatter sum %x dims = [1] on @mesh axes = [1] {boost.component = "block"} : (tensor<4x8xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @scatters_maxima(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = max {"tp"}>})
      -> (tensor<4x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
    // expected-error @+1 {{over axis 'tp' reduces a value that is not a partial sum}}
    %0 = boost.reduce_scatter sum %x dims = [1] on @mesh axes = [1] {boost.component = "block"} : (tensor<4x8xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @scatters_what_is_sharded(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, partial = sum {"dp"}>})
      -> (tensor<4x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
    // expected-error @+1 {{over axis 'tp' reduces a value that is not a partial sum}}
    %0 = boost.reduce_scatter sum %x dims = [1] on @mesh axes = [1] {boost.component = "block"} : (tensor<4x8xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @exchanges_another_dimension(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>})
      -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}) {
    // expected-error @+1 {{over axis 'tp' gathers a dimension that is not sharded over it}}
    %0 = shard.all_to_all %x on @mesh grid_axes = [1] split_axis = 1 concat_axis = 0 {boost.component = "block"} : tensor<4x8xf32> -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @two_axes_at_once(%x: tensor<2x8xf32> {boost.sharding = #boost.sharding<{"dp", "tp"}, {}>})
      -> (tensor<8x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // expected-error @+1 {{expects one axis, but got 2}}
    %0 = boost.all_gather %x dims = [0] on @mesh axes = [0, 1] {boost.component = "block"} : (tensor<2x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @reduces_too_many_axes(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // expected-error @+1 {{reduces operand #0 over axis 'dp', along which it is not a partial sum}}
    %0 = boost.all_reduce sum %x on @mesh axes = [0, 1] {boost.component = "block"} : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @reduces_a_complete_operand(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>}, %y: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}, tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // expected-error @+1 {{reduces operand #1 over axis 'tp', along which it is not a partial sum}}
    %0:2 = boost.all_reduce sum %x, %y on @mesh axes = [1] {boost.component = "block"} : tensor<4x8xf32>, tensor<4x8xf32>
    return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @no_region(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // expected-error @+1 {{expects 'boost.component', by which the plan counts it}}
    %0 = boost.all_reduce sum %x on @mesh axes = [1] : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @squares_of_terms(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>})
      -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    // expected-error @+1 {{squares operand #0, a partial sum over axis 'tp'}}
    %0 = boost.sum_of_squares %x : (tensor<4x8xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @terms_as_maxima(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = max {"tp"}>}) {
    // expected-error @+1 {{returns result #0 as a partial sum, but 'boost.sharding' says a partial max}}
    return %x : tensor<4x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @barrier_of_terms(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = stablehlo.optimization_barrier %x : tensor<4x8xf32>
    // expected-error @+1 {{returns result #0 as a partial result over axis 'tp'}}
    return %0 : tensor<4x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @negated_maxima(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = max {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = max {"tp"}>}) {
    // expected-error @+1 {{reads operand #0, a partial result over axis 'tp', as if it were complete; an all-reduce is missing}}
    %0 = stablehlo.negate %x : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @product_of_terms(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>}, %y: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>}) {
    // expected-error @+1 {{reads operand #1, a partial result over axis 'tp', as if it were complete; an all-reduce is missing}}
    %0 = stablehlo.multiply %x, %y : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @terms_of_what_is_sharded(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>}, %y: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
    // expected-error @+1 {{reads dimension 0 of operand #1 sharded over [tp], but}}
    %0 = stablehlo.multiply %x, %y : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  // expected-error @+1 {{argument 0: expects 'boost.sharding', but there is none}}
  func.func @without_sharding(%x: tensor<4x8xf32> )
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    return %x : tensor<4x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  // expected-error @+1 {{result 0: expects 'boost.sharding', but there is none}}
  func.func @result_without_sharding(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>})
      -> (tensor<4x8xf32> ) {
    return %x : tensor<4x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @probe_without_sharding(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // expected-error @+1 {{expects 'boost.sharding', but there is none}}
    boost.probe %x as "x" site 0 : tensor<4x8xf32>
    return %x : tensor<4x8xf32>
  }
}

// -----

// expected-error @+1 {{expects a 'shard.grid' named '@mesh', but there is none; run boost-place first}}
module attributes {boost.level = "spmd"} {
}

// -----

// One rank's part is not the tensor.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @broadcasts_a_part(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}, %y: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}) {
    // expected-error @+1 {{broadcasts operand #1 over axis 'tp', over which it is sharded}}
    %0:2 = boost.broadcast %x, %y root = 0 on @mesh axes = [1] {boost.component = "block"} : tensor<4x8xf32>, tensor<4x8xf32>
    return %0#1 : tensor<4x8xf32>
  }
}

// -----

// One rank's term is not the sum.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @broadcasts_a_term(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}, partial = sum {"tp"}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // expected-error @+1 {{broadcasts operand #0, a partial result over axis 'tp', as if it were complete}}
    %0 = boost.broadcast %x root = 0 on @mesh axes = [0, 1] {boost.component = "block"} : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x1) {boost.axes = ["dp", "tp"]}
  func.func @broadcasts_alone(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // expected-error @+1 {{communicates over axis 'tp', which has only one rank}}
    %0 = boost.broadcast %x root = 0 on @mesh axes = [1] {boost.component = "block"} : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
