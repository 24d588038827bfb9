// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --verify-diagnostics | FileCheck %s
// An activation that has to be whole is gathered with a remark; a parameter is
// gathered without one, and so is what other functions repeat.

module {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  // CHECK-LABEL: func @loss
  func.func @loss(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<batch "x">}, %w: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "w">})
      -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}, tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // CHECK-DAG: %[[T:.*]] = stablehlo.tanh
    // CHECK-DAG: boost.all_gather %[[T]]
    %0 = stablehlo.tanh %x : tensor<4x8xf32>
    // expected-remark@+1 {{a value is gathered to 'tensor<4x8xf32>' on every rank: its readers cannot be sharded like it}}
    %1 = stablehlo.reverse %0, dims = [1] : tensor<4x8xf32>
    %2 = stablehlo.reverse %w, dims = [1] : tensor<4x8xf32>
    return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
  }
  // CHECK-LABEL: func @step
  func.func @step(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // CHECK: boost.all_gather
    %0 = stablehlo.tanh %x : tensor<4x8xf32>
    %1 = stablehlo.reverse %0, dims = [1] : tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
}
