// RUN: boost-opt %s --boost-merge-collectives -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --function=step %s %t
// Sums that the optimizer takes have readers in the optimizer: they are merged
// where all readers stand behind.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

  // CHECK-LABEL: func @step
  // CHECK:         boost.phase optimizer
  // CHECK:         %[[Y:.*]] = stablehlo.exponential
  // CHECK:         %[[Z:.*]] = stablehlo.negate
  // CHECK:         %[[SUMS:.*]]:3 = boost.all_reduce sum %{{.*}}, %[[Y]], %[[Z]] on @mesh axes = [0]
  // CHECK:         stablehlo.tanh %[[SUMS]]#0
  // CHECK-NOT:     boost.all_reduce
  func.func @step(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>},
                  %y: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>})
      -> (tensor<8xf32> {boost.sharding = #boost.sharding<{}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<8xf32> {boost.sharding = #boost.sharding<{}>}) {
    boost.phase optimizer
    %a = boost.all_reduce sum %x on @mesh axes = [0] {boost.component = "optimizer"} : tensor<4xf32>
    %t = stablehlo.tanh %a : tensor<4xf32>
    %e = stablehlo.exponential %y : tensor<8xf32>
    %b = boost.all_reduce sum %e on @mesh axes = [0] {boost.component = "optimizer"} : tensor<8xf32>
    %n = stablehlo.negate %y : tensor<8xf32>
    %c = boost.all_reduce sum %n on @mesh axes = [0] {boost.component = "optimizer"} : tensor<8xf32>
    return %c, %t, %b : tensor<8xf32>, tensor<4xf32>, tensor<8xf32>
  }
}
