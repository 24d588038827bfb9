// RUN: boost-opt %s -split-input-file --boost-infer-feeds | FileCheck %s --implicit-check-not='feed ='
// Batches that a token file cannot fill.

// CHECK-LABEL: func.func @three
func.func @three(%t: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "t">}, %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">},
                 %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}, %c: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "c">}) -> tensor<2x3x4xf32> {
  %x = boost.embedding %t, %a : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  return %x : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @shapes
func.func @shapes(%t: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "t">}, %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">},
                  %b: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<2x3x4xf32> {
  %x = boost.embedding %t, %a : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  return %x : tensor<2x3x4xf32>
}

// -----

// Names say nothing of what has no rows of tokens, or is no integer.
// CHECK-LABEL: func.func @names
func.func @names(%t: tensor<2x3xf32> {boost.tensor = #boost.tensor<param "t">},
                 %a: tensor<5x3xi32> {boost.tensor = #boost.tensor<batch "mask">}, %b: tensor<2x3xf32> {boost.tensor = #boost.tensor<batch "positions">},
                 %c: tensor<2x3xi1> {boost.tensor = #boost.tensor<batch "segments">}, %d: tensor<f32> {boost.tensor = #boost.tensor<batch "step">},
                 %e: tensor<2xi32> {boost.tensor = #boost.tensor<batch "step.0">}, %f: tensor<2x5xi32> {boost.tensor = #boost.tensor<batch "other">}) -> tensor<2x3xf32> {
  return %t : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @flags
func.func @flags(%t: tensor<2x3xf32> {boost.tensor = #boost.tensor<param "t">}, %a: tensor<2x3xi1> {boost.tensor = #boost.tensor<batch "a">}) -> tensor<2x3xf32> {
  return %t : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func private @declared
func.func private @declared(tensor<2x3xi32>) -> tensor<f32>

// -----

// A private function is no loss, and has no batch to feed.
// CHECK-LABEL: func.func private @helper
func.func private @helper(%w: tensor<f32>, %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">},
                          %key: tensor<2xui32> {boost.tensor = #boost.tensor<batch "key">}) -> tensor<f32> {
  return %w : tensor<f32>
}

// -----

// Where ids are written to says nothing of what they are.
// CHECK-LABEL: func.func @written
func.func @written(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">},
                   %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">}, %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<8x4xf32> {
  %rows = boost.embedding %table, %b : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %sums = "stablehlo.scatter"(%zeros, %a, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %sum = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<2x3xi32>, tensor<2x3x4xf32>) -> tensor<8x4xf32>
  return %sums : tensor<8x4xf32>
}

// -----

// A step of each token is no step, and beside it nothing says which are the tokens.
// CHECK-LABEL: func.func @step_of_each
func.func @step_of_each(%t: tensor<f32> {boost.tensor = #boost.tensor<param "t">}, %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">},
                        %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "step">}) -> tensor<f32> {
  return %t : tensor<f32>
}

// -----

// Inputs and targets by their uses, but with a column more.
// CHECK-LABEL: func.func @longer
func.func @longer(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">}, %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                  %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">}, %b: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<2x3xf32> {
  %x = boost.embedding %table, %a : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %y = boost.linear %x, %head : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
  %labels = stablehlo.slice %b [0:2, 1:4] : (tensor<2x4xi32>) -> tensor<2x3xi32>
  %losses, %lse = boost.cross_entropy %y, %labels : (tensor<2x3x8xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return %losses : tensor<2x3xf32>
}
