// RUN: boost-opt %s --boost-merge-collectives | FileCheck %s
// Not merged: other axes, another reduction, another phase. Parts of the model do
// not matter.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

  // CHECK-LABEL: func @kinds
  func.func @kinds(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    // CHECK-COUNT-2: boost.all_reduce {{(sum|max)}} %arg1 on
    // CHECK: boost.all_reduce sum %arg0, %arg1 on @mesh axes = [0]
    %0 = boost.all_reduce sum %a on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>
    %1 = boost.all_reduce sum %b on @mesh axes = [1] {boost.component = "block"} : tensor<4xf32>
    %2 = boost.all_reduce max %b on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>
    %3 = boost.all_reduce sum %b on @mesh axes = [0] {boost.component = "head"} : tensor<4xf32>
    // CHECK: boost.phase backward
    boost.phase backward
    // CHECK-COUNT-1: boost.all_reduce
    %4 = boost.all_reduce sum %b on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>
    %5 = stablehlo.add %0, %1 : tensor<4xf32>
    %6 = stablehlo.add %5, %2 : tensor<4xf32>
    %7 = stablehlo.add %6, %3 : tensor<4xf32>
    return %7, %4 : tensor<4xf32>, tensor<4xf32>
  }

  // Broadcasts from one rank are one, those from another are not.
  // CHECK-LABEL: func @broadcasts
  // CHECK:      %[[B:.*]]:2 = boost.broadcast %arg0, %arg1 root = 1 on @mesh axes = [0]
  // CHECK:      %[[C:.*]] = boost.broadcast %arg0 root = 0 on @mesh axes = [0]
  // CHECK:      return %[[B]]#0, %[[B]]#1, %[[C]]
  func.func @broadcasts(%a: tensor<4xf32>, %b: tensor<8xbf16>) -> (tensor<4xf32>, tensor<8xbf16>, tensor<4xf32>) {
    %0 = boost.broadcast %a root = 1 on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>
    %1 = boost.broadcast %b root = 1 on @mesh axes = [0] {boost.component = "block"} : tensor<8xbf16>
    %2 = boost.broadcast %a root = 0 on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>
    return %0, %1, %2 : tensor<4xf32>, tensor<8xbf16>, tensor<4xf32>
  }

  // Kinds of collectives do not mix, and what one makes of the other stays behind
  // it. Of each kind the independent ones are one.
  // CHECK-LABEL: func @movements
  // CHECK:      %[[S:.*]]:2 = boost.reduce_scatter sum %arg0, %arg1 dims = [0, 0] on @mesh axes = [0]
  // CHECK:      boost.reduce_scatter max %arg1 dims = [0] on @mesh axes = [0]
  // CHECK:      boost.reduce_scatter sum %arg1 dims = [0] on @mesh axes = [1]
  // CHECK:      %[[G:.*]]:2 = boost.all_gather %[[S]]#0, %arg1 dims = [0, 0] on @mesh axes = [0]
  // CHECK:      boost.all_gather %[[G]]#0 dims = [0] on @mesh axes = [0]
  // CHECK-NOT:  boost.{{(all|reduce)}}
  func.func @movements(%a: tensor<4xf32>, %b: tensor<4xf32>)
      -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<8xf32>, tensor<8xf32>) {
    %0 = boost.reduce_scatter sum %a dims = [0] on @mesh axes = [0] {boost.component = "block"} : (tensor<4xf32>) -> tensor<2xf32>
    %1 = boost.reduce_scatter sum %b dims = [0] on @mesh axes = [0] {boost.component = "block"} : (tensor<4xf32>) -> tensor<2xf32>
    %2 = boost.reduce_scatter max %b dims = [0] on @mesh axes = [0] {boost.component = "block"} : (tensor<4xf32>) -> tensor<2xf32>
    %3 = boost.reduce_scatter sum %b dims = [0] on @mesh axes = [1] {boost.component = "block"} : (tensor<4xf32>) -> tensor<2xf32>
    %4 = boost.all_gather %0 dims = [0] on @mesh axes = [0] {boost.component = "block"} : (tensor<2xf32>) -> tensor<4xf32>
    %5 = boost.all_gather %b dims = [0] on @mesh axes = [0] {boost.component = "block"} : (tensor<4xf32>) -> tensor<8xf32>
    %6 = boost.all_gather %4 dims = [0] on @mesh axes = [0] {boost.component = "block"} : (tensor<4xf32>) -> tensor<8xf32>
    return %1, %2, %3, %5, %6 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
