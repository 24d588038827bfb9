// RUN: boost-opt %s -boost-build-step | FileCheck %s
// RUN: boost-opt %s -boost-build-step -boost-shard-optimizer-state=zero=1 | FileCheck %s --check-prefix=ZERO
// A state of several parameters is sharded like them if they have its shape and
// one sharding, and replicated otherwise. ZeRO-1 shards both.

// CHECK-LABEL: func @step
// CHECK-SAME:    tensor<4x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<state "same", kind = "same", of = ["a", "b"]>}
// CHECK-SAME:    tensor<4x4xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<state "other", kind = "other", of = ["a", "c"]>}
// CHECK-SAME:    tensor<3xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<state "three", kind = "three", of = ["a", "b", "c"]>}

// ZERO-LABEL: func @step
// ZERO-SAME:    {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>, boost.tensor = #boost.tensor<state "same"
// ZERO-SAME:    {boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<state "other"
// ZERO-SAME:    {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<state "three"
#a = #boost.tensor<param "a">
#b = #boost.tensor<param "b">
#c = #boost.tensor<param "c">
#da = #boost.tensor<gradient "grad.a", of = "a">
#db = #boost.tensor<gradient "grad.b", of = "b">
#dc = #boost.tensor<gradient "grad.c", of = "c">
#rows = #boost.sharding<{"tp"}, {}>
#columns = #boost.sharding<{}, {"tp"}>
shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
func.func @gradient(
    %a: tensor<4x4xf32> {boost.sharding = #rows, boost.tensor = #a},
    %b: tensor<4x4xf32> {boost.sharding = #rows, boost.tensor = #b},
    %c: tensor<4x4xf32> {boost.sharding = #columns, boost.tensor = #c},
    %l: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<batch "l">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4x4xf32> {boost.tensor = #da},
        tensor<4x4xf32> {boost.tensor = #db}, tensor<4x4xf32> {boost.tensor = #dc}) {
  return %l, %a, %b, %c : tensor<f32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
func.func @update(
    %a: tensor<4x4xf32> {boost.tensor = #a}, %b: tensor<4x4xf32> {boost.tensor = #b}, %c: tensor<4x4xf32> {boost.tensor = #c},
    %same: tensor<4x4xf32> {boost.tensor = #boost.tensor<state "same", kind = "same", of = ["a", "b"]>},
    %other: tensor<4x4xf32> {boost.tensor = #boost.tensor<state "other", kind = "other", of = ["a", "c"]>},
    %three: tensor<3xf32> {boost.tensor = #boost.tensor<state "three", kind = "three", of = ["a", "b", "c"]>},
    %da: tensor<4x4xf32> {boost.tensor = #da})
    -> (tensor<4x4xf32> {boost.tensor = #a}, tensor<4x4xf32> {boost.tensor = #b}, tensor<4x4xf32> {boost.tensor = #c},
        tensor<4x4xf32> {boost.tensor = #boost.tensor<state "same", kind = "same", of = ["a", "b"]>},
        tensor<4x4xf32> {boost.tensor = #boost.tensor<state "other", kind = "other", of = ["a", "c"]>},
        tensor<3xf32> {boost.tensor = #boost.tensor<state "three", kind = "three", of = ["a", "b", "c"]>}) {
  %0 = stablehlo.subtract %a, %da : tensor<4x4xf32>
  return %0, %b, %c, %same, %other, %three : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<3xf32>
}
