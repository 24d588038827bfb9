// RUN: boost-opt %s --boost-verify-spmd --boost-simplify-collectives --boost-verify-spmd -o %t
// RUN: FileCheck %s --input-file %t
// RUN: boost-eval --compare --function=movement %s %t
// The rewrites that move data give every rank what it had.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

  // CHECK-LABEL: func @movement
  // CHECK-DAG:     shard.all_to_all
  // CHECK-DAG:     boost.reduce_scatter
  // CHECK-NOT:     boost.all_gather
  // CHECK-NOT:     shard.all_slice
  func.func @movement(%x: tensor<4x2xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                      %w: tensor<2x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                      %v: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>})
      -> (tensor<2x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}, tensor<4x2xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
          tensor<4x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}, tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = boost.all_gather %x dims = [1] on @mesh axes = [1] {boost.component = "head"} : (tensor<4x2xf32>) -> tensor<4x4xf32>
    %1 = shard.all_slice %0 on @mesh grid_axes = [1] slice_axis = 0 {boost.component = "head"} : tensor<4x4xf32> -> tensor<2x4xf32>
    %t = stablehlo.tanh %x : tensor<4x2xf32>
    %2 = boost.all_gather %t dims = [1] on @mesh axes = [1] {boost.component = "head"} : (tensor<4x2xf32>) -> tensor<4x4xf32>
    %3 = shard.all_slice %2 on @mesh grid_axes = [1] slice_axis = 1 {boost.component = "head"} : tensor<4x4xf32> -> tensor<4x2xf32>
    %p = boost.linear %x, %w : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
    %4 = boost.all_reduce sum %p on @mesh axes = [1] {boost.component = "head"} : tensor<4x8xf32>
    %5 = shard.all_slice %4 on @mesh grid_axes = [1] slice_axis = 1 {boost.component = "head"} : tensor<4x8xf32> -> tensor<4x4xf32>
    %6 = shard.all_slice %v on @mesh grid_axes = [1] slice_axis = 0 {boost.component = "head"} : tensor<4x8xf32> -> tensor<2x8xf32>
    %7 = boost.all_gather %6 dims = [0] on @mesh axes = [1] {boost.component = "head"} : (tensor<2x8xf32>) -> tensor<4x8xf32>
    return %1, %3, %5, %7 : tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x8xf32>
  }
}
