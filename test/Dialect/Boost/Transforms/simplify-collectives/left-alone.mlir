// RUN: boost-opt %s --boost-simplify-collectives -o %t
// RUN: boost-opt %s | diff - %t
// The whole sum has another reader; the slice is over another axis; the gather
// undoes the sharding of another dimension; a sum over the same axis counts again;
// what is gathered over one axis is sliced over another; one of two is a maximum;
// one of two tensors of a collective is read; a gather or slice is over two axes.

shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

func.func @sum_is_read(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x2xf32>) {
  %0 = boost.all_reduce sum %x on @mesh axes = [1] : tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [1] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x2xf32>
}

func.func @other_axis(%x: tensor<4x4xf32>) -> tensor<4x2xf32> {
  %0 = boost.all_reduce sum %x on @mesh axes = [1] : tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [0] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

func.func @other_dimension(%x: tensor<4x4xf32>) -> tensor<8x2xf32> {
  %0 = shard.all_slice %x on @mesh grid_axes = [1] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  %1 = boost.all_gather %0 dims = [0] on @mesh axes = [1] : (tensor<4x2xf32>) -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

func.func @gather_is_read(%x: tensor<4x2xf32>) -> (tensor<4x4xf32>, tensor<2x4xf32>) {
  %0 = boost.all_gather %x dims = [1] on @mesh axes = [1] : (tensor<4x2xf32>) -> tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [1] slice_axis = 0 : tensor<4x4xf32> -> tensor<2x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<2x4xf32>
}

func.func @sums(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = boost.all_reduce sum %x on @mesh axes = [1] : tensor<4xf32>
  %1 = boost.all_reduce sum %0 on @mesh axes = [1] : tensor<4xf32>
  %2 = boost.all_reduce max %0 on @mesh axes = [0] : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

func.func @gather_of_another_axis(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = boost.all_gather %x dims = [1] on @mesh axes = [1] : (tensor<4x2xf32>) -> tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [0] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

func.func @one_of_two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = boost.all_reduce max %x on @mesh axes = [1] : tensor<4xf32>
  %1:2 = boost.all_reduce max %0, %y on @mesh axes = [1] : tensor<4xf32>, tensor<4xf32>
  return %1#0, %1#1 : tensor<4xf32>, tensor<4xf32>
}

func.func @sum_of_the_same_sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = boost.all_reduce sum %x on @mesh axes = [1] : tensor<4xf32>
  %1 = boost.all_reduce sum %0 on @mesh axes = [1] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func @sum_over_one_axis_twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = boost.all_reduce sum %x on @mesh axes = [0, 1] : tensor<4xf32>
  %1 = boost.all_reduce sum %0 on @mesh axes = [1] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func @maximum_over_further_axes(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = boost.all_reduce max %x on @mesh axes = [1] : tensor<4xf32>
  %1 = boost.all_reduce max %0 on @mesh axes = [0, 1] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

func.func @slice_of_maximum(%x: tensor<4x4xf32>) -> tensor<4x2xf32> {
  %0 = boost.all_reduce max %x on @mesh axes = [1] : tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [1] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

func.func @slice_over_two_axes(%x: tensor<4x4xf32>) -> tensor<4x1xf32> {
  %0 = boost.all_reduce sum %x on @mesh axes = [0, 1] : tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [0, 1] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x1xf32>
  return %1 : tensor<4x1xf32>
}

func.func @slice_of_one_of_two(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x2xf32>, tensor<4x4xf32>) {
  %0:2 = boost.all_reduce sum %x, %y on @mesh axes = [1] : tensor<4x4xf32>, tensor<4x4xf32>
  %1 = shard.all_slice %0#0 on @mesh grid_axes = [1] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  return %1, %0#1 : tensor<4x2xf32>, tensor<4x4xf32>
}

func.func @maximum_of_a_sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = boost.all_reduce sum %x on @mesh axes = [1] : tensor<4xf32>
  %1 = boost.all_reduce max %0 on @mesh axes = [0] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func @sum_over_another_axis_is_read(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = boost.all_reduce sum %x on @mesh axes = [1] : tensor<4xf32>
  %1 = boost.all_reduce sum %0 on @mesh axes = [0] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

func.func @sum_of_one_of_two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = boost.all_reduce sum %x, %y on @mesh axes = [1] : tensor<4xf32>, tensor<4xf32>
  %1 = boost.all_reduce sum %0#0 on @mesh axes = [0] : tensor<4xf32>
  return %1, %0#1 : tensor<4xf32>, tensor<4xf32>
}

func.func @other_slice_over_two_axes(%x: tensor<4x1xf32>) -> tensor<1x4xf32> {
  %0 = boost.all_gather %x dims = [1] on @mesh axes = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
  %1 = shard.all_slice %0 on @mesh grid_axes = [0, 1] slice_axis = 0 : tensor<4x4xf32> -> tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}

func.func @slices_of_two_gathered(%x: tensor<4x2xf32>, %y: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>) {
  %0:2 = boost.all_gather %x, %y dims = [1, 1] on @mesh axes = [1] : (tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %1 = shard.all_slice %0#0 on @mesh grid_axes = [1] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  %2 = shard.all_slice %0#1 on @mesh grid_axes = [1] slice_axis = 0 : tensor<4x4xf32> -> tensor<2x4xf32>
  return %1, %2 : tensor<4x2xf32>, tensor<2x4xf32>
}

func.func @gather_of_a_slice_and_another(%x: tensor<4x4xf32>, %y: tensor<4x2xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = shard.all_slice %x on @mesh grid_axes = [1] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  %1:2 = boost.all_gather %0, %y dims = [1, 1] on @mesh axes = [1] : (tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return %1#0, %1#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

func.func @gather_of_a_slice_over_another_axis(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = shard.all_slice %x on @mesh grid_axes = [0] slice_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf32>
  %1 = boost.all_gather %0 dims = [1] on @mesh axes = [1] : (tensor<4x2xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
