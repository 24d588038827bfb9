// RUN: boost-opt %s --boost-raise-cross-entropy -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// RUN: boost-opt %s --boost-raise-cross-entropy -canonicalize -cse -o %t.once
// RUN: boost-opt %t.once --boost-raise-cross-entropy -canonicalize -cse | diff %t.once -
// Smoothed labels and a z-loss, as optax writes them.

// 0.9 of the label and 0.0125 of each of eight: 0.1 of their mean.
// CHECK-LABEL: func @smoothed
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[I:.*]]: tensor<4xi32>
// CHECK-NOT:     stablehlo.exponential
// CHECK:         %[[LOSS:.*]], %[[LSE:.*]] = boost.cross_entropy %[[X]], %[[I]]
// CHECK:         %[[P:.*]] = stablehlo.multiply %[[LOSS]]
// CHECK:         %[[S:.*]] = stablehlo.reduce(%[[X]]
// CHECK:         %[[M:.*]] = stablehlo.multiply %[[S]]
// CHECK:         %[[A:.*]] = stablehlo.subtract %[[LSE]], %[[M]]
// CHECK:         %[[Q:.*]] = stablehlo.multiply %[[A]]
// CHECK:         %[[L:.*]] = stablehlo.add %[[P]], %[[Q]]
// CHECK:         stablehlo.negate %[[L]]
func.func @smoothed(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %keep = stablehlo.constant dense<0.9> : tensor<4x8xf32>
  %part = stablehlo.constant dense<0.0125> : tensor<4x8xf32>
  %i = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %b = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %c = stablehlo.compare EQ, %b, %i, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %o = stablehlo.convert %c : (tensor<4x8xi1>) -> tensor<4x8xf32>
  %k = stablehlo.multiply %o, %keep : tensor<4x8xf32>
  %w = stablehlo.add %k, %part : tensor<4x8xf32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %log = stablehlo.log %s : tensor<4xf32>
  %lb = stablehlo.broadcast_in_dim %log, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %lb : tensor<4x8xf32>
  %m = stablehlo.multiply %w, %p : tensor<4x8xf32>
  %r = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// The square of the log-sum-exp reads the one of the cross entropy.
// CHECK-LABEL: func @z_loss
// CHECK-NOT:     stablehlo.exponential
// CHECK:         %[[LOSS:.*]], %[[LSE:.*]] = boost.cross_entropy
// CHECK:         %[[Z:.*]] = stablehlo.multiply %[[LSE]], %[[LSE]]
// CHECK:         stablehlo.add %[[LOSS]], %[[Z]]
func.func @z_loss(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %lse = stablehlo.log %s : tensor<4xf32>
  %i = stablehlo.reshape %labels : (tensor<4xi32>) -> tensor<4x1xi32>
  %l = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1],
      index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  %loss = stablehlo.subtract %lse, %l : tensor<4xf32>
  %z = stablehlo.multiply %lse, %lse : tensor<4xf32>
  %sum = stablehlo.add %loss, %z : tensor<4xf32>
  return %sum : tensor<4xf32>
}

// A mean of logits, where a log-sum-exp is subtracted from it, is no loss of one label.
// CHECK-LABEL: func @smoothed_logits
// CHECK-NOT:     boost.cross_entropy
// CHECK:         return
func.func @smoothed_logits(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %part = stablehlo.constant dense<0.0125> : tensor<4x8xf32>
  %i = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %b = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %c = stablehlo.compare EQ, %b, %i, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %o = stablehlo.convert %c : (tensor<4x8xi1>) -> tensor<4x8xf32>
  %w = stablehlo.add %o, %part : tensor<4x8xf32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %lse = stablehlo.log %s : tensor<4xf32>
  %m = stablehlo.multiply %w, %x : tensor<4x8xf32>
  %r = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %loss = stablehlo.subtract %lse, %r : tensor<4xf32>
  return %loss : tensor<4xf32>
}

// A part of the label alone: nothing is needed of the other logits.
// CHECK-LABEL: func @scaled
// CHECK:         %[[LOSS:.*]], %{{.*}} = boost.cross_entropy
// CHECK-NOT:     stablehlo.reduce
// CHECK:         %[[P:.*]] = stablehlo.multiply %[[LOSS]]
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[P]]
// CHECK-NEXT:    return %[[N]]
func.func @scaled(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %b = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %c = stablehlo.compare EQ, %b, %i, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %o = stablehlo.convert %c : (tensor<4x8xi1>) -> tensor<4x8xf32>
  %k = stablehlo.constant dense<0.5> : tensor<4x8xf32>
  %w = stablehlo.multiply %k, %o : tensor<4x8xf32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %log = stablehlo.log %s : tensor<4xf32>
  %lb = stablehlo.broadcast_in_dim %log, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %lb : tensor<4x8xf32>
  %m = stablehlo.multiply %w, %p : tensor<4x8xf32>
  %r = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Added to all labels, on the left.
// CHECK-LABEL: func @added
// CHECK:         boost.cross_entropy
// CHECK:         stablehlo.reduce(%{{.*}} applies stablehlo.add across dimensions = [1]
func.func @added(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %b = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %c = stablehlo.compare EQ, %b, %i, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %o = stablehlo.convert %c : (tensor<4x8xi1>) -> tensor<4x8xf32>
  %k = stablehlo.constant dense<0.25> : tensor<4x8xf32>
  %w = stablehlo.add %k, %o : tensor<4x8xf32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %log = stablehlo.log %s : tensor<4xf32>
  %lb = stablehlo.broadcast_in_dim %log, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %lb : tensor<4x8xf32>
  %m = stablehlo.multiply %w, %p : tensor<4x8xf32>
  %r = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
