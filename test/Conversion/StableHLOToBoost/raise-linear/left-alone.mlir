// RUN: boost-opt %s -boost-raise-linear | FileCheck %s --implicit-check-not=boost.linear
// Products without a weight, of two weights, or over other dimensions stay.

// CHECK-LABEL: func @activations
func.func @activations(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %y: tensor<8x6xf32> {boost.tensor = #boost.tensor<batch "y">}) -> tensor<4x6xf32> {
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK-LABEL: func @weights
func.func @weights(%a: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<4x6xf32> {
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK-LABEL: func @batched
func.func @batched(%x: tensor<2x4x8xf32>, %w: tensor<2x8x6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<2x4x6xf32> {
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  return %0 : tensor<2x4x6xf32>
}

// CHECK-LABEL: func @first_dimension
func.func @first_dimension(%x: tensor<8x4xf32>, %w: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x6xf32> {
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
