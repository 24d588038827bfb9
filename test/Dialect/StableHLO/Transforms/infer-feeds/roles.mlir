// RUN: boost-opt %s -split-input-file --boost-infer-feeds | FileCheck %s
// What the loss does with an argument says what it takes; order and names do not.

// An embedding, and a gather from logits behind the fix of negative ids. The mask of padding
// that the losses are multiplied by says nothing of the ids that it is made from.
// CHECK-LABEL: func.func @gathers
// CHECK-SAME:    %{{[^:]*}}: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "inputs", feed = targets>}
// CHECK-SAME:    %{{[^:]*}}: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "targets", feed = inputs>}
func.func @gathers(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">}, %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                   %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "inputs">},
                   %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "targets">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<2x3xi32>
  %size = stablehlo.constant dense<8> : tensor<2x3xi32>
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.reshape %b : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
  %x = "stablehlo.gather"(%table, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4xf32>
  %y = stablehlo.dot_general %x, %head, contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
  %p = stablehlo.compare LT, %a, %zero, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %moved = stablehlo.add %a, %size : tensor<2x3xi32>
  %fixed = stablehlo.select %p, %moved, %a : tensor<2x3xi1>, tensor<2x3xi32>
  %l = stablehlo.reshape %fixed : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
  %picked = "stablehlo.gather"(%y, %l) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x3x8xf32>, tensor<2x3x1xi32>) -> tensor<2x3xf32>
  %real = stablehlo.compare NE, %b, %zero, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %keep = stablehlo.convert %real : (tensor<2x3xi1>) -> tensor<2x3xf32>
  %kept = stablehlo.multiply %picked, %keep : tensor<2x3xf32>
  %loss = stablehlo.reduce(%kept init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// One-hot rows, times the table and times the logits. A learned factor of all losses and the
// decay of weights, added to their mean, act on no token.
// CHECK-LABEL: func.func @one_hot
// CHECK-SAME:    #boost.tensor<batch "a", feed = targets>
// CHECK-SAME:    #boost.tensor<batch "b", feed = inputs>
func.func @one_hot(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">}, %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                   %a: tensor<2x3xi64> {boost.tensor = #boost.tensor<batch "a">},
                   %b: tensor<2x3xi64> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<f32> {
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %iota = stablehlo.iota dim = 2 : tensor<2x3x8xi64>
  %ids = stablehlo.broadcast_in_dim %b, dims = [0, 1] : (tensor<2x3xi64>) -> tensor<2x3x8xi64>
  %rows = stablehlo.compare EQ, %ids, %iota, SIGNED : (tensor<2x3x8xi64>, tensor<2x3x8xi64>) -> tensor<2x3x8xi1>
  %ones = stablehlo.convert %rows : (tensor<2x3x8xi1>) -> tensor<2x3x8xf32>
  %x = stablehlo.dot_general %ones, %table, contracting_dims = [2] x [0] : (tensor<2x3x8xf32>, tensor<8x4xf32>) -> tensor<2x3x4xf32>
  %y = stablehlo.dot_general %x, %head, contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
  %labels = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x3xi64>) -> tensor<2x3x8xi64>
  %mine = stablehlo.compare EQ, %iota, %labels, SIGNED : (tensor<2x3x8xi64>, tensor<2x3x8xi64>) -> tensor<2x3x8xi1>
  %weights = stablehlo.convert %mine : (tensor<2x3x8xi1>) -> tensor<2x3x8xf32>
  %picked = stablehlo.multiply %weights, %y : tensor<2x3x8xf32>
  %losses = stablehlo.reduce(%picked init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3xf32>
  %part = stablehlo.slice %head [0:1, 0:1] : (tensor<4x8xf32>) -> tensor<1x1xf32>
  %number = stablehlo.reshape %part : (tensor<1x1xf32>) -> tensor<f32>
  %scale = stablehlo.broadcast_in_dim %number, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %scaled = stablehlo.multiply %losses, %scale : tensor<2x3xf32>
  %sum = stablehlo.reduce(%scaled init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  %squares = stablehlo.multiply %head, %head : tensor<4x8xf32>
  %decay = stablehlo.reduce(%squares init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.add %sum, %decay : tensor<f32>
  return %loss : tensor<f32>
}

// -----

// Places to read from what was computed: parameters act on it, so it is no loss yet. The
// labels only mask and count.
// CHECK-LABEL: func.func @places
// CHECK-SAME:    #boost.tensor<batch "a", feed = targets>
// CHECK-SAME:    #boost.tensor<batch "b", feed = inputs>
func.func @places(%start: tensor<3x4xf32> {boost.tensor = #boost.tensor<param "start">}, %head: tensor<4xf32> {boost.tensor = #boost.tensor<param "head">},
                  %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">},
                  %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<2x3xi32>
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %mask = stablehlo.compare NE, %b, %zero, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %keep = stablehlo.convert %mask : (tensor<2x3xi1>) -> tensor<2x3xf32>
  %x = stablehlo.dot_general %keep, %start, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %i = stablehlo.reshape %b : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
  %read = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3xf32>
  %padded = stablehlo.pad %read, %cst, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x4xf32>
  %y = stablehlo.dot_general %padded, %head, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2xf32>
  %z = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
  %valid = stablehlo.compare GE, %a, %zero, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %label = stablehlo.convert %a : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %error = stablehlo.subtract %z, %label : tensor<2x3xf32>
  %nothing = stablehlo.constant dense<0.0> : tensor<2x3xf32>
  %chosen = stablehlo.select %valid, %error, %nothing : tensor<2x3xi1>, tensor<2x3xf32>
  %loss = stablehlo.reduce(%chosen init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// A barrier passes each value on by itself: what parameters act on behind it is %x alone.
// CHECK-LABEL: func.func @barrier
// CHECK-SAME:    #boost.tensor<batch "a", feed = targets>
// CHECK-SAME:    #boost.tensor<batch "b", feed = inputs>
func.func @barrier(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">}, %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                   %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">},
                   %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<2x3xf32> {
  %x = boost.embedding %table, %b : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %kept, %labels = stablehlo.optimization_barrier %x, %a : tensor<2x3x4xf32>, tensor<2x3xi32>
  %y = boost.linear %kept, %head : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
  %losses, %lse = boost.cross_entropy %y, %labels : (tensor<2x3x8xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return %losses : tensor<2x3xf32>
}

// -----

// A bigram: nothing acts on what the inputs look up, but only the labels pick from it.
// CHECK-LABEL: func.func @bigram
// CHECK-SAME:    #boost.tensor<batch "a", feed = targets>
// CHECK-SAME:    #boost.tensor<batch "b", feed = inputs>
func.func @bigram(%table: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "table">},
                  %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">},
                  %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<2x3xf32> {
  %y = boost.embedding %table, %b : (tensor<8x8xf32>, tensor<2x3xi32>) -> tensor<2x3x8xf32>
  %losses, %lse = boost.cross_entropy %y, %a : (tensor<2x3x8xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return %losses : tensor<2x3xf32>
}

// -----

// Operations of the boost dialect are no special case.
// CHECK-LABEL: func.func @raised
// CHECK-SAME:    #boost.tensor<batch "a", feed = targets>
// CHECK-SAME:    #boost.tensor<batch "b", feed = inputs>
func.func @raised(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">}, %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                  %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">},
                  %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<f32> {
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %x = boost.embedding %table, %b : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %y = boost.linear %x, %head : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
  %losses, %lse = boost.cross_entropy %y, %a : (tensor<2x3x8xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %loss = stablehlo.reduce(%losses init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// The only argument takes both, whatever is done with it.
// CHECK-LABEL: func.func @joined
// CHECK-SAME:    #boost.tensor<batch "a", feed = tokens>
func.func @joined(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                  %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">}) -> tensor<f32> {
  return %w : tensor<f32>
}
