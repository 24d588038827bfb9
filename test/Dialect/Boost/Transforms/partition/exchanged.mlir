// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function moved | FileCheck %s --check-prefix=EQUAL
// Readers that are sharded along another dimension do not need a value whole: what
// they read is exchanged.

// EQUAL: results equal

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// CHECK-LABEL: func @moved
// CHECK-NOT: gather
// CHECK-COUNT-2: shard.all_to_all
// CHECK-NOT: gather
// CHECK: return
func.func @moved(%x: tensor<32x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                 %a: tensor<16x4xf32> {boost.sharding = #boost.sharding<{}, {}>},
                 %b: tensor<16x4xf32> {boost.sharding = #boost.sharding<{}, {}>},
                 %g: tensor<32xf32> {boost.sharding = #boost.sharding<{}>},
                 %h: tensor<32xf32> {boost.sharding = #boost.sharding<{}>})
    -> (tensor<32x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
  %0 = stablehlo.broadcast_in_dim %g, dims = [0] : (tensor<32xf32>) -> tensor<32x16xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<32x16xf32>
  %2 = boost.linear %1, %a {boost.spread = {tp = array<i64: 0, -1, 0>}} : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
  %3 = stablehlo.broadcast_in_dim %h, dims = [0] : (tensor<32xf32>) -> tensor<32x16xf32>
  %4 = stablehlo.multiply %x, %3 : tensor<32x16xf32>
  %5 = boost.linear %4, %b {boost.spread = {tp = array<i64: 0, -1, 0>}} : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
  %6 = stablehlo.add %2, %5 : tensor<32x4xf32>
  return %6 : tensor<32x4xf32>
}
