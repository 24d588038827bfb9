// RUN: boost-opt %s -boost-rematerialize=recompute=down-projection | FileCheck %s --check-prefix=DOWN
// RUN: boost-opt %s -boost-rematerialize=recompute=up-projection | FileCheck %s --check-prefix=UP
// RUN: boost-opt %s -boost-rematerialize=recompute=down-projection,up-projection | FileCheck %s --check-prefix=BOTH
// A product with fewer elements than the activations that it is made of is a
// down-projection. One with as many, or more, is an up-projection.

// What the backward pass keeps: %x1 of 128 bytes and the product, or %x1 alone.
// DOWN-LABEL: func.func @narrower
// DOWN-SAME:    boost.kept_bytes = array<i64: 0, 128>
// UP-LABEL:   func.func @narrower
// UP-SAME:      boost.kept_bytes = array<i64: 0, 192>
func.func @narrower(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> (tensor<4x8xf32>, tensor<4x4xf32>) {
  %x1 = stablehlo.optimization_barrier %x : tensor<4x8xf32>
  %y = boost.linear %x1, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  boost.phase backward
  %0 = stablehlo.multiply %x1, %x1 : tensor<4x8xf32>
  %1 = stablehlo.multiply %y, %y : tensor<4x4xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x4xf32>
}

// DOWN-LABEL: func.func @square
// DOWN-SAME:    boost.kept_bytes = array<i64: 0, 256>
// UP-LABEL:   func.func @square
// UP-SAME:      boost.kept_bytes = array<i64: 0, 128>
func.func @square(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %x1 = stablehlo.optimization_barrier %x : tensor<4x8xf32>
  %y = boost.linear %x1, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  boost.phase backward
  %0 = stablehlo.multiply %x1, %x1 : tensor<4x8xf32>
  %1 = stablehlo.multiply %y, %y : tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// DOWN-LABEL: func.func @wider
// DOWN-SAME:    boost.kept_bytes = array<i64: 0, 384>
// UP-LABEL:   func.func @wider
// UP-SAME:      boost.kept_bytes = array<i64: 0, 128>
func.func @wider(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> (tensor<4x8xf32>, tensor<4x16xf32>) {
  %x1 = stablehlo.optimization_barrier %x : tensor<4x8xf32>
  %y = boost.linear %x1, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  boost.phase backward
  %0 = stablehlo.multiply %x1, %x1 : tensor<4x8xf32>
  %1 = stablehlo.multiply %y, %y : tensor<4x16xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x16xf32>
}

// Only what is read has to be there: the last product of 32 bytes, not what it is made of.
// BOTH-LABEL: func.func @smallest_is_read
// BOTH-SAME:    boost.kept_bytes = array<i64: 0, 32>
func.func @smallest_is_read(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %v: tensor<16x2xf32>) -> tensor<4x2xf32> {
  %x1 = stablehlo.optimization_barrier %x : tensor<4x8xf32>
  %y = boost.linear %x1, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %z = boost.linear %y, %v : (tensor<4x16xf32>, tensor<16x2xf32>) -> tensor<4x2xf32>
  boost.phase backward
  %0 = stablehlo.multiply %z, %z : tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Where the intermediate product is read too, its source is what both are made of.
// BOTH-LABEL: func.func @intermediate_is_read
// BOTH-SAME:    boost.kept_bytes = array<i64: 0, 128>
func.func @intermediate_is_read(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %v: tensor<16x2xf32>) -> (tensor<4x16xf32>, tensor<4x2xf32>) {
  %x1 = stablehlo.optimization_barrier %x : tensor<4x8xf32>
  %y = boost.linear %x1, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %z = boost.linear %y, %v : (tensor<4x16xf32>, tensor<16x2xf32>) -> tensor<4x2xf32>
  boost.phase backward
  %0 = stablehlo.multiply %y, %y : tensor<4x16xf32>
  %1 = stablehlo.multiply %z, %z : tensor<4x2xf32>
  return %0, %1 : tensor<4x16xf32>, tensor<4x2xf32>
}
