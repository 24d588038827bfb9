// RUN: boost-opt %s -split-input-file -boost-propagate-shardings -boost-partition | FileCheck %s

// Along which loop an operation is spread is not asked of prices where a
// placement has said so.

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// Sums would be cheaper than to gather both operands.
// CHECK-LABEL: func @repeated
// CHECK-COUNT-2: boost.all_gather
// CHECK: boost.linear {{.*}} : (tensor<64x8xf32>, tensor<8x2xf32>) -> tensor<64x2xf32>
// CHECK-NOT: boost.all_reduce
func.func @repeated(%x: tensor<64x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                    %w: tensor<8x2xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<64x2xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  %h = boost.linear %x, %w {boost.spread = {tp = array<i64: -1, -1, -1>}}
      : (tensor<64x8xf32>, tensor<8x2xf32>) -> tensor<64x2xf32>
  return %h : tensor<64x2xf32>
}

// -----

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// Of a small table the rows that are looked up are more than the table.
// CHECK-LABEL: func @rows
// CHECK-NOT: boost.all_to_all
// CHECK: boost.embedding {{.*}} : (tensor<1x8xf32>, tensor<64xi32>) -> tensor<64x8xf32>
// CHECK: boost.reduce_scatter {{.*}} -> tensor<64x4xf32>
// CHECK-NOT: boost.spread
func.func @rows(%table: tensor<2x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                %ids: tensor<64xi32> {boost.sharding = #boost.sharding<{}>})
    -> (tensor<64x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %h = boost.embedding %table, %ids {boost.spread = {tp = array<i64: 0, -1, -1>}}
      : (tensor<2x8xf32>, tensor<64xi32>) -> tensor<64x8xf32>
  return %h : tensor<64x8xf32>
}
