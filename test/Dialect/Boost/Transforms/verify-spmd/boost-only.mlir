// RUN: boost-opt %s --boost-verify-spmd | FileCheck %s
// Operations of boost have their sharding rules where no operation is of another dialect.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  // CHECK-LABEL: func @heads
  // CHECK: boost.attention_grad
  func.func @heads(%q: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>},
      %o: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>},
      %l: tensor<1x2x3xf32> {boost.sharding = #boost.sharding<{}, {"tp"}, {}>})
      -> (tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}) {
    %dq, %dk, %dv = boost.attention_grad %q, %q, %q of %o, %l grad %o {scale = 1.0 : f64}
        : (tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>, tensor<1x2x3xf32>, tensor<1x3x2x2xf32>)
        -> (tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>)
    return %dq : tensor<1x3x2x2xf32>
  }
}
