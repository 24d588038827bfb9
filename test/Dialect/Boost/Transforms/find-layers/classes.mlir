// RUN: boost-opt %s -split-input-file -boost-find-layers | FileCheck %s
// Layers that alternate between two kinds, and one odd layer, are layers of
// several classes.

// CHECK-LABEL: func @alternating
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK: stablehlo.logistic %{{.*}} {boost.layer = #boost.layer<class = 1, index = 1>}
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 2>}
// CHECK: stablehlo.logistic %{{.*}} {boost.layer = #boost.layer<class = 1, index = 3>}
func.func @alternating(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %h0 = boost.linear %x0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t0 = stablehlo.tanh %h0 : tensor<4x8xf32>
  %x1 = stablehlo.add %x0, %t0 : tensor<4x8xf32>
  %h1 = boost.linear %x1, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t1 = stablehlo.logistic %h1 : tensor<4x8xf32>
  %x2 = stablehlo.add %x1, %t1 : tensor<4x8xf32>
  %h2 = boost.linear %x2, %b : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t2 = stablehlo.tanh %h2 : tensor<4x8xf32>
  %x3 = stablehlo.add %x2, %t2 : tensor<4x8xf32>
  %h3 = boost.linear %x3, %b : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t3 = stablehlo.logistic %h3 : tensor<4x8xf32>
  %x4 = stablehlo.add %x3, %t3 : tensor<4x8xf32>
  return %x4 : tensor<4x8xf32>
}

// -----

// The second of three layers has a product more.
// CHECK-LABEL: func @odd
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK: stablehlo.logistic %{{.*}} {boost.layer = #boost.layer<class = 1, index = 1>}
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 2>}
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 3>}
func.func @odd(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %h0 = boost.linear %x0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t0 = stablehlo.tanh %h0 : tensor<4x8xf32>
  %x1 = stablehlo.add %x0, %t0 : tensor<4x8xf32>
  %h1 = boost.linear %x1, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t1 = stablehlo.logistic %h1 : tensor<4x8xf32>
  %g1 = boost.linear %t1, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x2 = stablehlo.add %x1, %g1 : tensor<4x8xf32>
  %h2 = boost.linear %x2, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t2 = stablehlo.tanh %h2 : tensor<4x8xf32>
  %x3 = stablehlo.add %x2, %t2 : tensor<4x8xf32>
  %h3 = boost.linear %x3, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t3 = stablehlo.tanh %h3 : tensor<4x8xf32>
  %x4 = stablehlo.add %x3, %t3 : tensor<4x8xf32>
  return %x4 : tensor<4x8xf32>
}

// -----

// Constants are part of what a layer computes.
// CHECK-LABEL: func @constants
// CHECK: stablehlo.multiply %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK: stablehlo.multiply %{{.*}} {boost.layer = #boost.layer<class = 1, index = 1>}
func.func @constants(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %c0 = stablehlo.constant dense<0.5> : tensor<f32>
  %c1 = stablehlo.constant dense<0.25> : tensor<f32>
  %b0 = stablehlo.broadcast_in_dim %c0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %b1 = stablehlo.broadcast_in_dim %c1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %h0 = boost.linear %x0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t0 = stablehlo.multiply %h0, %b0 : tensor<4x8xf32>
  %x1 = stablehlo.add %x0, %t0 : tensor<4x8xf32>
  %h1 = boost.linear %x1, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t1 = stablehlo.multiply %h1, %b1 : tensor<4x8xf32>
  %x2 = stablehlo.add %x1, %t1 : tensor<4x8xf32>
  return %x2 : tensor<4x8xf32>
}
