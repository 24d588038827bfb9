// RUN: boost-opt %s -boost-raise-cross-entropy | FileCheck %s --implicit-check-not=boost.cross_entropy
// Not one element of each row, at its label.

// Rows and columns that the caller gives.
// CHECK-LABEL: func @indices_of_the_caller
func.func @indices_of_the_caller(%x: tensor<4x8xf32>, %at: tensor<4x2xi32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %r = "stablehlo.gather"(%p, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @rows_of_the_caller
func.func @rows_of_the_caller(%x: tensor<4x8xf32>, %i: tensor<4x1xi32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %c = stablehlo.reshape %labels : (tensor<4xi32>) -> tensor<4x1xi32>
  %at = stablehlo.concatenate %i, %c, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %r = "stablehlo.gather"(%p, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// The position is not that of the row.
// CHECK-LABEL: func @every_second_row
func.func @every_second_row(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %rows = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %two = stablehlo.constant dense<2> : tensor<4x1xi32>
  %i = stablehlo.multiply %rows, %two : tensor<4x1xi32>
  %c = stablehlo.reshape %labels : (tensor<4xi32>) -> tensor<4x1xi32>
  %at = stablehlo.concatenate %i, %c, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %r = "stablehlo.gather"(%p, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @row_and_column_exchanged
func.func @row_and_column_exchanged(%x: tensor<6x6x8xf32>, %labels: tensor<6x6xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<6x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<6x6x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x6x8xf32>, tensor<f32>) -> tensor<6x6xf32>
  %l = stablehlo.log %t : tensor<6x6xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0, 1] : (tensor<6x6xf32>) -> tensor<6x6x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<6x6x8xf32>
  %i = stablehlo.iota dim = 1 : tensor<6x6x1xi32>
  %j = stablehlo.iota dim = 0 : tensor<6x6x1xi32>
  %c = stablehlo.reshape %labels : (tensor<6x6xi32>) -> tensor<6x6x1xi32>
  %at = stablehlo.concatenate %i, %j, %c, dim = 2 : (tensor<6x6x1xi32>, tensor<6x6x1xi32>, tensor<6x6x1xi32>) -> tensor<6x6x3xi32>
  %r = "stablehlo.gather"(%p, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<6x6x8xf32>, tensor<6x6x3xi32>) -> tensor<6x6xf32>
  return %r : tensor<6x6xf32>
}

// CHECK-LABEL: func @columns_of_no_and_two_positions
func.func @columns_of_no_and_two_positions(%x: tensor<6x6x8xf32>, %labels: tensor<6x6xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<6x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<6x6x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x6x8xf32>, tensor<f32>) -> tensor<6x6xf32>
  %l = stablehlo.log %t : tensor<6x6xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0, 1] : (tensor<6x6xf32>) -> tensor<6x6x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<6x6x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<6x6x0xi32>
  %j = stablehlo.iota dim = 1 : tensor<6x6x2xi32>
  %c = stablehlo.reshape %labels : (tensor<6x6xi32>) -> tensor<6x6x1xi32>
  %at = stablehlo.concatenate %i, %j, %c, dim = 2 : (tensor<6x6x0xi32>, tensor<6x6x2xi32>, tensor<6x6x1xi32>) -> tensor<6x6x3xi32>
  %r = "stablehlo.gather"(%p, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<6x6x8xf32>, tensor<6x6x3xi32>) -> tensor<6x6xf32>
  return %r : tensor<6x6xf32>
}

// Two elements of each row, also in fill mode.
// CHECK-LABEL: func @two_of_each_row
func.func @two_of_each_row(%x: tensor<4x8xf32>, %labels: tensor<4x2xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %c = stablehlo.reshape %labels : (tensor<4x2xi32>) -> tensor<4x2x1xi32>
  %r = "stablehlo.gather"(%p, %c) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x2x1xi32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// CHECK-LABEL: func @two_of_each_row_or_nan
func.func @two_of_each_row_or_nan(%x: tensor<4x8xf32>, %labels: tensor<4x2xi32> {boost.tensor = #boost.tensor<batch "labels">}, %inside: tensor<4x2xi1>) -> tensor<4x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %c = stablehlo.reshape %labels : (tensor<4x2xi32>) -> tensor<4x2x1xi32>
  %g = "stablehlo.gather"(%p, %c) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x2x1xi32>) -> tensor<4x2xf32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<4x2xf32>
  %r = stablehlo.select %inside, %g, %nan : tensor<4x2xi1>, tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// Labels that are compared with other numbers than those of the words.
// CHECK-LABEL: func @counter_from_one
func.func @counter_from_one(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %i = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %at = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %n1 = stablehlo.constant dense<1> : tensor<4x8xi32>
  %j = stablehlo.add %i, %n1 : tensor<4x8xi32>
  %is = stablehlo.compare EQ, %at, %j, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %h = stablehlo.convert %is : (tensor<4x8xi1>) -> tensor<4x8xf32>
  %w = stablehlo.multiply %h, %p : tensor<4x8xf32>
  %r = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @counter_of_the_caller
func.func @counter_of_the_caller(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}, %i: tensor<4x8xi32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %at = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %is = stablehlo.compare EQ, %at, %i, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %h = stablehlo.convert %is : (tensor<4x8xi1>) -> tensor<4x8xf32>
  %w = stablehlo.multiply %h, %p : tensor<4x8xf32>
  %r = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @counts_the_rows
func.func @counts_the_rows(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x8xi32>
  %at = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %is = stablehlo.compare EQ, %at, %i, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %h = stablehlo.convert %is : (tensor<4x8xi1>) -> tensor<4x8xf32>
  %w = stablehlo.multiply %h, %p : tensor<4x8xf32>
  %r = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Labels of all rows, or of other rows.
// CHECK-LABEL: func @one_label_of_all_rows
func.func @one_label_of_all_rows(%x: tensor<6x6xf32>, %labels: tensor<1xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<6x6xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x6xf32>, tensor<f32>) -> tensor<6xf32>
  %l = stablehlo.log %t : tensor<6xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<6xf32>) -> tensor<6x6xf32>
  %p = stablehlo.subtract %x, %b : tensor<6x6xf32>
  %all = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<1xi32>) -> tensor<6xi32>
  %i = stablehlo.iota dim = 1 : tensor<6x6xi32>
  %at = stablehlo.broadcast_in_dim %all, dims = [1] : (tensor<6xi32>) -> tensor<6x6xi32>
  %is = stablehlo.compare EQ, %at, %i, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
  %h = stablehlo.convert %is : (tensor<6x6xi1>) -> tensor<6x6xf32>
  %w = stablehlo.multiply %h, %p : tensor<6x6xf32>
  %r = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x6xf32>, tensor<f32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// CHECK-LABEL: func @labels_of_other_rows
func.func @labels_of_other_rows(%x: tensor<6x6x8xf32>, %labels: tensor<6x6xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<6x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<6x6x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x6x8xf32>, tensor<f32>) -> tensor<6x6xf32>
  %l = stablehlo.log %t : tensor<6x6xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0, 1] : (tensor<6x6xf32>) -> tensor<6x6x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<6x6x8xf32>
  %i = stablehlo.iota dim = 2 : tensor<6x6x8xi32>
  %at = stablehlo.broadcast_in_dim %labels, dims = [1, 0] : (tensor<6x6xi32>) -> tensor<6x6x8xi32>
  %is = stablehlo.compare EQ, %at, %i, SIGNED : (tensor<6x6x8xi32>, tensor<6x6x8xi32>) -> tensor<6x6x8xi1>
  %h = stablehlo.convert %is : (tensor<6x6x8xi1>) -> tensor<6x6x8xf32>
  %w = stablehlo.multiply %h, %p : tensor<6x6x8xf32>
  %r = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x6x8xf32>, tensor<f32>) -> tensor<6x6xf32>
  return %r : tensor<6x6xf32>
}

// Weights that are no smoothed labels.
// CHECK-LABEL: func @one_hot_beside_a_tensor
func.func @one_hot_beside_a_tensor(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}, %y: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %i = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %at = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %is = stablehlo.compare EQ, %at, %i, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %h = stablehlo.convert %is : (tensor<4x8xi1>) -> tensor<4x8xf32>
  %u = stablehlo.add %y, %h : tensor<4x8xf32>
  %w = stablehlo.multiply %u, %p : tensor<4x8xf32>
  %r = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @one_hot_else_one
func.func @one_hot_else_one(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %i = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %at = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %is = stablehlo.compare EQ, %at, %i, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %ones = stablehlo.constant dense<1.0> : tensor<4x8xf32>
  %w = stablehlo.select %is, %p, %ones : tensor<4x8xi1>, tensor<4x8xf32>
  %r = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// The logit of a label out of range is not NaN.
// CHECK-LABEL: func @filled_with_a_tensor
func.func @filled_with_a_tensor(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}, %inside: tensor<4xi1>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %c = stablehlo.reshape %labels : (tensor<4xi32>) -> tensor<4x1xi32>
  %at = stablehlo.concatenate %i, %c, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %g = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  %k = stablehlo.select %inside, %g, %y : tensor<4xi1>, tensor<4xf32>
  %r = stablehlo.subtract %l, %k : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @filled_with_zeros
func.func @filled_with_zeros(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}, %inside: tensor<4xi1>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %c = stablehlo.reshape %labels : (tensor<4xi32>) -> tensor<4x1xi32>
  %at = stablehlo.concatenate %i, %c, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %g = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  %y = stablehlo.constant dense<0.0> : tensor<4xf32>
  %k = stablehlo.select %inside, %g, %y : tensor<4xi1>, tensor<4xf32>
  %r = stablehlo.subtract %l, %k : tensor<4xf32>
  return %r : tensor<4xf32>
}

// Each log-sum-exp is subtracted from a column.
// CHECK-LABEL: func @sum_along_the_rows
func.func @sum_along_the_rows(%x: tensor<6x6xf32>, %labels: tensor<6xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<6x6xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x6xf32>, tensor<f32>) -> tensor<6xf32>
  %l = stablehlo.log %t : tensor<6xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [1] : (tensor<6xf32>) -> tensor<6x6xf32>
  %p = stablehlo.subtract %x, %b : tensor<6x6xf32>
  %i = stablehlo.iota dim = 0 : tensor<6x1xi32>
  %c = stablehlo.reshape %labels : (tensor<6xi32>) -> tensor<6x1xi32>
  %at = stablehlo.concatenate %i, %c, dim = 1 : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x2xi32>
  %r = "stablehlo.gather"(%p, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x6xf32>, tensor<6x2xi32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
