// RUN: boost-opt %s -split-input-file -boost-shard-optimizer-state="zero=1" | FileCheck %s

// Pipeline stages divide rows that are read one by one; others are sharded along
// their first dimension, as all are without `pp`.

// CHECK-LABEL: func @with_stages
// CHECK-SAME: %arg2: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"dp"}>
// CHECK-SAME: %arg3: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>
shard.grid @mesh(shape = 2x2) {boost.axes = ["pp", "dp"]}
func.func @with_stages(
    %w: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "w">},
    %v: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "v">},
    %m: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<state "m.w", kind = "m", of = "w">},
    %n: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<state "m.v", kind = "m", of = "v">})
    -> (tensor<1x8xf32> {boost.tensor = #boost.tensor<output "x">},
        tensor<4x4xf32> {boost.tensor = #boost.tensor<output "y">}) {
  %0 = stablehlo.slice %w [1:2, 0:8] : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %1 = stablehlo.slice %v [0:4, 0:4] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<1x8xf32>, tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func @without
// CHECK-SAME: %arg1: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>
shard.grid @mesh(shape = 2) {boost.axes = ["dp"]}
func.func @without(
    %w: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "w">},
    %m: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<state "m.w", kind = "m", of = "w">})
    -> (tensor<1x8xf32> {boost.tensor = #boost.tensor<output "x">}) {
  %0 = stablehlo.slice %w [1:2, 0:8] : (tensor<4x8xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}
