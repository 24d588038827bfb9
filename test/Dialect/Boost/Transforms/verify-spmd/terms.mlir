// RUN: boost-opt %s --boost-verify-spmd -o /dev/null
// Partial sums over axes that cannot be told may be completed over any of them; terms-invalid.mlir has what is refused.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

  // Behind the reshape any axis may shard the dimension.
  func.func @squares_of_unknown(%y: tensor<1x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    %r = stablehlo.reshape %y : (tensor<1x8xf32>) -> tensor<8xf32>
    %0 = boost.sum_of_squares %r : (tensor<8xf32>) -> tensor<f32>
    %1 = boost.all_reduce sum %0 on @mesh axes = [1] {boost.component = "block"} : tensor<f32>
    return %1 : tensor<f32>
  }

  func.func @squares_completed_one_by_one(%y: tensor<1x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    %r = stablehlo.reshape %y : (tensor<1x8xf32>) -> tensor<8xf32>
    %0 = boost.sum_of_squares %r : (tensor<8xf32>) -> tensor<f32>
    %1 = boost.all_reduce sum %0 on @mesh axes = [1] {boost.component = "block"} : tensor<f32>
    %2 = boost.all_reduce sum %1 on @mesh axes = [0] {boost.component = "block"} : tensor<f32>
    return %2 : tensor<f32>
  }

  // One operand tells for all.
  func.func @squares_of_unknown_and_known(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>}, %y: tensor<1x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    %r = stablehlo.reshape %y : (tensor<1x8xf32>) -> tensor<8xf32>
    %0 = boost.sum_of_squares %r, %x, %r : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %1 = boost.all_reduce sum %0 on @mesh axes = [1] {boost.component = "block"} : tensor<f32>
    return %1 : tensor<f32>
  }

  // A sum over a dimension that may be sharded, and what is computed of it.
  func.func @sum_of_unknown(%y: tensor<1x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] {boost.one_term} : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.negate %0 : tensor<4xf32>
    %2 = boost.all_reduce sum %1 on @mesh axes = [1] {boost.component = "block"} : tensor<4xf32>
    return %2 : tensor<4xf32>
  }

  func.func @scatter_of_unknown(%y: tensor<1x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) -> (tensor<2xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] {boost.one_term} : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = boost.reduce_scatter sum %0 dims = [0] on @mesh axes = [1] {boost.component = "block"} : (tensor<4xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }

  // It may be returned as a partial sum.
  func.func @result_of_unknown(%y: tensor<1x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"tp"}>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] {boost.one_term} : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }

  // A barrier hands on what is known, and that it is not.
  func.func @barrier_of_unknown(%y: tensor<1x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    %r = stablehlo.reshape %y : (tensor<1x8xf32>) -> tensor<8xf32>
    %b = stablehlo.optimization_barrier %r : tensor<8xf32>
    %0 = boost.sum_of_squares %b : (tensor<8xf32>) -> tensor<f32>
    %1 = stablehlo.optimization_barrier %0 : tensor<f32>
    %2 = boost.all_reduce sum %1 on @mesh axes = [1] {boost.component = "block"} : tensor<f32>
    return %2 : tensor<f32>
  }
}
