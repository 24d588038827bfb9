// RUN: boost-opt %s --split-input-file -boost-place="mesh=tp=2 placement=megatron" | FileCheck %s
// RUN: boost-opt %s --split-input-file -boost-place="mesh=tp=2 placement=bottleneck" | FileCheck %s
// Products whose weights have a dimension for experts alternate as linears do: along
// the experts if the mesh divides their number, or else along their hidden dimension.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "up">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "down">
func.func @loss(%x: tensor<6x8xf32> {boost.tensor = #boost.tensor<param "x">},
                %up: tensor<4x8x16xf32> {boost.tensor = #boost.tensor<param "up">},
                %down: tensor<4x16x8xf32> {boost.tensor = #boost.tensor<param "down">},
                %i: tensor<6x8xf32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x6x8xf32> {
  %y = stablehlo.add %x, %i : tensor<6x8xf32>
  %h = stablehlo.dot_general %y, %up, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<4x8x16xf32>) -> tensor<6x4x16xf32>
  %t = stablehlo.tanh %h : tensor<6x4x16xf32>
  %o = stablehlo.dot_general %t, %down, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<6x4x16xf32>, tensor<4x16x8xf32>) -> tensor<4x6x8xf32>
  return %o : tensor<4x6x8xf32>
}

// -----

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<param "up">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}, {}>, boost.tensor = #boost.tensor<param "down">
func.func @loss(%x: tensor<6x8xf32> {boost.tensor = #boost.tensor<param "x">},
                %up: tensor<3x8x16xf32> {boost.tensor = #boost.tensor<param "up">},
                %down: tensor<3x16x8xf32> {boost.tensor = #boost.tensor<param "down">},
                %i: tensor<6x8xf32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<3x6x8xf32> {
  %y = stablehlo.add %x, %i : tensor<6x8xf32>
  %h = stablehlo.dot_general %y, %up, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<3x8x16xf32>) -> tensor<6x3x16xf32>
  %t = stablehlo.tanh %h : tensor<6x3x16xf32>
  %o = stablehlo.dot_general %t, %down, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<6x3x16xf32>, tensor<3x16x8xf32>) -> tensor<3x6x8xf32>
  return %o : tensor<3x6x8xf32>
}

// -----

// Tokens have been brought to places of experts: a rank computes those of its
// experts, not a part of all.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "up">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "down">
func.func @loss(%places: tensor<6x4x5xf32> {boost.tensor = #boost.tensor<batch "places">},
                %up: tensor<4x8x16xf32> {boost.tensor = #boost.tensor<param "up">},
                %down: tensor<4x16x8xf32> {boost.tensor = #boost.tensor<param "down">},
                %i: tensor<6x8xf32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x5x8xf32> {
  %y = stablehlo.dot_general %places, %i, contracting_dims = [0] x [0] : (tensor<6x4x5xf32>, tensor<6x8xf32>) -> tensor<4x5x8xf32>
  %h = stablehlo.dot_general %y, %up, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x5x8xf32>, tensor<4x8x16xf32>) -> tensor<4x5x16xf32>
  %t = stablehlo.tanh %h : tensor<4x5x16xf32>
  %o = stablehlo.dot_general %t, %down, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x5x16xf32>, tensor<4x16x8xf32>) -> tensor<4x5x8xf32>
  return %o : tensor<4x5x8xf32>
}

// -----

// Weights of experts are normed over these: the weight of one, and what it
// weighs, are on all ranks, and the next linear is column-parallel.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "router">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "next">
func.func @loss(%router: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "router">},
                %next: tensor<8x16xf32> {boost.tensor = #boost.tensor<param "next">},
                %i: tensor<6x8xf32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<6x16xf32> {
  %s = boost.linear %i, %router : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
  %one = stablehlo.slice %s [0:6, 0:1] : (tensor<6x4xf32>) -> tensor<6x1xf32>
  %b = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<6xf32>) -> tensor<6x8xf32>
  %c = stablehlo.broadcast_in_dim %one, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x8xf32>
  %x = stablehlo.multiply %i, %b : tensor<6x8xf32>
  %y = stablehlo.multiply %x, %c : tensor<6x8xf32>
  %n = boost.linear %y, %next : (tensor<6x8xf32>, tensor<8x16xf32>) -> tensor<6x16xf32>
  return %n : tensor<6x16xf32>
}
