// RUN: boost-opt %s -split-input-file -boost-classify-parameters | FileCheck %s

// Scales, on either side of a product. One that a number is added to is a scale around that number, unless
// it is zero; what a constant tensor is added to is shifted all the same.
// CHECK-LABEL: func @scales
// CHECK-SAME:    #boost.tensor<param "left", init = "ones", decay = false>
// CHECK-SAME:    #boost.tensor<param "right", init = "ones", decay = false>
// CHECK-SAME:    #boost.tensor<param "divisor", init = "ones", decay = false>
// CHECK-SAME:    #boost.tensor<param "batched", init = "ones", decay = false>
// CHECK-SAME:    #boost.tensor<param "by zero", init = "ones", decay = false>
// CHECK-SAME:    #boost.tensor<param "less one", init = "zeros", decay = false>
// CHECK-SAME:    #boost.tensor<param "from one", init = "zeros", decay = false>
// CHECK-SAME:    #boost.tensor<param "by a row", init = "zeros", decay = false>
// CHECK-SAME:    #boost.tensor<param "root", init = "ones", decay = false>
func.func @scales(
    %a: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "left">}, %b: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "right">},
    %c: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "divisor">}, %d: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "batched">},
    %e: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "by zero">}, %f: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "less one">},
    %g: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "from one">}, %h: tensor<2xf32> {boost.tensor = #boost.tensor<param "by a row">},
    %i: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "root">},
    %x: tensor<3x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %y: tensor<2xf32> {boost.tensor = #boost.tensor<batch "y">}) -> (tensor<3x8xf32>, tensor<2xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<3x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<3x8xf32>
  %row = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %0 = stablehlo.multiply %a, %x : tensor<3x8xf32>
  %1 = stablehlo.multiply %0, %b : tensor<3x8xf32>
  %2 = stablehlo.divide %1, %c : tensor<3x8xf32>
  %3 = stablehlo.dot_general %d, %2, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x [] : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  %e1 = stablehlo.add %e, %zero : tensor<3x8xf32>
  %4 = stablehlo.multiply %3, %e1 : tensor<3x8xf32>
  %f1 = stablehlo.subtract %f, %one : tensor<3x8xf32>
  %5 = stablehlo.multiply %4, %f1 : tensor<3x8xf32>
  %g1 = stablehlo.subtract %one, %g : tensor<3x8xf32>
  %6 = stablehlo.multiply %5, %g1 : tensor<3x8xf32>
  %h1 = stablehlo.add %h, %row : tensor<2xf32>
  %7 = stablehlo.multiply %y, %h1 : tensor<2xf32>
  %i1 = stablehlo.sqrt %i : tensor<3x8xf32>
  %8 = stablehlo.multiply %6, %i1 : tensor<3x8xf32>
  return %8, %7 : tensor<3x8xf32>, tensor<2xf32>
}

// -----

