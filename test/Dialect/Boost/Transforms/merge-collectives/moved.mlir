// RUN: boost-opt %s --boost-merge-collectives -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --function=step %s %t
// A gradient that waits for its bucket to fill may be moved meanwhile: %rc
// moves behind %rb with the sum over tp that it depends on. The bucket is
// merged where the last of its gradients then stands.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

  // CHECK-LABEL: func @step
  // CHECK:         %[[B:.*]] = stablehlo.exponential
  // CHECK:         %[[SUMS:.*]]:2 = boost.all_reduce sum %{{.*}}, %{{.*}} on @mesh axes = [1]
  // CHECK:         %[[C:.*]] = stablehlo.tanh %[[SUMS]]#0
  // CHECK:         boost.all_reduce sum %[[C]], %[[B]] on @mesh axes = [0]
  // CHECK:         boost.phase optimizer
  func.func @step(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"dp"}>},
                  %y: tensor<8xf32> {boost.sharding = #boost.sharding<{"dp"}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<8xf32> {boost.sharding = #boost.sharding<{}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{"dp"}>}) {
    boost.phase backward
    %p = boost.all_reduce sum %x on @mesh axes = [1] : tensor<4xf32>
    %c = stablehlo.tanh %p : tensor<4xf32>
    %b = stablehlo.exponential %y : tensor<8xf32>
    %part = stablehlo.slice %b [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    %q = boost.all_reduce sum %part on @mesh axes = [1] : tensor<4xf32>
    %d = stablehlo.negate %q : tensor<4xf32>
    boost.phase optimizer
    %rc = boost.all_reduce sum %c on @mesh axes = [0] {boost.component = "gradients"} : tensor<4xf32>
    %rb = boost.all_reduce sum %b on @mesh axes = [0] {boost.component = "gradients"} : tensor<8xf32>
    return %rc, %rb, %d : tensor<4xf32>, tensor<8xf32>, tensor<4xf32>
  }
}
