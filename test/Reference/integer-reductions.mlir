// RUN: boost-eval %s --function=reductions | FileCheck %s --check-prefix=REDUCE
// RUN: boost-eval %s --function=orders | FileCheck %s --check-prefix=ORDER
// Reductions of integers and floats over four ranks, and the order of the ranks of a group.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

  // Rank r holds element r of each table; integers wrap at their width, unsigned ones have no sign, and booleans are
  // added by "or".
  // REDUCE: out0 {{.*}} [9]
  // REDUCE: out1 {{.*}} [-5]
  // REDUCE: out2 {{.*}} [-2147483648]
  // REDUCE: out3 {{.*}} [4294967295]
  // REDUCE: out4 {{.*}} [3]
  // REDUCE: out5 {{.*}} [1]
  // REDUCE: out6 {{.*}} [0]
  // REDUCE: out7 {{.*}} [1]
  // REDUCE: out8 {{.*}} [1.5]
  // REDUCE: out9 {{.*}} [-2.5]
  func.func @reductions() -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xui32>, tensor<1xui32>, tensor<1xi1>,
                              tensor<1xi1>, tensor<1xi1>, tensor<1xf32>, tensor<1xf32>) {
    %rank = boost.process_index on @mesh axes = [0, 1] : tensor<i32>
    %signed = stablehlo.constant dense<[3, -5, 9, -1]> : tensor<4xi32>
    %large = stablehlo.constant dense<[2147483647, 1, 0, 0]> : tensor<4xi32>
    %unsigned = stablehlo.constant dense<[3, 4294967295, 7, 5]> : tensor<4xui32>
    %two = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
    %floats = stablehlo.constant dense<[-1.0, 1.5, -2.5, 0.5]> : tensor<4xf32>
    %s = stablehlo.dynamic_slice %signed, %rank, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %l = stablehlo.dynamic_slice %large, %rank, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %u = stablehlo.dynamic_slice %unsigned, %rank, sizes = [1] : (tensor<4xui32>, tensor<i32>) -> tensor<1xui32>
    %b = stablehlo.dynamic_slice %two, %rank, sizes = [1] : (tensor<4xi1>, tensor<i32>) -> tensor<1xi1>
    %f = stablehlo.dynamic_slice %floats, %rank, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %0 = boost.all_reduce max %s on @mesh axes = [0, 1] : tensor<1xi32>
    %1 = boost.all_reduce min %s on @mesh axes = [0, 1] : tensor<1xi32>
    %2 = boost.all_reduce sum %l on @mesh axes = [0, 1] : tensor<1xi32>
    %3 = boost.all_reduce max %u on @mesh axes = [0, 1] : tensor<1xui32>
    %4 = boost.all_reduce min %u on @mesh axes = [0, 1] : tensor<1xui32>
    %5 = boost.all_reduce sum %b on @mesh axes = [0, 1] : tensor<1xi1>
    %6 = boost.all_reduce min %b on @mesh axes = [0, 1] : tensor<1xi1>
    %7 = boost.all_reduce max %b on @mesh axes = [0, 1] : tensor<1xi1>
    %8 = boost.all_reduce max %f on @mesh axes = [0, 1] : tensor<1xf32>
    %9 = boost.all_reduce min %f on @mesh axes = [0, 1] : tensor<1xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
        : tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xui32>, tensor<1xui32>, tensor<1xi1>, tensor<1xi1>,
          tensor<1xi1>, tensor<1xf32>, tensor<1xf32>
  }

  // Rank (d, t) has number 2 * d + t. A group over tp, then dp, is ranks 0, 2, 1, 3.
  // ORDER: out0 {{.*}} [0, 1, 2, 3]
  // ORDER: out1 {{.*}} [0, 2, 1, 3]
  // ORDER: out2 {{.*}} [0, 2, 1, 3]
  // ORDER: out3 {{.*}} [10, 30, 20, 40]
  // ORDER: out4 {{.*}} [40, 120, 80, 160]
  func.func @orders() -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %rank = boost.process_index on @mesh axes = [0, 1] : tensor<i32>
    %r = stablehlo.reshape %rank : (tensor<i32>) -> tensor<1xi32>
    %0 = boost.all_gather %r dims = [0] on @mesh axes = [0, 1] : (tensor<1xi32>) -> tensor<4xi32>
    %1 = boost.all_gather %r dims = [0] on @mesh axes = [1, 0] : (tensor<1xi32>) -> tensor<4xi32>
    %swapped = boost.process_index on @mesh axes = [1, 0] : tensor<i32>
    %w = stablehlo.reshape %swapped : (tensor<i32>) -> tensor<1xi32>
    %2 = boost.all_gather %w dims = [0] on @mesh axes = [0, 1] : (tensor<1xi32>) -> tensor<4xi32>
    %x = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
    %slice = shard.all_slice %x on @mesh grid_axes = [1, 0] slice_axis = 0 : tensor<4xi32> -> tensor<1xi32>
    %3 = boost.all_gather %slice dims = [0] on @mesh axes = [0, 1] : (tensor<1xi32>) -> tensor<4xi32>
    %part = boost.reduce_scatter sum %x dims = [0] on @mesh axes = [1, 0] : (tensor<4xi32>) -> tensor<1xi32>
    %4 = boost.all_gather %part dims = [0] on @mesh axes = [0, 1] : (tensor<1xi32>) -> tensor<4xi32>
    return %0, %1, %2, %3, %4 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
}
