// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function block | FileCheck %s --check-prefix=EQUAL
// A bottleneck whose residual stream is sharded along the hidden dimension: one all-reduce at
// the rank, and none after the second factor.

// EQUAL: 1 results equal

// CHECK: module attributes {boost.level = "spmd"}
module {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

  // CHECK-LABEL: func @block
  // CHECK-SAME: %[[X:.*]]: tensor<4x8x32xf32> {{.*}}, %[[A:.*]]: tensor<32x16xf32> {{.*}}, %[[B:.*]]: tensor<16x32xf32>
  func.func @block(%x: tensor<4x8x64xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<param "x">},
                   %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "a">},
                   %b: tensor<16x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "b">})
      -> (tensor<4x8x64xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<output "y">}) {
    // CHECK: %[[P:.*]] = boost.linear %[[X]], %[[A]] {boost.component = "block"} : (tensor<4x8x32xf32>, tensor<32x16xf32>) -> tensor<4x8x16xf32>
    // CHECK-NEXT: %[[H:.*]] = boost.all_reduce sum %[[P]] on @mesh axes = [0] {boost.component = "block"} : tensor<4x8x16xf32>
    %h = boost.linear %x, %a {boost.component = "block"} : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
    // CHECK-NEXT: %[[Z:.*]] = stablehlo.tanh %[[H]] : tensor<4x8x16xf32>
    %z = stablehlo.tanh %h : tensor<4x8x16xf32>
    // CHECK-NEXT: %[[Y:.*]] = boost.linear %[[Z]], %[[B]] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %y = boost.linear %z, %b : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    // CHECK-NEXT: return %[[Y]]
    return %y : tensor<4x8x64xf32>
  }
}
