// RUN: boost-opt %s -boostrt-number-collectives -verify-diagnostics

// Stage 1 would wait for stage 0 in its second collective.

// expected-error@+2 {{expects all pipeline stages to meet equally often, but stage 0 has 1 collectives along 'pp', and stage 1 has 2}}
// expected-note@+1 {{its update shares numbers between stages, which is not supported for this optimizer; use a mesh without 'pp'}}
module {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @update_0(%p: tensor<f32>) -> tensor<f32> attributes {boost.stage = 0 : i64} {
    %h = boostrt.all_reduce sum group 1 outs(%p : tensor<f32>) -> tensor<f32>
    return %h : tensor<f32>
  }
  func.func @update_1(%p: tensor<f32>) -> tensor<f32> attributes {boost.stage = 1 : i64} {
    %h = boostrt.all_reduce sum group 1 outs(%p : tensor<f32>) -> tensor<f32>
    %i = boostrt.all_reduce sum group 1 outs(%h : tensor<f32>) -> tensor<f32>
    return %i : tensor<f32>
  }
}
