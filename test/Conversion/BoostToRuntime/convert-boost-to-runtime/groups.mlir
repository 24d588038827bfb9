// RUN: boost-opt %s --convert-boost-to-runtime --split-input-file --verify-diagnostics | FileCheck %s
// Groups are masks over the axes that have more than one rank; axes in another order than the grid's are refused.

shard.grid @mesh(shape = 2x1x3) {boost.axes = ["a", "b", "c"]}
shard.grid @unnamed(shape = 2x3)

// CHECK-LABEL: func.func @masks
func.func @masks(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  // CHECK: boostrt.all_reduce sum group 1 outs({{.*}}) {{.*}}boostrt.axes = ["a"]
  %0 = boost.all_reduce sum %x on @mesh axes = [0] : tensor<6xf32>
  // CHECK: boostrt.all_reduce sum group 4 outs({{.*}}) {{.*}}boostrt.axes = ["c"]
  %1 = boost.all_reduce sum %x on @mesh axes = [1, 2] : tensor<6xf32>
  // CHECK: boostrt.all_reduce sum group 5 outs({{.*}}) {{.*}}boostrt.axes = ["a", "c"]
  %2 = boost.all_reduce sum %x on @mesh axes = [0, 1, 2] : tensor<6xf32>
  // CHECK: boostrt.all_reduce sum group 2 outs
  // CHECK-NOT: boostrt.axes
  // CHECK: return
  %3 = boost.all_reduce sum %x on @unnamed axes = [1] : tensor<6xf32>
  return %0, %1, %2, %3 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// -----

shard.grid @mesh(shape = 2x2) {boost.axes = ["a", "b"]}

func.func @order(%x: tensor<4xf32>) -> tensor<1xf32> {
  // expected-error@+1 {{expects mesh axes in increasing order}}
  %0 = shard.all_slice %x on @mesh grid_axes = [1, 0] slice_axis = 0 : tensor<4xf32> -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

// Where the grid has no names, an operation keeps those that it has.

shard.grid @unnamed(shape = 2x3)

// CHECK-LABEL: func.func @given
func.func @given(%x: tensor<6xf32>) -> tensor<6xf32> {
  // CHECK: boostrt.all_reduce sum group 2 outs({{.*}}) {{.*}}boostrt.axes = ["b"]
  %0 = boost.all_reduce sum %x on @unnamed axes = [1] {boostrt.axes = ["b"]} : tensor<6xf32>
  return %0 : tensor<6xf32>
}
