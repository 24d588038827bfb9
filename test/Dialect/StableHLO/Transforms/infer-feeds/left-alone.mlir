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
