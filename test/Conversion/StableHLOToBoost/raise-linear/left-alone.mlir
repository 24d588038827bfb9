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

// CHECK-LABEL: func @vector
func.func @vector(%x: tensor<4x8xf32>, %w: tensor<8xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4xf32> {
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @outer_product
func.func @outer_product(%x: tensor<4xf32>, %w: tensor<6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x6xf32> {
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [] x [] : (tensor<4xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK-LABEL: func @middle_of_weight
func.func @middle_of_weight(%x: tensor<4x8xf32>, %w: tensor<2x8x6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x2x6xf32> {
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<2x8x6xf32>) -> tensor<4x2x6xf32>
  return %0 : tensor<4x2x6xf32>
}

// CHECK-LABEL: func @weight_in_other_order
func.func @weight_in_other_order(%x: tensor<4x2x3xf32>, %w: tensor<3x2x6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x6xf32> {
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1, 2] x [1, 0] : (tensor<4x2x3xf32>, tensor<3x2x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK-LABEL: func @integers
func.func @integers(%x: tensor<4x8xi32>, %f: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x6xi32> {
  // CHECK: stablehlo.dot_general
  %w = stablehlo.convert %f : (tensor<8x6xf32>) -> tensor<8x6xi32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xi32>, tensor<8x6xi32>) -> tensor<4x6xi32>
  return %0 : tensor<4x6xi32>
}

// CHECK-LABEL: func @wider_than_f32
func.func @wider_than_f32(%x: tensor<4x8xbf16>, %w: tensor<8x6xbf16> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x6xf64> {
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x6xbf16>) -> tensor<4x6xf64>
  return %0 : tensor<4x6xf64>
}
