// RUN: boost-opt %s --boost-place=mesh=tp=2 --verify-diagnostics | FileCheck %s
// A matrix that no rule cuts is named; a table to look up, a vector, the batch
// and what a linear reads are not.

// CHECK: boost.name = "product", boost.reason = "whole on every rank"
// expected-remark@+3 {{'product' is whole on every rank: nothing says how to cut it}}
// expected-note@+2 {{parameters are cut that a linear or a bottleneck reads; others can be given a sharding}}
func.func @loss(%table: tensor<16x8xf32> {boost.arg = "param", boost.name = "table"}, %w: tensor<8x8xf32> {boost.arg = "param", boost.name = "linear"},
                %p: tensor<8x8xf32> {boost.arg = "param", boost.name = "product"},
                %v: tensor<8xf32> {boost.arg = "param", boost.name = "vector"}, %ids: tensor<4x2xi32> {boost.arg = "batch", boost.name = "ids"}) -> (tensor<4x2x8xf32>, tensor<8x8xf32>) {
  %0 = boost.embedding %table, %ids : (tensor<16x8xf32>, tensor<4x2xi32>) -> tensor<4x2x8xf32>
  %1 = boost.linear %0, %w : (tensor<4x2x8xf32>, tensor<8x8xf32>) -> tensor<4x2x8xf32>
  %2 = stablehlo.tanh %p : tensor<8x8xf32>
  return %1, %2 : tensor<4x2x8xf32>, tensor<8x8xf32>
}
