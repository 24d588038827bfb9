// RUN: boost-opt %s -boost-differentiate | FileCheck %s

// What computes gradients is spread along the loop of the operation: the product
// along the input width here, as x and the first factor are sharded; ids of rows,
// which only the table has.

// CHECK-LABEL: func @gradient
// CHECK:       boost.phase backward
// CHECK:       %[[DX:.*]] = boost.linear %{{.*}}, %arg1 transposed {boost.spread = {tp = array<i64: -1, 0, 1>}}
// CHECK:       stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0] x [0] {boost.spread = {tp = array<i64: 1, -1, 0>}} : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
// CHECK:       boost.embedding_grad %arg2, %[[DX]] {boost.spread = {tp = array<i64: -1, -1, 0>}}
func.func @loss(%table: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "table">},
    %down: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "down">},
    %ids: tensor<4xi32> {boost.tensor = #boost.tensor<batch "ids">}) -> tensor<f32> {
  %x = boost.embedding %table, %ids {boost.spread = {tp = array<i64: 0, -1, -1>}}
      : (tensor<16x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %h = boost.linear %x, %down {boost.spread = {tp = array<i64: 1, 0, -1>}}
      : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}
