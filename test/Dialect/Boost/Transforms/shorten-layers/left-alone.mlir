// RUN: boost-opt %s -split-input-file -boost-shorten-layers="repetitions=2" | FileCheck %s --implicit-check-not=boost.repetitions

// Two repetitions are kept anyway.
// CHECK-LABEL: func @two(
// CHECK-COUNT-2: boost.linear
func.func @two(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x1 = boost.linear %x, %a {boost.layer = #boost.layer<class = 0, index = 0>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x2 = boost.linear %x1, %b {boost.layer = #boost.layer<class = 0, index = 1>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %x2 : tensor<4x8xf32>
}

// -----

// Layers without a layer before them that is like them.
// CHECK-LABEL: func @different(
// CHECK-COUNT-3: boost.linear
func.func @different(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x1 = boost.linear %x, %a {boost.layer = #boost.layer<class = 0, index = 0>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x2 = boost.linear %x1, %a {boost.layer = #boost.layer<class = 1, index = 1>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x3 = boost.linear %x2, %a {boost.layer = #boost.layer<class = 2, index = 2>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %x3 : tensor<4x8xf32>
}

// -----

// The last layer has an operation more, of which no other layer has the like.
// CHECK-LABEL: func @unlike(
// CHECK-COUNT-3: boost.linear
func.func @unlike(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %x1 = boost.linear %x, %a {boost.layer = #boost.layer<class = 0, index = 0>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x2 = boost.linear %x1, %a {boost.layer = #boost.layer<class = 0, index = 1>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x3 = boost.linear %x2, %a {boost.layer = #boost.layer<class = 0, index = 2>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %y = stablehlo.tanh %x3 {boost.layer = #boost.layer<class = 0, index = 2>} : tensor<4x8xf32>
  return %x3, %y : tensor<4x8xf32>, tensor<4x8xf32>
}
