// RUN: boost-opt %s | boost-opt | FileCheck %s

// CHECK: shard.grid @mesh(shape = 2x4x1) {boost.axes = ["data", "model", "extra"]}
shard.grid @mesh(shape = 2x4x1) {boost.axes = ["data", "model", "extra"]}

// The order of axes is part of the sharding.
// CHECK-LABEL: func @f
// CHECK-SAME: tensor<f32> {boost.sharding = #boost.sharding<>}
// CHECK-SAME: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"data", "model"}, {}>}
// CHECK-SAME: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"model", "data"}, {"extra"}>}
// CHECK-SAME: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"model"}, {}, partial = max {"data", "extra"}>}
// CHECK-SAME: -> (tensor<f32> {boost.sharding = #boost.sharding<partial = sum {"data"}>})
func.func @f(%a: tensor<f32> {boost.sharding = #boost.sharding<>},
             %b: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"data", "model"}, {}>},
             %c: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"model", "data"}, {"extra"}>},
             %d: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"model"}, {}, partial = max {"data", "extra"}>})
    -> (tensor<f32> {boost.sharding = #boost.sharding<partial = sum {"data"}>}) {
  // CHECK: stablehlo.negate %{{.*}} {boost.shardings = [#boost.sharding<{"data"}, {}>]}
  %0 = stablehlo.negate %b {boost.shardings = [#boost.sharding<{"data"}, {}>]} : tensor<8x4xf32>
  // CHECK: boost.probe %{{.*}} as "x" site 0 sharding <{"data"}, {}, partial = min {"model"}>
  boost.probe %0 as "x" site 0 sharding <{"data"}, {}, partial = min {"model"}> : tensor<8x4xf32>
  return %a : tensor<f32>
}
