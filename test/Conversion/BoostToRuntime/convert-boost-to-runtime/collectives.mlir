// RUN: boost-opt %s --convert-boost-to-runtime --split-input-file --verify-diagnostics | FileCheck %s

shard.grid @mesh(shape = 2x1x4)

// CHECK-LABEL: func.func @collectives
// CHECK-SAME: %[[X:.*]]: tensor<8x8xf32>
func.func @collectives(%x: tensor<8x8xf32>) -> (tensor<f32>, tensor<i32>) {
  // Several axes are one group, axes of one rank count for nothing.
  // CHECK: boostrt.all_reduce sum group 5 outs(%[[X]] : tensor<8x8xf32>) {boost.component = "block", boost.phase = "forward"}
  %0 = boost.all_reduce sum %x on @mesh axes = [0, 1, 2] {boost.component = "block"} : tensor<8x8xf32>
  // The memory plan needs the marks.
  // CHECK: boost.phase backward
  boost.phase backward
  // CHECK: boostrt.all_gather dims [1] group 4 ins({{.*}}) outs({{.*}} : tensor<8x32xf32>) {boost.phase = "backward"}
  %1 = boost.all_gather %0 dims = [1] on @mesh axes = [2]
      : (tensor<8x8xf32>) -> tensor<8x32xf32>
  // CHECK: boostrt.reduce_scatter sum dims [0] group 1
  %2 = boost.reduce_scatter sum %1 dims = [0] on @mesh axes = [0]
      : (tensor<8x32xf32>) -> tensor<4x32xf32>
  // CHECK: boostrt.all_to_all split_dim 1 concat_dim 0 group 4
  %3 = shard.all_to_all %2 on @mesh grid_axes = [2] split_axis = 1 concat_axis = 0
      : tensor<4x32xf32> -> tensor<16x8xf32>
  // CHECK: boostrt.all_slice dim 0 group 4 ins({{.*}}) outs({{.*}}) ->
  %4 = shard.all_slice %3 on @mesh grid_axes = [2] slice_axis = 0
      : tensor<16x8xf32> -> tensor<4x8xf32>
  // CHECK: %[[S:.*]] = boostrt.sum_of_squares ins(%{{.*}} : tensor<4x8xf32>)
  %5 = boost.sum_of_squares %4 : (tensor<4x8xf32>) -> tensor<f32>
  boost.phase optimizer
  // CHECK: boostrt.all_reduce max group 4 outs(%[[S]] : tensor<f32>) {boost.phase = "optimizer"}
  %6 = boost.all_reduce max %5 on @mesh axes = [2] : tensor<f32>
  // CHECK: boostrt.broadcast root 3 group 4 outs(%{{.*}} : tensor<4x8xf32>) {boost.phase = "optimizer"}
  %7 = boost.broadcast %4 root = 3 on @mesh axes = [1, 2] : tensor<4x8xf32>
  // No one reads this sum, but others wait for it.
  // CHECK: boostrt.all_reduce sum group 1 meeting 4 outs(%[[S]] : tensor<f32>) {boost.phase = "optimizer"}
  %8 = boost.sum_over_stages %5 meeting 4 on @mesh axes = [0] : tensor<f32>
  // CHECK: boostrt.process_index group 5
  %i = boost.process_index on @mesh axes = [0, 2] : tensor<i32>
  return %6, %i : tensor<f32>, tensor<i32>
}

// A group of one rank: nothing to send.
// CHECK-LABEL: func.func @alone
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>
func.func @alone(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<i32>) {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK: return %[[X]], %[[C]]
  %b = boost.broadcast %x root = 0 on @mesh axes = [1] : tensor<8xf32>
  %0 = boost.all_reduce sum %b on @mesh axes = [1] : tensor<8xf32>
  %s = boost.sum_over_stages %0 meeting 0 on @mesh axes = [1] : tensor<8xf32>
  %i = boost.process_index on @mesh axes = [1] : tensor<i32>
  return %s, %i : tensor<8xf32>, tensor<i32>
}

// -----

shard.grid @mesh(shape = 2x2)

func.func @order(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expects mesh axes in increasing order}}
  %0 = boost.all_reduce sum %x on @mesh axes = [1, 0] : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Where the axes have names, so has the group.

shard.grid @mesh(shape = 2x1x4) {boost.axes = ["data", "extra", "model"]}

// CHECK-LABEL: func.func @names
func.func @names(%x: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<i32>) {
  // CHECK: boostrt.all_reduce sum group 5 {{.*}} boostrt.axes = ["data", "model"]}
  %0 = boost.all_reduce sum %x on @mesh axes = [0, 1, 2] : tensor<8x8xf32>
  // CHECK: boostrt.all_slice dim 0 group 1 {{.*}} {boostrt.axes = ["data"]}
  %1 = shard.all_slice %0 on @mesh grid_axes = [0] slice_axis = 0 : tensor<8x8xf32> -> tensor<4x8xf32>
  // CHECK: boostrt.process_index group 4 {{.*}} {boostrt.axes = ["model"]}
  %2 = boost.process_index on @mesh axes = [2] : tensor<i32>
  return %1, %2 : tensor<4x8xf32>, tensor<i32>
}
