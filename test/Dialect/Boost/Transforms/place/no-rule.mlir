// RUN: boost-opt %s --boost-place=mesh=tp=2 --verify-diagnostics --split-input-file | FileCheck %s
// A matrix that no rule shards is named; a table to look up, a vector, the batch
// and what a linear reads are not.

// CHECK: boost.reason = "replicated", boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "product"
// expected-remark@+3 {{'product' is replicated: nothing says how to shard it}}
// expected-note@+2 {{parameters are sharded that a linear or a bottleneck reads; others can be given a sharding}}
func.func @loss(%table: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "table">}, %w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "linear">},
                %p: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "product">},
                %v: tensor<8xf32> {boost.tensor = #boost.tensor<param "vector">}, %ids: tensor<4x2xi32> {boost.tensor = #boost.tensor<batch "ids">}) -> (tensor<4x2x8xf32>, tensor<8x8xf32>) {
  %0 = boost.embedding %table, %ids : (tensor<16x8xf32>, tensor<4x2xi32>) -> tensor<4x2x8xf32>
  %1 = boost.linear %0, %w : (tensor<4x2x8xf32>, tensor<8x8xf32>) -> tensor<4x2x8xf32>
  %2 = stablehlo.tanh %p : tensor<8x8xf32>
  return %1, %2 : tensor<4x2x8xf32>, tensor<8x8xf32>
}

// -----

// Of several layers the same is said.
// CHECK: param "layers.0.product"
// expected-remark@+6 {{'layers.*.product' is replicated: nothing says how to shard it}}
// expected-note@+5 {{parameters are sharded that}}
// expected-remark@+5 {{'layers.*.product' is replicated: nothing says how to shard it}}
// expected-note@+4 {{parameters are sharded that}}
// expected-remark@+4 {{'last.0' is replicated: nothing says how to shard it}}
// expected-note@+3 {{parameters are sharded that}}
func.func @loss(%a: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "layers.0.product">},
                  %b: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "layers.1.product">},
                  %c: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "last.0">}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.multiply %a, %b : tensor<8x8xf32>
  %1 = stablehlo.add %0, %c : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
