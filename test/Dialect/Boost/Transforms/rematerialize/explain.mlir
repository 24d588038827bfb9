// RUN: boost-opt %s -boost-rematerialize=explain -verify-diagnostics -o /dev/null
// RUN: boost-opt %s -boost-rematerialize="recompute=up-projection explain" 2>&1 -o /dev/null | FileCheck %s --check-prefix=PRODUCTS
// RUN: boost-opt %s -boost-rematerialize="layers=0 others=elementwise,up-projection explain" 2>&1 -o /dev/null | FileCheck %s --check-prefix=OTHERS
// RUN: boost-opt %s -boost-rematerialize="recompute=elementwise,up-projection layers=0 explain" -verify-diagnostics -o /dev/null
// Of every value that is kept, which layer keeps it. Each of two layers adds a wide product, made narrow, to what it is
// given. What stands before and behind the layers is outside of them.

// What a layer is given is fewer bytes than the product.
// PRODUCTS:      outside the layers, keeps 80 bytes for the backward pass: 'tensor<4x5xf32>' of 'stablehlo.optimization_barrier'
// PRODUCTS:      layer 1 keeps 64 bytes for the backward pass: 'tensor<4x4xf32>' of 'stablehlo.optimization_barrier'
// PRODUCTS:      layer 2 keeps 64 bytes for the backward pass: 'tensor<4x4xf32>' of 'stablehlo.add'
// PRODUCTS:      outside the layers, keeps 96 bytes for the backward pass: 'tensor<4x6xf32>' of 'boost.linear'
// PRODUCTS-NOT:  remark:
// OTHERS:        outside the layers, keeps 80 bytes for the backward pass: 'tensor<4x5xf32>' of 'stablehlo.optimization_barrier'
// OTHERS:        layer 1 keeps 64 bytes for the backward pass: 'tensor<4x4xf32>' of 'stablehlo.optimization_barrier'
// OTHERS:        layer 2 keeps 64 bytes for the backward pass: 'tensor<4x4xf32>' of 'stablehlo.add'
// OTHERS:        outside the layers, keeps 96 bytes for the backward pass: 'tensor<4x6xf32>' of 'boost.linear'
// OTHERS-NOT:    remark:
func.func @layers(%u: tensor<4x5xf32>, %x: tensor<4x4xf32>, %w: tensor<4x8xf32>, %d: tensor<8x4xf32>, %h: tensor<4x6xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x5xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  // expected-remark @+1 {{outside the layers, keeps 80 bytes for the backward pass: 'tensor<4x5xf32>' of 'stablehlo.optimization_barrier'}}
  %c = stablehlo.optimization_barrier %u : tensor<4x5xf32>
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  // expected-remark @+1 {{layer 1 keeps 128 bytes for the backward pass: 'tensor<4x8xf32>' of 'boost.linear'}}
  %a = boost.linear %0, %w {boost.layer = #boost.layer<class = 0, index = 0>} : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %n = boost.linear %a, %d {boost.layer = #boost.layer<class = 0, index = 0>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %s = stablehlo.add %0, %n {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  // expected-remark @+1 {{layer 2 keeps 128 bytes for the backward pass: 'tensor<4x8xf32>' of 'boost.linear'}}
  %b = boost.linear %s, %w {boost.layer = #boost.layer<class = 0, index = 1>} : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = boost.linear %b, %d {boost.layer = #boost.layer<class = 0, index = 1>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %t = stablehlo.add %s, %m {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x4xf32>
  // expected-remark @+1 {{outside the layers, keeps 96 bytes for the backward pass: 'tensor<4x6xf32>' of 'boost.linear'}}
  %y = boost.linear %t, %h : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  boost.phase backward
  %2 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  %4 = stablehlo.multiply %c, %c : tensor<4x5xf32>
  %5 = stablehlo.multiply %y, %y : tensor<4x6xf32>
  return %2, %3, %4, %5, %y : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x5xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}
