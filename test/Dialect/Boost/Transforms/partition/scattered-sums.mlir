// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function added | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function weighed | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function read_before | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function scaled_in_shards | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function scores_of_gathered | FileCheck %s --check-prefix=EQUAL
// Partial sums that are wanted in shards are added before they are scattered.

// EQUAL: results equal

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// CHECK-LABEL: func @added
// CHECK: %[[P:.*]] = boost.linear
// CHECK: %[[Q:.*]] = boost.linear
// CHECK: %[[S:.*]] = stablehlo.add %[[P]], %[[Q]] : tensor<8x16xf32>
// CHECK: boost.reduce_scatter sum %[[S]] dims = [1]
// CHECK-NOT: scatter
func.func @added(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                 %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                 %b: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = boost.linear %x, %b : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// What each row is weighed by is repeated along the sharded dimension: there is
// as much of it as a rank needs.
// CHECK-LABEL: func @weighed
// CHECK-DAG: %[[P:.*]] = boost.linear %{{.*}}, %[[A:arg1]]
// CHECK-DAG: %[[G:.*]] = stablehlo.broadcast_in_dim %[[GA:arg3]]{{.*}} -> tensor<8x16xf32>
// CHECK-DAG: %[[WP:.*]] = stablehlo.multiply %[[P]], %[[G]] : tensor<8x16xf32>
// CHECK-DAG: %[[Q:.*]] = boost.linear %{{.*}}, %[[B:arg2]]
// CHECK-DAG: %[[H:.*]] = stablehlo.broadcast_in_dim %[[HA:arg4]]{{.*}} -> tensor<8x16xf32>
// CHECK-DAG: %[[WQ:.*]] = stablehlo.multiply %[[Q]], %[[H]] : tensor<8x16xf32>
// CHECK: %[[S:.*]] = stablehlo.add %[[WP]], %[[WQ]] : tensor<8x16xf32>
// CHECK: boost.reduce_scatter sum %[[S]] dims = [1]
// CHECK-NOT: scatter
func.func @weighed(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                   %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                   %b: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                   %g: tensor<8xf32> {boost.sharding = #boost.sharding<{}>},
                   %h: tensor<8xf32> {boost.sharding = #boost.sharding<{}>})
    -> (tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.broadcast_in_dim %g, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<8x16xf32>
  %3 = boost.linear %x, %b : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %4 = stablehlo.broadcast_in_dim %h, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %5 = stablehlo.multiply %3, %4 : tensor<8x16xf32>
  %6 = stablehlo.add %2, %5 : tensor<8x16xf32>
  return %6 : tensor<8x16xf32>
}

// One of the sums is needed before: it is scattered, and shards are added.
// CHECK-LABEL: func @read_before
// CHECK-COUNT-2: boost.reduce_scatter
// CHECK: stablehlo.add {{.*}} : tensor<8x8xf32>
func.func @read_before(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                       %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                       %b: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
        tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = boost.linear %x, %b : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.tanh %0 : tensor<8x16xf32>
  %3 = stablehlo.add %0, %1 : tensor<8x16xf32>
  return %2, %3 : tensor<8x16xf32>, tensor<8x16xf32>
}

// The factors are stored in shards, which nobody gathers: terms are scattered.
// CHECK-LABEL: func @scaled_in_shards
// CHECK-COUNT-2: boost.reduce_scatter
// CHECK: stablehlo.add {{.*}} : tensor<8x8xf32>
// CHECK-NOT: gather
func.func @scaled_in_shards(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                            %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                            %b: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                            %g: tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                            %h: tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = boost.linear %x, %b : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.multiply %0, %g : tensor<8x16xf32>
  %3 = stablehlo.multiply %1, %h : tensor<8x16xf32>
  %4 = stablehlo.add %2, %3 : tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}

// The factor is gathered for a product: with the whole of it, ranks reduce
// their terms to a number for each row before these are added up.
// CHECK-LABEL: func @scores_of_gathered
// CHECK: %[[P:.*]] = boost.linear %{{.*}}, %arg1
// CHECK: %[[D:.*]] = boost.all_gather %arg3
// CHECK: %[[M:.*]] = stablehlo.multiply %[[P]], %[[D]] : tensor<8x16xf32>
// CHECK: %[[R:.*]] = stablehlo.reduce(%[[M]]
// CHECK: boost.all_reduce sum %[[R]] {{.*}} : tensor<8xf32>
// CHECK-NOT: scatter
func.func @scores_of_gathered(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                              %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                              %b: tensor<16x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                              %d: tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<8xf32> {boost.sharding = #boost.sharding<{}>},
        tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.multiply %0, %d : tensor<8x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = stablehlo.tanh %2 : tensor<8xf32>
  %4 = boost.linear %d, %b : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  return %3, %4 : tensor<8xf32>, tensor<8x64xf32>
}
