// RUN: boost-opt %s -split-input-file -canonicalize -cse -boostrt-number-collectives -verify-diagnostics

// Stage 1 would wait for stage 0 in its second collective.

// expected-error@+1 {{expects all pipeline stages to have the same meetings, but stage 0 has [0], and stage 1 has [0, 1]}}
module {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @update_0(%p: tensor<f32>) -> tensor<f32> attributes {boost.stage = 0 : i64} {
    %h = boostrt.all_reduce sum group 1 meeting 0 outs(%p : tensor<f32>) -> tensor<f32>
    return %h : tensor<f32>
  }
  func.func @update_1(%p: tensor<f32>) -> tensor<f32> attributes {boost.stage = 1 : i64} {
    %h = boostrt.all_reduce sum group 1 meeting 0 outs(%p : tensor<f32>) -> tensor<f32>
    %i = boostrt.all_reduce sum group 1 meeting 1 outs(%h : tensor<f32>) -> tensor<f32>
    return %i : tensor<f32>
  }
}

// -----

// Equally many are not enough: the sums of stage 0 are in another order.

// expected-error@+1 {{expects all pipeline stages to have the same meetings, but stage 0 has [1, 0], and stage 1 has [0, 1]}}
module {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @update_0(%p: tensor<f32>, %q: tensor<f32>) -> (tensor<f32>, tensor<f32>) attributes {boost.stage = 0 : i64} {
    %h = boostrt.all_reduce sum group 1 meeting 1 outs(%p : tensor<f32>) -> tensor<f32>
    %i = boostrt.all_reduce sum group 1 meeting 0 outs(%q : tensor<f32>) -> tensor<f32>
    return %h, %i : tensor<f32>, tensor<f32>
  }
  func.func @update_1(%p: tensor<f32>, %q: tensor<f32>) -> (tensor<f32>, tensor<f32>) attributes {boost.stage = 1 : i64} {
    %h = boostrt.all_reduce sum group 1 meeting 0 outs(%p : tensor<f32>) -> tensor<f32>
    %i = boostrt.all_reduce sum group 1 meeting 1 outs(%q : tensor<f32>) -> tensor<f32>
    return %h, %i : tensor<f32>, tensor<f32>
  }
}

// -----

module {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @update_0(%p: tensor<f32>) -> tensor<f32> attributes {boost.stage = 0 : i64} {
    // expected-error@+1 {{expects a meeting, because the ranks of its group run functions of different stages}}
    %h = boostrt.all_reduce sum group 1 outs(%p : tensor<f32>) -> tensor<f32>
    return %h : tensor<f32>
  }
}

// -----

// Stage 0 reads neither sum, and both are of zeros, but it takes part in both.

module {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @update_0(%p: tensor<f32>) -> tensor<f32> attributes {boost.stage = 0 : i64} {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %h = boostrt.all_reduce sum group 1 meeting 0 outs(%z : tensor<f32>) -> tensor<f32>
    %i = boostrt.all_reduce sum group 1 meeting 1 outs(%z : tensor<f32>) -> tensor<f32>
    return %p : tensor<f32>
  }
  func.func @update_1(%p: tensor<f32>) -> tensor<f32> attributes {boost.stage = 1 : i64} {
    %h = boostrt.all_reduce sum group 1 meeting 0 outs(%p : tensor<f32>) -> tensor<f32>
    %i = boostrt.all_reduce sum group 1 meeting 1 outs(%h : tensor<f32>) -> tensor<f32>
    return %i : tensor<f32>
  }
}
