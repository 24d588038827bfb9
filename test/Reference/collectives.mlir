// RUN: split-file %s %t
// RUN: boost-eval --compare %t/global.mlir %t/ranks.mlir --tolerance 0 | FileCheck %s
// Every collective on four ranks against the movement of the global tensor that it stands for.

// CHECK: 11 results equal, largest relative difference 0

//--- global.mlir
func.func @loss(%x: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "x">})
    -> (tensor<4x4xf32> {boost.tensor = #boost.tensor<output "gathered">}, tensor<2x4xf32> {boost.tensor = #boost.tensor<output "sum">},
        tensor<4x2xf32> {boost.tensor = #boost.tensor<output "max">}, tensor<2x2xf32> {boost.tensor = #boost.tensor<output "sum_of_both">},
        tensor<4x2xf32> {boost.tensor = #boost.tensor<output "scattered">}, tensor<4x4xf32> {boost.tensor = #boost.tensor<output "moved">},
        tensor<4x4xi32> {boost.tensor = #boost.tensor<output "index">},
        tensor<2x4xf32> {boost.tensor = #boost.tensor<output "greatest">}, tensor<4xi32> {boost.tensor = #boost.tensor<output "ids">},
        tensor<i32> {boost.tensor = #boost.tensor<output "sent">}, tensor<2xi32> {boost.tensor = #boost.tensor<output "sent_along">}) {
  %upper = stablehlo.slice %x [0:2, 0:4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %lower = stablehlo.slice %x [2:4, 0:4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %left = stablehlo.slice %x [0:4, 0:2] : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %right = stablehlo.slice %x [0:4, 2:4] : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %sum = stablehlo.add %upper, %lower : tensor<2x4xf32>
  %max = stablehlo.maximum %left, %right : tensor<4x2xf32>
  // In the order of the ranks, so that rounding is the same.
  %a = stablehlo.slice %x [0:2, 0:2] : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %b = stablehlo.slice %x [0:2, 2:4] : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %c = stablehlo.slice %x [2:4, 0:2] : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %d = stablehlo.slice %x [2:4, 2:4] : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %ab = stablehlo.add %a, %b : tensor<2x2xf32>
  %abc = stablehlo.add %ab, %c : tensor<2x2xf32>
  %both = stablehlo.add %abc, %d : tensor<2x2xf32>
  %scattered = stablehlo.add %left, %right : tensor<4x2xf32>
  %index = stablehlo.constant dense<[[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3], [2, 2, 3, 3]]>
      : tensor<4x4xi32>
  %greatest = stablehlo.maximum %upper, %lower : tensor<2x4xf32>
  %ids = stablehlo.constant dense<[0, 0, 2, 2]> : tensor<4xi32>
  %sent = stablehlo.constant dense<2> : tensor<i32>
  %sent_along = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  return %x, %sum, %max, %both, %scattered, %x, %index, %greatest, %ids, %sent, %sent_along
      : tensor<4x4xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<2x2xf32>, tensor<4x2xf32>,
        tensor<4x4xf32>, tensor<4x4xi32>, tensor<2x4xf32>, tensor<4xi32>, tensor<i32>, tensor<2xi32>
}

//--- ranks.mlir
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  func.func @loss(%x: tensor<2x2xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>, boost.tensor = #boost.tensor<param "x">})
      -> (tensor<2x2xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>, boost.tensor = #boost.tensor<output "gathered">},
          tensor<2x2xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<output "sum">},
          tensor<2x2xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<output "max">},
          tensor<2x2xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<output "sum_of_both">},
          tensor<1x2xf32> {boost.sharding = #boost.sharding<{"dp", "tp"}, {}>, boost.tensor = #boost.tensor<output "scattered">},
          tensor<1x4xf32> {boost.sharding = #boost.sharding<{"dp", "tp"}, {}>, boost.tensor = #boost.tensor<output "moved">},
          tensor<2x2xi32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>, boost.tensor = #boost.tensor<output "index">},
          tensor<1x2xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>, boost.tensor = #boost.tensor<output "greatest">},
          tensor<4xi32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<output "ids">},
          tensor<i32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<output "sent">},
          tensor<1xi32> {boost.sharding = #boost.sharding<{"dp"}>, boost.tensor = #boost.tensor<output "sent_along">}) {
    %wide = boost.all_gather %x dims = [1] on @mesh axes = [1]
        : (tensor<2x2xf32>) -> tensor<2x4xf32>
    %gathered = shard.all_slice %wide on @mesh grid_axes = [1] slice_axis = 1
        : tensor<2x4xf32> -> tensor<2x2xf32>
    %sum = boost.all_reduce sum %x on @mesh axes = [0] : tensor<2x2xf32>
    %max = boost.all_reduce max %x on @mesh axes = [1] : tensor<2x2xf32>
    %both = boost.all_reduce sum %x on @mesh axes = [0, 1] : tensor<2x2xf32>
    %scattered = boost.reduce_scatter sum %x dims = [0] on @mesh axes = [1]
        : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %moved = shard.all_to_all %x on @mesh grid_axes = [1] split_axis = 0 concat_axis = 1
        : tensor<2x2xf32> -> tensor<1x4xf32>
    %rank = boost.process_index on @mesh axes = [0, 1] : tensor<i32>
    %index = stablehlo.broadcast_in_dim %rank, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %row = boost.process_index on @mesh axes = [0] : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %first = stablehlo.multiply %row, %two : tensor<i32>
    %id = stablehlo.broadcast_in_dim %first, dims = [] : (tensor<i32>) -> tensor<2xi32>
    // Several tensors, each along its own dimension.
    %wider, %ids = boost.all_gather %x, %id dims = [1, 0] on @mesh axes = [0]
        : (tensor<2x2xf32>, tensor<2xi32>) -> (tensor<2x4xf32>, tensor<4xi32>)
    %own = shard.all_slice %wider on @mesh grid_axes = [0] slice_axis = 1
        : tensor<2x4xf32> -> tensor<2x2xf32>
    %greatest, %unused = boost.reduce_scatter max %own, %id dims = [0, 0] on @mesh axes = [0]
        : (tensor<2x2xf32>, tensor<2xi32>) -> (tensor<1x2xf32>, tensor<1xi32>)
    // One rank's value: of all ranks, and of those of a row.
    %sent = boost.broadcast %rank root = 2 on @mesh axes = [0, 1] : tensor<i32>
    %row_of_rank = stablehlo.reshape %rank : (tensor<i32>) -> tensor<1xi32>
    %sent_along = boost.broadcast %row_of_rank root = 1 on @mesh axes = [1] : tensor<1xi32>
    return %gathered, %sum, %max, %both, %scattered, %moved, %index, %greatest, %ids, %sent, %sent_along
        : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>,
          tensor<1x4xf32>, tensor<2x2xi32>, tensor<1x2xf32>, tensor<4xi32>, tensor<i32>, tensor<1xi32>
  }
}
