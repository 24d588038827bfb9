// RUN: boost-opt %s -split-input-file -verify-diagnostics -boost-place="mesh=data=2,model=2,extra=1 placement=given" | FileCheck %s
// RUN: not boost-opt %s -split-input-file -boost-place="mesh=data=2,model=2,extra=1" 2>&1 | FileCheck %s --check-prefix=RULES
// A mesh may have any axes. The rules of placement know two of them; over others
// a program is sharded as it says itself.

// RULES: error: expects a placement that shards an argument over axis 'data, model', but none is
// RULES: note: the rules know the axes 'dp' and 'tp'; for others give arguments a 'boost.sharding', with --placement=given

// CHECK: shard.grid @mesh(shape = 2x2x1) {boost.axes = ["data", "model", "extra"]}
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{"model"}, {}>, boost.tensor = #boost.tensor<param "w">
// CHECK-SAME: boost.sharding = #boost.sharding<{"data"}, {"model"}>, boost.tensor = #boost.tensor<batch "x">
func.func @loss(%w: tensor<8x2xf32> {boost.sharding = #boost.sharding<{"model", "extra"}, {}>, boost.tensor = #boost.tensor<param "w">},
                %x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"data"}, {"model"}>, boost.tensor = #boost.tensor<batch "x">})
    -> tensor<4x2xf32> {
  %y = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
