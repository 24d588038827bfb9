// RUN: boost-opt %s --boost-simplify-collectives --canonicalize | FileCheck %s
// Each function shows one row of the table in the description of the pass.

shard.grid @mesh(shape = 2x2x1) {boost.axes = ["dp", "tp", "pp"]}

// CHECK-LABEL: func @one_rank(
// CHECK-SAME:    %[[X:.*]]: tensor<4x4xf32>
// CHECK-NEXT:    %[[S:.*]] = boost.all_reduce sum %[[X]] on @mesh axes = [1] {boost.component = "block"}
// CHECK-NEXT:    return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[S]]
func.func @one_rank(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = boost.all_reduce sum %x on @mesh axes = [2] : tensor<4x4xf32>
  %1 = boost.all_gather %x dims = [0] on @mesh axes = [2] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = shard.all_slice %x on @mesh grid_axes = [2] slice_axis = 0 : tensor<4x4xf32> -> tensor<4x4xf32>
  %3 = shard.all_to_all %x on @mesh grid_axes = [2] split_axis = 0 concat_axis = 1 : tensor<4x4xf32> -> tensor<4x4xf32>
  %4 = boost.reduce_scatter sum %x dims = [0] on @mesh axes = [2] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = boost.all_reduce sum %x on @mesh axes = [1, 2] {boost.component = "block"} : tensor<4x4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func @maximum_of_maximum
// CHECK-NEXT:    %[[M:.*]] = boost.all_reduce max %{{.*}} on @mesh axes = [0, 1]
// CHECK-NEXT:    return %[[M]]
func.func @maximum_of_maximum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = boost.all_reduce max %x on @mesh axes = [0, 1] : tensor<4xf32>
  %1 = boost.all_reduce max %0 on @mesh axes = [1] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func @sum_of_sum
// CHECK-NEXT:    %[[S:.*]] = boost.all_reduce sum %{{.*}} on @mesh axes = [0, 1] {boost.component = "loss"}
// CHECK-NEXT:    return %[[S]]
func.func @sum_of_sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = boost.all_reduce sum %x on @mesh axes = [1] {boost.component = "loss"} : tensor<4xf32>
  %1 = boost.all_reduce sum %0 on @mesh axes = [0] {boost.component = "loss"} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func @spare_operands
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<2xf32>)
// CHECK-NEXT:    %[[S:.*]] = boost.all_reduce sum %[[X]] on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>
// CHECK-NEXT:    return %[[S]], %[[S]]
func.func @spare_operands(%x: tensor<4xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:3 = boost.all_reduce sum %x, %y, %x on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>, tensor<2xf32>, tensor<4xf32>
  return %0#0, %0#2 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @slice_of_sum
// CHECK-NEXT:    %[[S:.*]] = boost.reduce_scatter sum %{{.*}} dims = [1] on @mesh axes = [1] {boost.component = "head"} : (tensor<4x4xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:    return %[[S]]
func.func @slice_of_sum(%x: tensor<4x4xf32>) -> tensor<4x2xf32> {
  %0 = boost.all_reduce sum %x on @mesh axes = [1] {boost.component = "head"} : tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [1] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: func @slice_of_sum_over_more_axes
// CHECK-NEXT:    %[[S:.*]] = boost.reduce_scatter sum %{{.*}} on @mesh axes = [1]
// CHECK-NEXT:    %[[R:.*]] = boost.all_reduce sum %[[S]] on @mesh axes = [0] {boost.component = "head"} : tensor<4x2xf32>
// CHECK-NEXT:    return %[[R]]
func.func @slice_of_sum_over_more_axes(%x: tensor<4x4xf32>) -> tensor<4x2xf32> {
  %0 = boost.all_reduce sum %x on @mesh axes = [0, 1] {boost.component = "head"} : tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [1] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: func @slice_of_gather(
// CHECK-SAME:    %[[X:.*]]: tensor<4x2xf32>
// CHECK-NEXT:    return %[[X]]
func.func @slice_of_gather(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = boost.all_gather %x dims = [1] on @mesh axes = [1] : (tensor<4x2xf32>) -> tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [1] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: func @other_slice_of_gather
// CHECK-NEXT:    %[[A:.*]] = shard.all_to_all %{{.*}} on @mesh grid_axes = [1] split_axis = 0 concat_axis = 1 {boost.component = "head"} : tensor<4x2xf32> -> tensor<2x4xf32>
// CHECK-NEXT:    return %[[A]]
func.func @other_slice_of_gather(%x: tensor<4x2xf32>) -> tensor<2x4xf32> {
  %0 = boost.all_gather %x dims = [1] on @mesh axes = [1] {boost.component = "head"} : (tensor<4x2xf32>) -> tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [1] slice_axis = 0 : tensor<4x4xf32> -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func @gather_of_slice(
// CHECK-SAME:    %[[X:.*]]: tensor<4x4xf32>
// CHECK-NEXT:    return %[[X]]
func.func @gather_of_slice(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = shard.all_slice %x on @mesh grid_axes = [1] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  %1 = boost.all_gather %0 dims = [1] on @mesh axes = [1] : (tensor<4x2xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// Of three operands the first is spare: the others keep their places.
// CHECK-LABEL: func @spare_first
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>, %[[Z:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[S:.*]]:2 = boost.all_reduce sum %[[Y]], %[[Z]] on @mesh axes = [0] : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:    return %[[S]]#1, %[[S]]#0
func.func @spare_first(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:3 = boost.all_reduce sum %x, %y, %z on @mesh axes = [0] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#2, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @slice_over_the_first_axis
// CHECK-NEXT:    %[[S:.*]] = boost.reduce_scatter sum %{{.*}} dims = [0] on @mesh axes = [0] : (tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    %[[R:.*]] = boost.all_reduce sum %[[S]] on @mesh axes = [1] : tensor<2x4xf32>
// CHECK-NEXT:    return %[[R]]
func.func @slice_over_the_first_axis(%x: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %0 = boost.all_reduce sum %x on @mesh axes = [0, 1] : tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [0] slice_axis = 0 : tensor<4x4xf32> -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func @maximum_over_the_same_axes
// CHECK-NEXT:    %[[M:.*]] = boost.all_reduce max %{{.*}} on @mesh axes = [0]
// CHECK-NEXT:    return %[[M]], %[[M]]
func.func @maximum_over_the_same_axes(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = boost.all_reduce max %x on @mesh axes = [0] : tensor<4xf32>
  %1 = boost.all_reduce max %0 on @mesh axes = [0] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
