// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function step | FileCheck %s --check-prefix=EQUAL
// What a function returns is not sharded further than its caller wants.

// EQUAL: results equal

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// A gradient in shards updates a parameter that all ranks hold: it is gathered,
// not the parameter and its two moments.
// CHECK-LABEL: func @step
// CHECK: %[[G:.*]] = boost.all_gather %arg3 dims = [1]
// CHECK: boost.adamw %arg0, %arg1, %{{.*}}, %[[G]]
// CHECK-NOT: gather
// CHECK: return
func.func @step(%p: tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>},
                %m: tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>},
                %v: tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>},
                %g: tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                %s: tensor<f32> {boost.sharding = #boost.sharding<>})
    -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>},
        tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>},
        tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  boost.phase optimizer
  %v2 = stablehlo.multiply %v, %v : tensor<8x4xf32>
  %p1, %m1, %v1 = boost.adamw %p, %m, %v2, %g lr %s step %s scale %s
      betas %s, %s shares %s, %s eps %s, %s decay %s {decays}
      : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  return %p1, %m1, %v1 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
