// RUN: boost-opt %s -split-input-file -boost-classify-parameters | FileCheck %s

// A product without a sum over a dimension scales, as einsum("bd,d->bd") does.
// CHECK-LABEL: func @batched_product
// CHECK-SAME:    #boost.tensor<param "g", init = "ones", decay = false>
func.func @batched_product(
    %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "g">},
    %x: tensor<3x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<8x3xf32> {
  %0 = stablehlo.dot_general %x, %g, batching_dims = [1] x [0], contracting_dims = [] x []
      : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// -----

// An embedding that is the head as well is both, and decays.
// CHECK-LABEL: func @tied
// CHECK-SAME:    #boost.tensor<param "embed", init = "normal:0.02", decay = true>
func.func @tied(
    %embed: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "embed">},
    %ids: tensor<3xi32> {boost.tensor = #boost.tensor<batch "ids">}) -> tensor<3x16xf32> {
  %rows = "stablehlo.gather"(%embed, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  %0 = stablehlo.dot_general %rows, %embed, contracting_dims = [1] x [1]
      : (tensor<3x8xf32>, tensor<16x8xf32>) -> tensor<3x16xf32>
  return %0 : tensor<3x16xf32>
}

// -----

// Experts chosen by what the program computes of its parameters: their biases
// are biases, their weights weights.
// CHECK-LABEL: func @experts
// CHECK-SAME:    #boost.tensor<param "router", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "w", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "b", init = "zeros", decay = false>
func.func @experts(
    %router: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "router">},
    %w: tensor<4x8x8xf32> {boost.tensor = #boost.tensor<param "w">},
    %b: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "b">},
    %x: tensor<3x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<3x8xf32> {
  %scores = stablehlo.dot_general %x, %router, contracting_dims = [1] x [0]
      : (tensor<3x8xf32>, tensor<8x4xf32>) -> tensor<3x4xf32>
  %first = stablehlo.slice %scores [0:3, 0:1] : (tensor<3x4xf32>) -> tensor<3x1xf32>
  %column = stablehlo.reshape %first : (tensor<3x1xf32>) -> tensor<3xf32>
  %choice = stablehlo.convert %column : (tensor<3xf32>) -> tensor<3xi32>
  %w0 = "stablehlo.gather"(%w, %choice) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 8, 8>}> : (tensor<4x8x8xf32>, tensor<3xi32>) -> tensor<3x8x8xf32>
  %b0 = "stablehlo.gather"(%b, %choice) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  %h = stablehlo.dot_general %x, %w0, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<3x8xf32>, tensor<3x8x8xf32>) -> tensor<3x8xf32>
  %0 = stablehlo.add %h, %b0 : tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

// Weights that are scaled, masked, joined or added to before they are
// contracted are still weights; what scales them is a scale. A constant table
// of distances is no batch: its slopes are scales, too.
// CHECK-LABEL: func @made_of_parameters
// CHECK-SAME:    #boost.tensor<param "w", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "magnitude", init = "ones", decay = false>
// CHECK-SAME:    #boost.tensor<param "low", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "high", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "slopes", init = "ones", decay = false>
func.func @made_of_parameters(
    %w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">},
    %magnitude: tensor<8xf32> {boost.tensor = #boost.tensor<param "magnitude">},
    %low: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "low">},
    %high: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "high">},
    %slopes: tensor<3xf32> {boost.tensor = #boost.tensor<param "slopes">},
    %x: tensor<3x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<3x8xf32> {
  %mask = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  %distances = stablehlo.iota dim = 1 : tensor<3x8xf32>
  %masked = stablehlo.multiply %w, %mask : tensor<8x8xf32>
  %m = stablehlo.broadcast_in_dim %magnitude, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %scaled = stablehlo.multiply %masked, %m : tensor<8x8xf32>
  %delta = stablehlo.dot_general %low, %high, contracting_dims = [1] x [0]
      : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
  %sum = stablehlo.add %scaled, %delta : tensor<8x8xf32>
  %h = stablehlo.dot_general %x, %sum, contracting_dims = [1] x [0]
      : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32>
  %s = stablehlo.broadcast_in_dim %slopes, dims = [0] : (tensor<3xf32>) -> tensor<3x8xf32>
  %bias = stablehlo.multiply %s, %distances : tensor<3x8xf32>
  %0 = stablehlo.add %h, %bias : tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

// A bias that a number scales first is a bias; an exponential scales by one
// where its argument is zero; a value that only competes is something else.
// CHECK-LABEL: func @small
// CHECK-SAME:    #boost.tensor<param "bias", init = "zeros", decay = false>
// CHECK-SAME:    #boost.tensor<param "temperature", init = "zeros", decay = false>
// CHECK-SAME:    #boost.tensor<param "floor", init = "normal:0.02", decay = false>
func.func @small(
    %bias: tensor<8xf32> {boost.tensor = #boost.tensor<param "bias">},
    %temperature: tensor<f32> {boost.tensor = #boost.tensor<param "temperature">},
    %floor: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "floor">},
    %x: tensor<3x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<3x8xf32> {
  %tenth = stablehlo.constant dense<0.1> : tensor<3x8xf32>
  %b = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<8xf32>) -> tensor<3x8xf32>
  %b1 = stablehlo.multiply %b, %tenth : tensor<3x8xf32>
  %0 = stablehlo.add %x, %b1 : tensor<3x8xf32>
  %t = stablehlo.exponential %temperature : tensor<f32>
  %t1 = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
  %1 = stablehlo.multiply %0, %t1 : tensor<3x8xf32>
  %2 = stablehlo.maximum %1, %floor : tensor<3x8xf32>
  return %2 : tensor<3x8xf32>
}

// -----

// A product of parameters is what it is used as; one that is repeated scales.
// CHECK-LABEL: func @products
// CHECK-SAME:    #boost.tensor<param "w", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "m", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "g", init = "ones", decay = false>
func.func @products(
    %w: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "w">},
    %m: tensor<1x8x4xf32> {boost.tensor = #boost.tensor<param "m">},
    %g: tensor<4xf32> {boost.tensor = #boost.tensor<param "g">},
    %x: tensor<3x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<3x1x4xf32> {
  %0 = stablehlo.broadcast_in_dim %w, dims = [1, 2] : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
  %1 = stablehlo.multiply %0, %m : tensor<1x8x4xf32>
  %2 = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<4xf32>) -> tensor<1x8x4xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<1x8x4xf32>
  %4 = stablehlo.dot_general %x, %3, contracting_dims = [1] x [1]
      : (tensor<3x8xf32>, tensor<1x8x4xf32>) -> tensor<3x1x4xf32>
  return %4 : tensor<3x1x4xf32>
}
