// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function positions | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function embedding_by_rows | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function attention | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function halves | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function loss | FileCheck %s --check-prefix=EQUAL
// Operations that know where a rank stands, or whose attributes speak of sizes.

// EQUAL: results equal

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// An iota along a sharded dimension begins where the rank's part does.
// CHECK-LABEL: func @positions
// CHECK: %[[I:.*]] = stablehlo.iota dim = 0 : tensor<8xf32>
// CHECK: boost.process_index
// CHECK: stablehlo.add %[[I]]
// CHECK-NOT: all_slice
func.func @positions(%x: tensor<16xf32> {boost.sharding = #boost.sharding<{"tp"}>})
    -> (tensor<16xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
  %0 = stablehlo.iota dim = 0 : tensor<16xf32>
  %1 = stablehlo.add %x, %0 : tensor<16xf32>
  return %1 : tensor<16xf32>
}

// Cut by rows, a rank looks up the ids it holds; the others contribute zero.
// CHECK-LABEL: func @embedding_by_rows
// CHECK: boost.process_index
// CHECK: %[[R:.*]] = boost.embedding {{.*}} : (tensor<16x8xf32>, tensor<4xi32>)
// CHECK: %[[S:.*]] = stablehlo.select {{.*}}, %[[R]],
// CHECK: boost.all_reduce sum %[[S]]
func.func @embedding_by_rows(%e: tensor<32x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "e">},
                             %ids: tensor<4xi32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<batch "ids">})
    -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  %0 = boost.embedding %e, %ids : (tensor<32x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A rank's one term of a sum is marked as such: there is nothing to add up.
// CHECK-LABEL: func @one_term
// CHECK: stablehlo.reduce({{.*}} across dimensions = [0] {boost.one_term{{.*}} (tensor<1x4xf32>, tensor<f32>)
// CHECK: boost.all_reduce
// CHECK: stablehlo.reduce({{.*}} across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>)
// CHECK: boost.all_reduce
func.func @one_term(%x: tensor<2x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}, %y: tensor<4x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Attention by heads, also where queries share keys, sends nothing.
// CHECK-LABEL: func @attention
// CHECK: boost.attention {{.*}} : (tensor<1x8x2x4xf32>, tensor<1x8x1x4xf32>, tensor<1x8x1x4xf32>)
// CHECK-NOT: {{all_|reduce_scatter}}
func.func @attention(%q: tensor<1x8x16xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<param "q">},
                     %k: tensor<1x8x8xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<param "k">})
    -> (tensor<1x8x16xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>}) {
  %0 = stablehlo.reshape %q : (tensor<1x8x16xf32>) -> tensor<1x8x4x4xf32>
  %1 = stablehlo.reshape %k : (tensor<1x8x8xf32>) -> tensor<1x8x2x4xf32>
  %o, %lse = boost.attention %0, %1, %1 causal {scale = 0.5 : f64}
      : (tensor<1x8x4x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>) -> (tensor<1x8x4x4xf32>, tensor<1x4x8xf32>)
  %2 = stablehlo.reshape %o : (tensor<1x8x4x4xf32>) -> tensor<1x8x16xf32>
  return %2 : tensor<1x8x16xf32>
}

// A slice keeps the dimensions it takes whole cut; its bounds become local.
// CHECK-LABEL: func @halves
// CHECK: stablehlo.slice %{{.*}} [0:8, 4:8] : (tensor<8x8xf32>) -> tensor<8x4xf32>
// CHECK-NOT: {{all_|reduce_scatter}}
func.func @halves(%x: tensor<16x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<16x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
  %0 = stablehlo.slice %x [0:16, 4:8] : (tensor<16x8xf32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// On a whole vocabulary the loss is the same StableHLO without collectives.
// CHECK-LABEL: func @loss
// CHECK-NOT: {{cross_entropy|all_reduce|process_index}}
// CHECK: return
func.func @loss(%l: tensor<4x32xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "l">},
                %y: tensor<4xi32> {boost.id_limit = 32 : i64, boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<batch "y">},
                %d: tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "d">})
    -> (tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>}, tensor<4x32xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
  %loss, %lse = boost.cross_entropy %l, %y : (tensor<4x32xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>)
  %dl = boost.cross_entropy_grad %l, %y, %lse, %d : tensor<4x32xf32>, tensor<4xi32>, tensor<4xf32>
  return %loss, %dl : tensor<4xf32>, tensor<4x32xf32>
}

// A table that no rule shards is there once, however it is taken apart.
// CHECK-LABEL: func @table
// CHECK: stablehlo.constant dense<{{.*}}> : tensor<2x2xf32>
// CHECK-NOT: stablehlo.constant dense<{{.*}}> : tensor<2x2xf32>
// CHECK: return
func.func @table(%x: tensor<2x2xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                 %y: tensor<2x2xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<2x2xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}, tensor<2x2xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.add %x, %0 : tensor<2x2xf32>
  %2 = stablehlo.add %y, %0 : tensor<2x2xf32>
  return %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>
}
