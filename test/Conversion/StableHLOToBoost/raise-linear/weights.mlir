// RUN: boost-opt %s -boost-raise-linear | FileCheck %s
// RUN: boost-opt %s -boost-raise-linear -o %t.values && boost-eval --compare --every-function %s %t.values
// A weight may be computed from parameters.

// CHECK-LABEL: func @scaled
func.func @scaled(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %w: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "w">}, %s: tensor<6xf32> {boost.tensor = #boost.tensor<param "s">}) -> tensor<4x6xf32> {
  // CHECK: %[[W:.*]] = stablehlo.multiply
  // CHECK: boost.linear %arg0, %[[W]]
  %0 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.multiply %w, %0 : tensor<8x6xf32>
  %y = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @padded
func.func @padded(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %w: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x8xf32> {
  // CHECK: %[[W:.*]] = stablehlo.pad
  // CHECK: boost.linear %arg0, %[[W]]
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %w, %zero, low = [0, 0], high = [0, 2], interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x8xf32>
  %y = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Products of weights are not computed if products with one after the other are
// cheaper.
// CHECK-LABEL: func @factors
func.func @factors(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<4x6xf32> {
  // CHECK: %[[H:.*]] = boost.linear %arg0, %arg1
  // CHECK: %[[Y:.*]] = boost.linear %[[H]], %arg2
  // CHECK: return %[[Y]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x6xf32>) -> tensor<8x6xf32>
  %y = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @transposed_factors
func.func @transposed_factors(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %a: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<6x2xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<4x6xf32> {
  // CHECK: %[[H:.*]] = boost.linear %arg0, %arg1 transposed
  // CHECK: %[[Y:.*]] = boost.linear %[[H]], %arg2 transposed
  // CHECK: return %[[Y]]
  %0 = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<6x2xf32>, tensor<2x8xf32>) -> tensor<6x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %y = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @factors_of_heads
func.func @factors_of_heads(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<2x3x4xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<4x3x4xf32> {
  // CHECK: %[[B:.*]] = stablehlo.reshape %arg2 : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  // CHECK: %[[H:.*]] = boost.linear %arg0, %arg1
  // CHECK: boost.linear %[[H]], %[[B]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x3x4xf32>) -> tensor<8x3x4xf32>
  %y = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x3x4xf32>) -> tensor<4x3x4xf32>
  return %y : tensor<4x3x4xf32>
}

// Numbers per column scale the second factor, those per row the first one.
// CHECK-LABEL: func @scaled_factors
func.func @scaled_factors(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "b">}, %s: tensor<6xf32> {boost.tensor = #boost.tensor<param "s">}, %r: tensor<8xf32> {boost.tensor = #boost.tensor<param "r">}) -> tensor<4x6xf32> {
  // CHECK-DAG: %[[A:.*]] = stablehlo.divide %arg1, %{{.*}} : tensor<8x2xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.multiply %arg2, %{{.*}} : tensor<2x6xf32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.multiply %[[B]], %{{.*}} : tensor<2x6xf32>
  // CHECK: %[[H:.*]] = boost.linear %arg0, %[[A]]
  // CHECK: boost.linear %[[H]], %[[C]]
  %half = stablehlo.constant dense<0.5> : tensor<8x6xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.multiply %half, %0 : tensor<8x6xf32>
  %2 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<6xf32>) -> tensor<8x6xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8x6xf32>
  %4 = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x6xf32>
  %5 = stablehlo.divide %3, %4 : tensor<8x6xf32>
  %y = stablehlo.dot_general %x, %5, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// Few rows: the terms of a sum one by one.
// CHECK-LABEL: func @terms
func.func @terms(%x: tensor<2x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">}, %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<2x8xf32> {
  // CHECK: %[[P:.*]] = boost.linear %arg0, %arg1
  // CHECK: %[[H:.*]] = boost.linear %arg0, %arg2
  // CHECK: %[[Q:.*]] = boost.linear %[[H]], %arg3
  // CHECK: stablehlo.add %[[P]], %[[Q]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %w, %0 : tensor<8x8xf32>
  %y = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// Many rows: the sum is cheaper.
// CHECK-LABEL: func @sum
func.func @sum(%x: tensor<16x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">}, %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<16x8xf32> {
  // CHECK: %[[P:.*]] = stablehlo.dot_general %arg2, %arg3
  // CHECK: %[[W:.*]] = stablehlo.add %arg1, %[[P]]
  // CHECK: boost.linear %arg0, %[[W]]
  // CHECK-NOT: boost.linear
  // CHECK: return
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %w, %0 : tensor<8x8xf32>
  %y = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// So is a product whose middle is not narrow.
// CHECK-LABEL: func @wide_middle
func.func @wide_middle(%x: tensor<16x4xf32> {boost.tensor = #boost.tensor<batch "x">}, %a: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<16x4xf32> {
  // CHECK: %[[W:.*]] = stablehlo.dot_general %arg1, %arg2
  // CHECK: boost.linear %arg0, %[[W]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32>
  return %y : tensor<16x4xf32>
}

// A norm needs the product; the products with an activation do not.
// CHECK-LABEL: func @normalized
func.func @normalized(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<4x6xf32> {
  // CHECK: stablehlo.dot_general %arg1, %arg2
  // CHECK: %[[N:.*]] = stablehlo.sqrt
  // CHECK: %[[R:.*]] = stablehlo.broadcast_in_dim %[[N]], dims = [1] : (tensor<6xf32>) -> tensor<2x6xf32>
  // CHECK: %[[B:.*]] = stablehlo.divide %arg2, %[[R]]
  // CHECK: %[[H:.*]] = boost.linear %arg0, %arg1
  // CHECK: boost.linear %[[H]], %[[B]]
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<8x6xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.sqrt %2 : tensor<6xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<6xf32>) -> tensor<8x6xf32>
  %5 = stablehlo.divide %0, %4 : tensor<8x6xf32>
  %y = stablehlo.dot_general %x, %5, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// What is computed from parameters and added to activations is one of these.
// CHECK-LABEL: func @shared_activation
func.func @shared_activation(%x: tensor<4x6xf32> {boost.tensor = #boost.tensor<batch "x">}, %p: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "p">}, %w: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x6xf32> {
  // CHECK: %[[P:.*]] = stablehlo.tanh %arg1
  // CHECK: boost.linear %[[P]], %arg2
  %0 = stablehlo.tanh %p : tensor<4x8xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %y = stablehlo.add %x, %1 : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
