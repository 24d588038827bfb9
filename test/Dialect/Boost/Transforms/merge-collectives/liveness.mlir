// RUN: boost-opt %s --boost-merge-collectives --boost-verify-spmd | FileCheck %s
// Two chains with wide values between narrow sums. Launched together, the wide
// values of both would be in use at once: the chains stay one after the other.
// What the first one ends with is narrow, and joins the sum of the second.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

  // CHECK-LABEL: func @two_towers
  // CHECK:         %[[P:.*]] = boost.linear
  // CHECK-NEXT:    boost.all_reduce sum %[[P]] on
  // CHECK:         %[[Q:.*]] = boost.linear
  // CHECK-NEXT:    boost.all_reduce sum %[[Q]], %{{.*}} on
  func.func @two_towers(%x: tensor<4x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                        %y: tensor<4x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                        %a: tensor<64x2xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<4x2xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    %u = stablehlo.tanh %x : tensor<4x64xf32>
    %0 = boost.linear %u, %a : (tensor<4x64xf32>, tensor<64x2xf32>) -> tensor<4x2xf32>
    %p = boost.all_reduce sum %0 on @mesh axes = [0] {boost.component = "block"} : tensor<4x2xf32>
    %1 = stablehlo.dot_general %p, %u, contracting_dims = [0] x [0] : (tensor<4x2xf32>, tensor<4x64xf32>) -> tensor<2x64xf32>
    %2 = stablehlo.dot_general %1, %a, contracting_dims = [1] x [0] : (tensor<2x64xf32>, tensor<64x2xf32>) -> tensor<2x2xf32>
    %v = stablehlo.tanh %y : tensor<4x64xf32>
    %3 = boost.linear %v, %a : (tensor<4x64xf32>, tensor<64x2xf32>) -> tensor<4x2xf32>
    %q = boost.all_reduce sum %3 on @mesh axes = [0] {boost.component = "block"} : tensor<4x2xf32>
    %4 = boost.all_reduce sum %2 on @mesh axes = [0] {boost.component = "head"} : tensor<2x2xf32>
    %5 = boost.linear %q, %4 : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    return %5 : tensor<4x2xf32>
  }
}
