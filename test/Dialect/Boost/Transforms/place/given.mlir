// RUN: boost-opt %s -split-input-file -verify-diagnostics -boost-place="mesh=dp=2,tp=2 placement=given" | FileCheck %s
// The program's own cuts stay; an argument that says nothing is whole.

// CHECK: shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.reason = "as the program says", boost.sharding = #boost.sharding<{"tp"}, {"dp"}>, boost.tensor = #boost.tensor<{{param|batch}} "a"
// CHECK-SAME: boost.reason = "replicated", boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "x"
func.func @loss(%a: tensor<8x2xf32> {boost.sharding = #boost.sharding<{"tp"}, {"dp"}>, boost.tensor = #boost.tensor<param "a">},
                %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "x">}) -> tensor<4x2xf32> {
  %y = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// expected-error@+1 {{argument 0: dimension 1 of size 3 cannot be sharded into 2 equal parts over axis 'tp'; sizes that would do: 1, 3}}
func.func @loss(%x: tensor<4x3xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "x">}) -> tensor<4x3xf32> {
  return %x : tensor<4x3xf32>
}