// Positions are added to rows that ids look up, whatever was done to these before; what has one position, or is
// repeated for all of them, is a bias, and so is what is added to other values of the batch.
// CHECK-LABEL: func @positions
// CHECK-SAME:    #boost.tensor<param "embed", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "first", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "of one batch", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "of one", init = "zeros", decay = false>
// CHECK-SAME:    #boost.tensor<param "repeated", init = "zeros", decay = false>
// CHECK-SAME:    #boost.tensor<param "behind values", init = "zeros", decay = false>
// CHECK-SAME:    #boost.tensor<param "behind a function", init = "zeros", decay = false>
func.func @positions(
    %embed: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "embed">},
    %a: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "first">}, %b: tensor<1x4x8xf32> {boost.tensor = #boost.tensor<param "of one batch">},
    %c: tensor<1x8xf32> {boost.tensor = #boost.tensor<param "of one">}, %d: tensor<8xf32> {boost.tensor = #boost.tensor<param "repeated">},
    %e: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "behind values">}, %f: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "behind a function">},
    %ids: tensor<3x4xi32> {boost.tensor = #boost.tensor<batch "ids">}, %x: tensor<3x4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
    %keep: tensor<3x4x8xi1> {boost.tensor = #boost.tensor<batch "keep">}) -> tensor<3x4x8xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<3x4x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<3x4x8xf32>
  %rows = "stablehlo.gather"(%embed, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<3x4xi32>) -> tensor<3x4x8xf32>
  %0 = stablehlo.multiply %two, %rows : tensor<3x4x8xf32>
  %1 = stablehlo.select %keep, %0, %zero : tensor<3x4x8xi1>, tensor<3x4x8xf32>
  %2 = stablehlo.transpose %1, dims = [0, 1, 2] : (tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
  %a1 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<3x4x8xf32>
  %3 = stablehlo.add %a1, %2 : tensor<3x4x8xf32>
  %b1 = stablehlo.broadcast_in_dim %b, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<3x4x8xf32>
  %4 = stablehlo.add %3, %b1 : tensor<3x4x8xf32>
  %c1 = stablehlo.broadcast_in_dim %c, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<3x4x8xf32>
  %5 = stablehlo.add %4, %c1 : tensor<3x4x8xf32>
  %d1 = stablehlo.broadcast_in_dim %d, dims = [2] : (tensor<8xf32>) -> tensor<3x4x8xf32>
  %6 = stablehlo.add %5, %d1 : tensor<3x4x8xf32>
  %7 = stablehlo.multiply %6, %x : tensor<3x4x8xf32>
  %e1 = stablehlo.broadcast_in_dim %e, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<3x4x8xf32>
  %8 = stablehlo.add %7, %e1 : tensor<3x4x8xf32>
  %9 = stablehlo.tanh %6 : tensor<3x4x8xf32>
  %f1 = stablehlo.broadcast_in_dim %f, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<3x4x8xf32>
  %10 = stablehlo.add %9, %f1 : tensor<3x4x8xf32>
  %11 = stablehlo.add %8, %10 : tensor<3x4x8xf32>
  return %11 : tensor<3x4x8xf32>
}

// -----

// Rows of a constant table are not learned: what is added to them is a bias. Ids that are computed from parameters
// look up nothing: the table is used as the rows are.
// CHECK-LABEL: func @no_lookup
// CHECK-SAME:    #boost.tensor<param "bias", init = "zeros", decay = false>
// CHECK-SAME:    #boost.tensor<param "chosen", init = "ones", decay = false>
// CHECK-SAME:    #boost.tensor<param "choice", init = "normal:0.02", decay = false>
// CHECK-SAME:    #boost.tensor<param "picked", init = "ones", decay = false>
func.func @no_lookup(
    %bias: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "bias">},
    %chosen: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "chosen">}, %choice: tensor<4xf32> {boost.tensor = #boost.tensor<param "choice">},
    %picked: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "picked">},
    %ids: tensor<4xi32> {boost.tensor = #boost.tensor<batch "ids">}, %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4x8xf32> {
  %table = stablehlo.iota dim = 0 : tensor<16x8xf32>
  %rows = "stablehlo.gather"(%table, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %0 = stablehlo.add %rows, %bias : tensor<4x8xf32>
  %number = stablehlo.convert %choice : (tensor<4xf32>) -> tensor<4xi32>
  %1 = "stablehlo.gather"(%chosen, %number) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x8xf32>
  %constant = stablehlo.constant dense<[3, 1, 2, 0]> : tensor<4xi32>
  %3 = "stablehlo.gather"(%picked, %constant) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<4x8xf32>
  %5 = stablehlo.add %4, %x : tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// -----

// Weights on the way to a contraction: joined, clamped, behind a barrier, selected, under a function. What is joined
// with values of the batch is something else, and so is what pads.
// CHECK-LABEL: func @mixtures
// CHECK-SAME:    #boost.tensor<param "upper", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "lower", init = "normal:0.02", decay = true>
// CHECK-SAME:    #boost.tensor<param "bias", init = "zeros", decay = false>
// CHECK-SAME:    #boost.tensor<param "row", init = "zeros", decay = false>
// CHECK-SAME:    #boost.tensor<param "beside x", init = "normal:0.02", decay = false>
// CHECK-SAME:    #boost.tensor<param "around", init = "normal:0.02", decay = false>
func.func @mixtures(
    %u: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "upper">}, %l: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "lower">},
    %b: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "bias">}, %r: tensor<8xf32> {boost.tensor = #boost.tensor<param "row">},
    %n: tensor<3x2xf32> {boost.tensor = #boost.tensor<param "beside x">}, %p: tensor<f32> {boost.tensor = #boost.tensor<param "around">},
    %x: tensor<3x6xf32> {boost.tensor = #boost.tensor<batch "x">}, %keep: tensor<8x8xi1> {boost.tensor = #boost.tensor<batch "keep">}) -> tensor<3x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %w = stablehlo.concatenate %u, %l, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %kept, %bias = stablehlo.optimization_barrier %w, %b : tensor<8x8xf32>, tensor<3x8xf32>
  %selected = stablehlo.select %keep, %kept, %zero : tensor<8x8xi1>, tensor<8x8xf32>
  %t = stablehlo.tanh %selected : tensor<8x8xf32>
  %wide = stablehlo.concatenate %x, %n, dim = 1 : (tensor<3x6xf32>, tensor<3x2xf32>) -> tensor<3x8xf32>
  %r1 = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<8xf32>) -> tensor<3x8xf32>
  %both = stablehlo.add %r1, %bias : tensor<3x8xf32>
  %0 = stablehlo.dot_general %wide, %t, contracting_dims = [1] x [0] : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32>
  %1 = stablehlo.add %0, %both : tensor<3x8xf32>
  %2 = stablehlo.pad %1, %p, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<3x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %3 = stablehlo.slice %2 [0:3, 0:8] : (tensor<4x8xf32>) -> tensor<3x8xf32>
  return %3 : tensor<3x8xf32>
}
