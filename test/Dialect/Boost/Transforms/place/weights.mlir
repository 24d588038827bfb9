// RUN: boost-opt %s --split-input-file --boost-place="mesh=tp=2 placement=megatron" --verify-diagnostics | FileCheck %s

// Shardings of a computed weight go to the parameters that have its dimensions.

// CHECK-LABEL: func @loss
// CHECK-SAME: %[[X:arg0]]
// CHECK-SAME: %arg1: {{[^%]*}}linear with a replicated input: column-parallel{{[^%]*}}boost.sharding = #boost.sharding<{}, {"tp"}>
// CHECK-SAME: %arg2: {{[^%]*}}linear with a replicated input: column-parallel{{[^%]*}}boost.sharding = #boost.sharding<{"tp"}>
// CHECK-SAME: %arg3: {{[^%]*}}every rank computes its shard of a weight from all of it{{[^%]*}}boost.sharding = #boost.sharding<{}, {}>
// CHECK-SAME: %arg4: {{[^%]*}}linear with a replicated input: column-parallel{{[^%]*}}boost.sharding = #boost.sharding<{}, {"tp"}>
func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
                %w: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "w">},
                %s: tensor<6xf32> {boost.tensor = #boost.tensor<param "s">},
                %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">},
                %b: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "b">})
    -> (tensor<4x6xf32> {boost.tensor = #boost.tensor<output "y">}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.add %w, %0 : tensor<8x6xf32>
  %2 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<6xf32>) -> tensor<8x6xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8x6xf32>
  %y = boost.linear %x, %3 : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// A parameter whose columns are not those of the weight is sharded by rows.

// CHECK-LABEL: func @loss
// CHECK-SAME: a weight is put together of it along the dimension that is sharded: sharded along another one, and exchanged{{[^%]*}}boost.sharding = #boost.sharding<{"tp"}, {}>
func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
                %w: tensor<8x7xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4x8xf32> {boost.tensor = #boost.tensor<output "y">}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %w, %zero, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<8x7xf32>, tensor<f32>) -> tensor<8x8xf32>
  %y = boost.linear %x, %0 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Parameters behind a weight have to divide as those that are read directly.

func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
                // expected-error @+2 {{expects a linear output width that tp = 2 divides, but got 9 in 'w'}}
                // expected-note @+1 {{tp = 1, 3 or 9 would do, or a linear output width of 8 or 10}}
                %w: tensor<8x9xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4x9xf32> {boost.tensor = #boost.tensor<output "y">}) {
  %0 = stablehlo.tanh %w : tensor<8x9xf32>
  %y = boost.linear %x, %0 : (tensor<4x8xf32>, tensor<8x9xf32>) -> tensor<4x9xf32>
  return %y : tensor<4x9xf32>
}
