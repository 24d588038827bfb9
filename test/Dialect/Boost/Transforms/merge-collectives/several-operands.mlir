// RUN: boost-opt %s --boost-merge-collectives -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --function=step %s %t
// A sum of several gradients, one of which is moved to where it is ready, stays
// where it is: the other is ready later.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

  // CHECK-LABEL: func @step
  // CHECK:         %[[A:.*]] = boost.all_reduce sum %{{.*}} on @mesh axes = [1]
  // CHECK:         %[[B:.*]] = stablehlo.exponential
  // CHECK:         boost.all_reduce sum %[[A]], %[[B]] on @mesh axes = [0]
  func.func @step(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"dp"}>},
                  %y: tensor<8xf32> {boost.sharding = #boost.sharding<{"dp"}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<8xf32> {boost.sharding = #boost.sharding<{}>}) {
    boost.phase backward
    %a = stablehlo.tanh %x : tensor<4xf32>
    %b = stablehlo.exponential %y : tensor<8xf32>
    boost.phase optimizer
    %ra = boost.all_reduce sum %a on @mesh axes = [1] {boost.component = "gradients"} : tensor<4xf32>
    %r:2 = boost.all_reduce sum %ra, %b on @mesh axes = [0] {boost.component = "gradients"} : tensor<4xf32>, tensor<8xf32>
    return %r#0, %r#1 : tensor<4xf32>, tensor<8xf32>
  }
}
