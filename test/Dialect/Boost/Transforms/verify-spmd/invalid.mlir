// RUN: boost-opt %s --boost-verify-spmd --split-input-file --verify-diagnostics
// Each way in which ranks can compute something else than the program is refused.

// expected-error @+1 {{expects 'boost.level = "spmd"'; run boost-partition first}}
module {
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @missing_all_reduce(%x: tensor<8x32xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}, %w: tensor<32x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = boost.linear %x, %w : (tensor<8x32xf32>, tensor<32x4xf32>) -> tensor<8x4xf32>
    // expected-error @+1 {{reads operand #0, a partial result over axis 'tp', as if it were complete; an all-reduce is missing}}
    %1 = stablehlo.tanh %0 : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @adds_whole_to_partial(%x: tensor<8x32xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}, %w: tensor<32x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                                   %b: tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>}) -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = boost.linear %x, %w : (tensor<8x32xf32>, tensor<32x4xf32>) -> tensor<8x4xf32>
    // expected-error @+1 {{reads operand #1, a partial result over axis 'tp'}}
    %1 = stablehlo.add %b, %0 : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @reduces_twice(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{}>}) -> (tensor<8xf32> {boost.sharding = #boost.sharding<{}>}) {
    // expected-error @+1 {{reduces operand #0 over axis 'tp', along which it is not a partial sum}}
    %0 = boost.all_reduce sum %x on @mesh axes = [0] {boost.component = "block"} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @adds_up_parts(%x: tensor<1x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) -> (tensor<1x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // expected-error @+1 {{reduces operand #0 over axis 'tp', along which it is not a partial sum}}
    %0 = boost.all_reduce sum %x on @mesh axes = [0] {boost.component = "block"} : tensor<1x8xf32>
    return %0 : tensor<1x8xf32>
  }
}

// -----

// A part of size 1 stays a part where it is repeated.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @repeats_a_part(%x: tensor<8x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) -> (tensor<8x1xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x1xf32>
    // expected-error @+1 {{returns dimension 1 of result #0 sharded over [tp], but 'boost.sharding' says []}}
    return %0 : tensor<8x1xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @sum_of_maxima(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}) -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    // expected-error @+1 {{takes the sum of operand #0, which is a partial max}}
    %1 = boost.all_reduce sum %0 on @mesh axes = [0] {boost.component = "loss"} : tensor<f32>
    return %1 : tensor<f32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @no_region(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}) -> (tensor<16xf32> {boost.sharding = #boost.sharding<{}>}) {
    // expected-error @+1 {{expects 'boost.component', by which the plan counts it}}
    %0 = boost.all_gather %x dims = [0] on @mesh axes = [0] : (tensor<8xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 1x2) {boost.axes = ["dp", "tp"]}
  func.func @one_rank(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}) -> (tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
    // expected-error @+1 {{communicates over axis 'dp', which has only one rank}}
    %0 = boost.all_gather %x dims = [0] on @mesh axes = [0] {boost.component = "block"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @gathers_whole(%x: tensor<8x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) -> (tensor<8x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
    // expected-error @+1 {{over axis 'tp' gathers a dimension that is not sharded over it}}
    %0 = boost.all_gather %x dims = [1] on @mesh axes = [0] {boost.component = "block"} : (tensor<8x8xf32>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @cut_differently(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}, %y: tensor<8xf32> {boost.sharding = #boost.sharding<{}>})
      -> (tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
    // expected-error @+1 {{reads dimension 0 of operand #1 sharded over [], but the matching dimension of an earlier operand is sharded over [tp]}}
    %0 = stablehlo.multiply %x, %y : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @needs_whole(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}) -> (tensor<16xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
    // expected-error @+1 {{needs dimension 0 of operand #0 unsharded, but it is sharded over [tp]}}
    %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @diagonal(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}, %y: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>})
      -> (tensor<8x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
    // expected-error @+1 {{is sharded over axis 'tp' in two dimensions at once}}
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @counts_twice(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}, %y: tensor<8xf32> {boost.sharding = #boost.sharding<{}>})
      -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    // expected-error @+1 {{adds up operands sharded over [tp] and over []: some elements would be counted more often than others}}
    %0 = boost.sum_of_squares %x, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @partial_result(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}) -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    %0 = boost.sum_of_squares %x : (tensor<8xf32>) -> tensor<f32>
    // expected-error @+1 {{returns result #0 as a partial result over axis 'tp'}}
    return %0 : tensor<f32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @other_cut(%x: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
    // expected-error @+1 {{returns dimension 0 of result #0 sharded over [tp], but 'boost.sharding' says []}}
    return %x : tensor<8x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @not_decomposed(%x: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}, %g: tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
    // expected-error @+1 {{is not an operation of the spmd level}}
    %0 = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<8x4xf32>, tensor<4xf32>
    return
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @probe_misses_partial(%x: tensor<8x32xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}, %w: tensor<32x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = boost.linear %x, %w : (tensor<8x32xf32>, tensor<32x4xf32>) -> tensor<8x4xf32>
    // expected-error @+1 {{shows a tensor that is partial over [tp], but says []}}
    boost.probe %0 as "h" site 0 sharding <{}, {}> : tensor<8x4xf32>
    %1 = boost.all_reduce sum %0 on @mesh axes = [0] {boost.component = "block"} : tensor<8x4xf32>
    %2 = stablehlo.tanh %1 : tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @probe_misses_cut(%x: tensor<8x32xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) -> (tensor<8x32xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
    %0 = stablehlo.tanh %x : tensor<8x32xf32>
    // expected-error @+1 {{shows a tensor whose dimension 1 is sharded over [tp], but says []}}
    boost.probe %0 as "x" site 0 sharding <{}, {}> : tensor<8x32xf32>
    return %0 : tensor<8x32xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @probe_of_no_sum(%x: tensor<8x2xf32> {boost.sharding = #boost.sharding<{}, {}>}) -> (tensor<8x2xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // expected-error @+1 {{shows a tensor that is partial over [], but says [tp]}}
    boost.probe %x as "x" site 0 sharding <{}, {}, partial = sum {"tp"}> : tensor<8x2xf32>
    return %x : tensor<8x2xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["dp"]}
  func.func @completes_terms(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"dp"}>}) -> (tensor<8xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"dp"}>}) {
    %0 = boost.all_reduce sum %x on @mesh axes = [0] {boost.component = "gradients"} : tensor<8xf32>
    // expected-error @+1 {{returns result #0 complete over axis 'dp', but 'boost.sharding' says that ranks hold terms of it}}
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["dp"]}
  func.func @adds_whole_to_terms(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"dp"}>}, %y: tensor<8xf32> {boost.sharding = #boost.sharding<{}>})
      -> (tensor<8xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"dp"}>}) {
    // expected-error @+1 {{reads operand #0, a partial result over axis 'dp'}}
    %0 = stablehlo.add %x, %y : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  // expected-error @+1 {{expects the spmd level, functions of ranked tensors, but got 'memref<4xf32>'}}
  func.func @runtime_level(%x: memref<4xf32>) {
    return
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 4) {boost.axes = ["tp"]}
  func.func @gradient_of_one_key_head(%q: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>},
      %k: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}, %g: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>})
      -> (tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}, tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}) {
    %o, %l = boost.attention %q, %k, %k {scale = 1.0 : f64}
        : (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>) -> (tensor<1x3x2x2xf32>, tensor<1x2x3xf32>)
    %dq, %dk, %dv = boost.attention_grad %q, %k, %k of %o, %l grad %g {scale = 1.0 : f64}
        : (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x2x2xf32>, tensor<1x2x3xf32>, tensor<1x3x2x2xf32>)
        -> (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>)
    %s = stablehlo.add %dk, %dv : tensor<1x3x1x2xf32>
    // expected-error @+1 {{returns result #0 as a partial result over axis 'tp'}}
    return %s, %dq : tensor<1x3x1x2xf32>, tensor<1x3x2x2xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @scatters_second(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"tp"}>},
                             %y: tensor<8xf32> {boost.sharding = #boost.sharding<{}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
    // expected-error @+1 {{over axis 'tp' reduces a value that is not a partial sum, operand #1}}
    %0:2 = boost.reduce_scatter sum %x, %y dims = [0, 0] on @mesh axes = [0] {boost.component = "block"} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @scatters_maximum(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"tp"}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
    // expected-error @+1 {{over axis 'tp' reduces a value that is not a partial max}}
    %0 = boost.reduce_scatter max %x dims = [0] on @mesh axes = [0] {boost.component = "block"} : (tensor<8xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
