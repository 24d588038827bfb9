// RUN: boost-opt %s --boost-propagate-shardings | FileCheck %s
// Cuts of the arguments reach everything between; what no one cuts stays open.

shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

// CHECK-LABEL: func @block
func.func @block(%x: tensor<4x8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {"tp"}>},
                 %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                 %b: tensor<16x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<4x8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {"tp"}>}) {
  // Nothing shards the rank.
  // CHECK: boost.linear {{.*}}boost.shardings = [#boost.sharding<{"dp"}, {}, {}>]
  %h = boost.linear %x, %a : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
  // CHECK: stablehlo.tanh {{.*}}boost.shardings = [#boost.sharding<{"dp"}, {}, {}>]
  %z = stablehlo.tanh %h : tensor<4x8x16xf32>
  // CHECK: boost.linear {{.*}}boost.shardings = [#boost.sharding<{"dp"}, {}, {"tp"}>]
  %y = boost.linear %z, %b : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
  return %y : tensor<4x8x64xf32>
}

// Heads are the significant part of the merged dimension.
// CHECK-LABEL: func @heads
func.func @heads(%x: tensor<4x8x64xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>})
    -> (tensor<4x4x8x16xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}) {
  // CHECK: stablehlo.reshape {{.*}}boost.shardings = [#boost.sharding<{}, {}, {"tp"}, {}>]
  %0 = stablehlo.reshape %x : (tensor<4x8x64xf32>) -> tensor<4x8x4x16xf32>
  // CHECK: stablehlo.transpose {{.*}}boost.shardings = [#boost.sharding<{}, {"tp"}, {}, {}>]
  %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : (tensor<4x8x4x16xf32>) -> tensor<4x4x8x16xf32>
  // What the caller gets is sharded as the caller wants it.
  // CHECK: stablehlo.tanh
  // CHECK-NOT: boost.shardings
  %2 = stablehlo.tanh %1 : tensor<4x4x8x16xf32>
  return %2 : tensor<4x4x8x16xf32>
}
