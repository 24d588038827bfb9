// RUN: boost-opt %s -boost-find-layers | FileCheck %s
// Two blocks of a residual stream: what reads a parameter stacked over layers
// goes with its block, the embedding and the head are outside.

// CHECK-LABEL: func @loss
// CHECK: boost.embedding
// CHECK-NOT: boost.layer
// CHECK: %[[A0:.*]] = stablehlo.slice %{{.*}} [0:1, 0:8, 0:8] {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK: %[[A1:.*]] = stablehlo.slice %{{.*}} [1:2, 0:8, 0:8] {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK: stablehlo.add %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK: stablehlo.add %{{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK-NOT: boost.layer
// CHECK: boost.linear
// CHECK-NOT: boost.layer
// CHECK: return
func.func @loss(%ids: tensor<4xi32>, %table: tensor<16x8xf32>,
                %a: tensor<2x8x8xf32>, %head: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %x0 = boost.embedding %table, %ids : (tensor<16x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %s0 = stablehlo.slice %a [0:1, 0:8, 0:8] : (tensor<2x8x8xf32>) -> tensor<1x8x8xf32>
  %a0 = stablehlo.reshape %s0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
  %s1 = stablehlo.slice %a [1:2, 0:8, 0:8] : (tensor<2x8x8xf32>) -> tensor<1x8x8xf32>
  %a1 = stablehlo.reshape %s1 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
  %h0 = boost.linear %x0, %a0 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t0 = stablehlo.tanh %h0 : tensor<4x8xf32>
  %x1 = stablehlo.add %x0, %t0 : tensor<4x8xf32>
  %h1 = boost.linear %x1, %a1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t1 = stablehlo.tanh %h1 : tensor<4x8xf32>
  %x2 = stablehlo.add %x1, %t1 : tensor<4x8xf32>
  %y = boost.linear %x2, %head : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}
