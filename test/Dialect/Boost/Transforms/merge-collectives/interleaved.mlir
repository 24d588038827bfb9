// RUN: boost-opt %s --boost-merge-collectives --boost-verify-spmd -o %t
// RUN: FileCheck %s --input-file %t
// RUN: boost-eval --compare --function=crossed %s %t
// Two kinds whose merges would need each other: a0 before b1 and b0 before a1.
// The first merge is made, the second would be a cycle.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

  // CHECK-LABEL: func @crossed
  // CHECK:         %[[A0:.*]] = boost.linear
  // CHECK:         boost.all_reduce sum %[[A0]] on @mesh axes = [1]
  // CHECK:         %{{.*}}:2 = boost.all_reduce sum %{{.*}}, %{{.*}} on @mesh axes = [0]
  // CHECK:         boost.all_reduce sum %{{[^,]*}} on @mesh axes = [1]
  // CHECK-NOT:     boost.all_reduce
  func.func @crossed(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                     %w: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                     %y: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>})
      -> (tensor<4x4xf32> {boost.sharding = #boost.sharding<{}, {}>}, tensor<4x4xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %0 = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %a0 = boost.all_reduce sum %0 on @mesh axes = [1] {boost.component = "block"} : tensor<4x4xf32>
    %1 = stablehlo.dot_general %y, %y, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %b0 = boost.all_reduce sum %1 on @mesh axes = [0] {boost.component = "block"} : tensor<4x4xf32>
    %2 = boost.linear %y, %a0 : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.dot_general %2, %y, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %b1 = boost.all_reduce sum %3 on @mesh axes = [0] {boost.component = "block"} : tensor<4x4xf32>
    %4 = stablehlo.dot_general %b0, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %5 = boost.linear %4, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %a1 = boost.all_reduce sum %5 on @mesh axes = [1] {boost.component = "block"} : tensor<4x4xf32>
    %r = stablehlo.add %a1, %b1 : tensor<4x4xf32>
    %t = stablehlo.tanh %r : tensor<4x4xf32>
    %u = stablehlo.tanh %b1 : tensor<4x4xf32>
    return %t, %u : tensor<4x4xf32>, tensor<4x4xf32>
  }
}
