// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function tied | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function few_columns | FileCheck %s --check-prefix=EQUAL
// An embedding that is sharded along the hidden dimension serves as the head: it is
// moved once, the logits stay cut along the vocabulary, and the loss needs two
// small all-reduces.

// EQUAL: 1 results equal

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// CHECK-LABEL: func @tied
// CHECK-SAME: %[[E:.*]]: tensor<32x32xf32>
func.func @tied(%e: tensor<32x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "embed">},
                %ids: tensor<4x8xi32> {boost.id_limit = 32 : i64, boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<batch "ids">})
    -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<loss "loss">}) {
  // CHECK: %[[X:.*]] = boost.embedding %[[E]], {{.*}} -> tensor<4x8x32xf32>
  %x = boost.embedding %e, %ids {boost.component = "embedding"} : (tensor<32x64xf32>, tensor<4x8xi32>) -> tensor<4x8x64xf32>
  // CHECK: %[[G:.*]] = boost.all_gather %[[X]] dims = [2] on @mesh axes = [0] {boost.component = "head"}
  // CHECK: %[[W:.*]] = shard.all_to_all %[[E]] on @mesh grid_axes = [0] split_axis = 0 concat_axis = 1 {boost.component = "head"} : tensor<32x32xf32> -> tensor<16x64xf32>
  // CHECK: boost.linear %[[G]], %[[W]] transposed {{.*}} -> tensor<4x8x16xf32>
  %l = boost.linear %x, %e transposed shard_output {boost.component = "head"} : (tensor<4x8x64xf32>, tensor<32x64xf32>) -> tensor<4x8x32xf32>
  // CHECK-NOT: boost.cross_entropy
  // CHECK: boost.all_reduce max %{{.*}} on @mesh axes = [0] {boost.component = "loss"} : tensor<4x8xf32>
  // CHECK: boost.process_index on @mesh axes = [0]
  // CHECK: boost.all_reduce sum %{{.*}}, %{{.*}} on @mesh axes = [0] {boost.component = "loss"} : tensor<4x8xf32>, tensor<4x8xf32>
  // CHECK-NOT: {{all_|reduce_scatter}}
  %loss, %lse = boost.cross_entropy %l, %ids {boost.component = "loss"} : (tensor<4x8x32xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return %loss : tensor<4x8xf32>
}

// Few columns are gathered: completing the loss would send more.
// CHECK-LABEL: func @few_columns
// CHECK: boost.all_gather %{{.*}} dims = [1] {{.*}} : (tensor<8x2xf32>) -> tensor<8x4xf32>
// CHECK-NOT: boost.all_reduce
func.func @few_columns(%l: tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "l">},
                       %ids: tensor<8xi32> {boost.id_limit = 4 : i64, boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<batch "ids">})
    -> (tensor<8xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<loss "loss">}) {
  %loss, %lse = boost.cross_entropy %l, %ids : (tensor<8x4xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %loss : tensor<8xf32>
}
