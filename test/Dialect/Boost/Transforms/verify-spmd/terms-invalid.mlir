// RUN: boost-opt %s --boost-verify-spmd --split-input-file --verify-diagnostics
// Over which axes a result is a partial sum is known where its operands' shardings are; terms.mlir has what cannot be
// told.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @product_over_another_axis(%x: tensor<8x32xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}, %w: tensor<32x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = boost.linear %x, %w : (tensor<8x32xf32>, tensor<32x4xf32>) -> tensor<8x4xf32>
    // expected-error @+1 {{reduces operand #0 over axis 'dp', along which it is not a partial sum}}
    %1 = boost.all_reduce sum %0 on @mesh axes = [0, 1] {boost.component = "block"} : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @product_of_replicated(%x: tensor<8x32xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}, %w: tensor<32x4xf32> {boost.sharding = #boost.sharding<{}, {}>})
      -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}) {
    %0 = boost.linear %x, %w : (tensor<8x32xf32>, tensor<32x4xf32>) -> tensor<8x4xf32>
    // expected-error @+1 {{reduces operand #0 over axis 'tp', along which it is not a partial sum}}
    %1 = boost.all_reduce sum %0 on @mesh axes = [1] {boost.component = "block"} : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @sum_over_one_of_two_axes(%x: tensor<8x32xf32> {boost.sharding = #boost.sharding<{}, {"dp", "tp"}>}) -> (tensor<8xf32> {boost.sharding = #boost.sharding<{}>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %1 = boost.all_reduce sum %0 on @mesh axes = [1] {boost.component = "block"} : tensor<8xf32>
    // expected-error @+1 {{returns result #0 as a partial result over axis 'dp'}}
    return %1 : tensor<8xf32>
  }
}

// -----

// The axes of the squares that are known hold for the sum; those of %r could be any.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @squares_over_another_axis(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}, %y: tensor<1x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    %r = stablehlo.reshape %y : (tensor<1x8xf32>) -> tensor<8xf32>
    %0 = boost.sum_of_squares %x, %r : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    // expected-error @+1 {{reduces operand #0 over axis 'dp', along which it is not a partial sum}}
    %1 = boost.all_reduce sum %0 on @mesh axes = [0, 1] {boost.component = "block"} : tensor<f32>
    return %1 : tensor<f32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @squares_around_unknown(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}, %y: tensor<1x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}, %z: tensor<8xf32> {boost.sharding = #boost.sharding<{"dp"}>})
      -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    %r = stablehlo.reshape %y : (tensor<1x8xf32>) -> tensor<8xf32>
    // expected-error @+1 {{adds up operands sharded over [tp] and over [dp]}}
    %0 = boost.sum_of_squares %x, %r, %z : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %1 = boost.all_reduce sum %0 on @mesh axes = [0, 1] {boost.component = "block"} : tensor<f32>
    return %1 : tensor<f32>
  }
}

// -----

// A sum that may be partial over any axis is partial over none behind its all-reduce.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @reduces_unknown_twice(%y: tensor<1x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    %r = stablehlo.reshape %y : (tensor<1x8xf32>) -> tensor<8xf32>
    %0 = boost.sum_of_squares %r : (tensor<8xf32>) -> tensor<f32>
    %1 = boost.all_reduce sum %0 on @mesh axes = [1] {boost.component = "block"} : tensor<f32>
    // expected-error @+1 {{reduces operand #0 over axis 'tp', along which it is not a partial sum}}
    %2 = boost.all_reduce sum %1 on @mesh axes = [1] {boost.component = "block"} : tensor<f32>
    return %2 : tensor<f32>
  }
}

// -----

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @scatters_unknown_twice(%y: tensor<1x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) -> (tensor<2xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] {boost.one_term} : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = boost.reduce_scatter sum %0 dims = [0] on @mesh axes = [1] {boost.component = "block"} : (tensor<4xf32>) -> tensor<2xf32>
    // expected-error @+1 {{reduces operand #0 over axis 'tp', along which it is not a partial sum}}
    %2 = boost.all_reduce sum %1 on @mesh axes = [1] {boost.component = "block"} : tensor<2xf32>
    return %2 : tensor<2xf32>
  }
}

// -----

// The gradient of the only head of keys is a sum over the axes of the heads of queries, and over no other.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @gradient_over_another_axis(%q: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}, %k: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>})
      -> (tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}) {
    %o, %l = boost.attention %q, %k, %k {scale = 1.0 : f64}
        : (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>) -> (tensor<1x3x2x2xf32>, tensor<1x2x3xf32>)
    %dq, %dk, %dv = boost.attention_grad %q, %k, %k of %o, %l grad %q {scale = 1.0 : f64}
        : (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x2x2xf32>, tensor<1x2x3xf32>, tensor<1x3x2x2xf32>)
        -> (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>)
    // expected-error @+1 {{reduces operand #0 over axis 'dp', along which it is not a partial sum}}
    %r = boost.all_reduce sum %dk on @mesh axes = [0, 1] {boost.component = "block"} : tensor<1x3x1x2xf32>
    return %r : tensor<1x3x1x2xf32>
  }
}

// -----

// That of the values as well.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @gradient_of_the_values(%q: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}, %k: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>})
      -> (tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}) {
    %o, %l = boost.attention %q, %k, %k {scale = 1.0 : f64}
        : (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>) -> (tensor<1x3x2x2xf32>, tensor<1x2x3xf32>)
    %dq, %dk, %dv = boost.attention_grad %q, %k, %k of %o, %l grad %q {scale = 1.0 : f64}
        : (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x2x2xf32>, tensor<1x2x3xf32>, tensor<1x3x2x2xf32>)
        -> (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>)
    // expected-error @+1 {{returns result #0 as a partial result over axis 'tp'}}
    return %dv : tensor<1x3x1x2xf32>
  }
}

// -----

// Two heads of keys are sharded as the queries are.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @heads_of_other_ranks(%q: tensor<1x3x4x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}, %k: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>})
      -> (tensor<1x3x4x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}) {
    // expected-error @+1 {{reads dimension 2 of operand #1 sharded over [], but the matching dimension of an earlier operand is sharded over [tp]}}
    %o, %l = boost.attention %q, %k, %k {scale = 1.0 : f64}
        : (tensor<1x3x4x2xf32>, tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>) -> (tensor<1x3x4x2xf32>, tensor<1x4x3xf32>)
    return %o : tensor<1x3x4x2xf32>
  }
}

// -----

// An argument that is a partial sum is one over the axes it names.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @probe_of_another_axis(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"tp"}>}) -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"tp"}>}) {
    // expected-error @+1 {{shows a tensor that is partial over [tp], but says [dp, tp]}}
    boost.probe %x as "x" site 0 sharding <{}, partial = sum {"dp", "tp"}> : tensor<4xf32>
    return %x : tensor<4xf32>
  }
}
