// RUN: boost-opt %s -boost-merge-collectives | FileCheck %s
// Sums of one layer travel together, those of two layers do not.

// CHECK-LABEL: func @layers
// CHECK: boost.all_reduce sum %arg0, %arg1 {{.*}}boost.layer = #boost.layer<class = 0, index = 0>
// CHECK: boost.all_reduce sum %arg2 {{.*}}boost.layer = #boost.layer<class = 0, index = 1>
// CHECK-NOT: boost.all_reduce

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @layers(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>)
      -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %0 = boost.all_reduce sum %a on @mesh axes = [0] {boost.component = "block", boost.layer = #boost.layer<class = 0, index = 0>} : tensor<8xf32>
    %1 = boost.all_reduce sum %b on @mesh axes = [0] {boost.component = "block", boost.layer = #boost.layer<class = 0, index = 0>} : tensor<8xf32>
    %2 = boost.all_reduce sum %c on @mesh axes = [0] {boost.component = "block", boost.layer = #boost.layer<class = 0, index = 1>} : tensor<8xf32>
    return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
