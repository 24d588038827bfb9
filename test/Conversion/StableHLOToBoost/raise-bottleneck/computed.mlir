// RUN: boost-opt %s -boost-raise-bottleneck | FileCheck %s
// RUN: boost-opt %s -boost-raise-bottleneck -o %t.values && boost-eval --compare --every-function %s %t.values
// What computes a weight moves before the first reader of the latent.

// CHECK-LABEL: func @later_sum
func.func @later_sum(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
                     %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">},
                     %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "b">},
                     %s: tensor<8xf32> {boost.tensor = #boost.tensor<param "s">},
                     %c: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "c">},
                     %d: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "d">})
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK: %[[S:.*]] = stablehlo.broadcast_in_dim %arg3
  // CHECK: %[[B:.*]] = stablehlo.multiply %arg2, %[[S]]
  // CHECK: %[[Y:.*]], %[[H:.*]] = boost.bottleneck %arg0 down(%arg1) up(%[[B]])
  // CHECK: boost.bottleneck %arg0 down(%arg4) up(%arg5) latent(%[[H]])
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %k = boost.linear %x, %c : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = stablehlo.add %k, %h : tensor<4x2xf32>
  %0 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<8xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.multiply %b, %0 : tensor<2x8xf32>
  %y = boost.linear %h, %1 : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %u = boost.linear %z, %d : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  return %y, %u : tensor<4x8xf32>, tensor<4x8xf32>
}
