// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// On one rank nothing is sharded and nothing is sent, whatever the arguments say.

shard.grid @mesh(shape = 1x1) {boost.axes = ["dp", "tp"]}

// CHECK-LABEL: func @one_rank
// CHECK-SAME: tensor<4x8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {"tp"}>}
// CHECK-NOT: all_reduce
// CHECK: boost.linear {{.*}} -> tensor<4x8x16xf32>
// CHECK-NEXT: return
func.func @one_rank(%x: tensor<4x8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {"tp"}>},
                    %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<4x8x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {}>}) {
  %h = boost.linear %x, %a : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
  return %h : tensor<4x8x16xf32>
}
