// RUN: boost-opt %s | FileCheck %s
// RUN: boost-opt %s --mlir-print-op-generic | boost-opt | FileCheck %s
// What import writes out prints as it parses, and as JAX prints it.

// CHECK-LABEL: func @convolution
// CHECK-SAME:    %[[X:.*]]: tensor<2x10x6xf32>, %[[W:.*]]: tensor<4x1x6xf32>
func.func @convolution(%x: tensor<2x10x6xf32>, %w: tensor<4x1x6xf32>) {
  // CHECK-NEXT: stablehlo.convolution(%[[X]], %[[W]]) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = {{\[\[}}3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x6xf32>, tensor<4x1x6xf32>) -> tensor<2x10x6xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x6xf32>, tensor<4x1x6xf32>) -> tensor<2x10x6xf32>
  // What is left out is 1, or no padding, or not reversed; the order is free.
  // CHECK-NEXT: stablehlo.convolution(%[[X]], %[[W]]) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<2x10x6xf32>, tensor<4x1x6xf32>) -> tensor<2x4x6xf32>
  %1 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true], stride = [2]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<2x10x6xf32>, tensor<4x1x6xf32>) -> tensor<2x4x6xf32>
  return
}

// CHECK-LABEL: func @dimensions
func.func @dimensions(%x: tensor<6x5x2x3xf32>, %w: tensor<1x4x3x2xf32>, %a: tensor<4x3xf32>, %b: tensor<5x3xf32>) {
  // CHECK-NEXT: dim_numbers = [1, 0, b, f]x[1, o, i, 0]->[b, 1, f, 0], window = {} {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [1, 0, b, f]x[1, o, i, 0]->[b, 1, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<6x5x2x3xf32>, tensor<1x4x3x2xf32>) -> tensor<2x6x4x4xf32>
  // CHECK-NEXT: dim_numbers = [b, f]x[o, i]->[b, f], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {
  %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[o, i]->[b, f], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x5xf32>
  return
}

// CHECK-LABEL: func @select_and_scatter
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[S:.*]]: tensor<4x4xf32>, %[[Z:.*]]: tensor<f32>
func.func @select_and_scatter(%x: tensor<4x8xf32>, %s: tensor<4x4xf32>, %z: tensor<f32>) {
  // CHECK-NEXT: "stablehlo.select_and_scatter"(%[[X]], %[[S]], %[[Z]]) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT:   stablehlo.compare GE
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @triangular_solve
// CHECK-SAME:    %[[A:.*]]: tensor<2x4x4xf32>, %[[B:.*]]: tensor<2x4x3xf32>
func.func @triangular_solve(%a: tensor<2x4x4xf32>, %b: tensor<2x4x3xf32>) {
  // CHECK-NEXT: "stablehlo.triangular_solve"(%[[A]], %[[B]]) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}
