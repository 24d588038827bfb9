// RUN: boost-opt %s -boost-raise-cross-entropy -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Picked by positions and one-hot rows in other spellings.

// The logits of one token: a vector, with one label.
// CHECK-LABEL: func @one_vector
// CHECK-SAME:    %[[X:[^:]*]]: tensor<8xf32>
// CHECK:         boost.cross_entropy %[[X]], %{{.*}} : (tensor<8xf32>, tensor<i32>) -> (tensor<f32>, tensor<f32>)
func.func @one_vector(%x: tensor<8xf32>, %labels: tensor<1xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %l = stablehlo.log %t : tensor<f32>
  %b = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %p = stablehlo.subtract %x, %b : tensor<8xf32>
  %r = "stablehlo.gather"(%p, %labels) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1>}> : (tensor<8xf32>, tensor<1xi32>) -> tensor<f32>
  return %r : tensor<f32>
}

// Indexed with positions; that of the only sequence is a constant.
// CHECK-LABEL: func @position_of_the_only_row
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x3x8xf32>, %[[L:[^:]*]]: tensor<1x3xi32>
// CHECK:         boost.cross_entropy %[[X]], %[[L]] :
func.func @position_of_the_only_row(%x: tensor<1x3x8xf32>, %labels: tensor<1x3xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<1x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<1x3x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3xf32>
  %l = stablehlo.log %t : tensor<1x3xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<1x3x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<1x3x8xf32>
  %only = stablehlo.constant dense<0> : tensor<1x3x1xi32>
  %i = stablehlo.iota dim = 1 : tensor<1x3x1xi32>
  %c = stablehlo.reshape %labels : (tensor<1x3xi32>) -> tensor<1x3x1xi32>
  %at = stablehlo.concatenate %only, %i, %c, dim = 2 : (tensor<1x3x1xi32>, tensor<1x3x1xi32>, tensor<1x3x1xi32>) -> tensor<1x3x3xi32>
  %r = "stablehlo.gather"(%p, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<1x3x8xf32>, tensor<1x3x3xi32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// A one-hot row whose counter stands on the left.
// CHECK-LABEL: func @counter_first
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x8xf32>, %[[L:[^:]*]]: tensor<4xi32>
// CHECK:         %[[E:.*]], %{{.*}} = boost.cross_entropy %[[X]], %[[L]] :
func.func @counter_first(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %i = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %at = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %is = stablehlo.compare EQ, %i, %at, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %h = stablehlo.convert %is : (tensor<4x8xi1>) -> tensor<4x8xf32>
  %w = stablehlo.multiply %h, %p : tensor<4x8xf32>
  %r = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// As of contrastive losses: every row is a class of its own.
// CHECK-LABEL: func @label_of_the_row
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x8xf32>
// CHECK:         %[[L:.*]] = stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK:         boost.cross_entropy %[[X]], %[[L]] :
func.func @label_of_the_row(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %labels = stablehlo.iota dim = 0 : tensor<4xi32>
  %i = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %at = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %is = stablehlo.compare EQ, %i, %at, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %h = stablehlo.convert %is : (tensor<4x8xi1>) -> tensor<4x8xf32>
  %w = stablehlo.multiply %h, %p : tensor<4x8xf32>
  %r = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// The logits are shifted by the greatest of all rows, which stands on the left of the
// log-sum-exp.
// CHECK-LABEL: func @one_shift_of_all_rows
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x8xf32>, %[[L:[^:]*]]: tensor<4xi32>
// CHECK:         %[[E:.*]], %{{.*}} = boost.cross_entropy %[[X]], %[[L]] :
func.func @one_shift_of_all_rows(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %ms = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %y = stablehlo.subtract %x, %ms : tensor<4x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %y : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %mr = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %n = stablehlo.add %mr, %l : tensor<4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %c = stablehlo.reshape %labels : (tensor<4xi32>) -> tensor<4x1xi32>
  %at = stablehlo.concatenate %i, %c, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %k = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  %r = stablehlo.subtract %n, %k : tensor<4xf32>
  return %r : tensor<4xf32>
}

// Logits that are themselves a difference.
// CHECK-LABEL: func @difference_of_tensors
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x8xf32>, %[[Y:[^:]*]]: tensor<4x8xf32>, %[[L:[^:]*]]: tensor<4xi32>
// CHECK:         %[[D:.*]] = stablehlo.subtract %[[X]], %[[Y]]
// CHECK:         boost.cross_entropy %[[D]], %[[L]] :
func.func @difference_of_tensors(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %d = stablehlo.subtract %x, %y : tensor<4x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %d : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %d, %b : tensor<4x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %c = stablehlo.reshape %labels : (tensor<4xi32>) -> tensor<4x1xi32>
  %at = stablehlo.concatenate %i, %c, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %r = "stablehlo.gather"(%p, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
