// RUN: boost-opt %s -split-input-file --boost-infer-feeds | FileCheck %s --implicit-check-not='feed ='
// Two readings, or none: neither argument gets a role, also not one it had.

// Both look up rows that parameters act on.
// CHECK-LABEL: func.func @segments
func.func @segments(%words: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "words">}, %types: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "types">},
                    %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
                    %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a", feed = inputs>},
                    %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b", feed = targets>}) -> tensor<2x3xf32> {
  %x = boost.embedding %words, %a : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %y = boost.embedding %types, %b : (tensor<2x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %z = stablehlo.add %x, %y : tensor<2x3x4xf32>
  %loss = stablehlo.dot_general %z, %w, contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return %loss : tensor<2x3xf32>
}

// -----

// One alone is both: its own next token is the label.
// CHECK-LABEL: func.func @both_in_one
func.func @both_in_one(%words: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "words">}, %types: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "types">},
                       %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                       %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">}, %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<2x2xf32> {
  %now = stablehlo.slice %a [0:2, 0:2] : (tensor<2x3xi32>) -> tensor<2x2xi32>
  %next = stablehlo.slice %a [0:2, 1:3] : (tensor<2x3xi32>) -> tensor<2x2xi32>
  %type = stablehlo.slice %b [0:2, 0:2] : (tensor<2x3xi32>) -> tensor<2x2xi32>
  %x = boost.embedding %words, %now : (tensor<8x4xf32>, tensor<2x2xi32>) -> tensor<2x2x4xf32>
  %y = boost.embedding %types, %type : (tensor<2x4xf32>, tensor<2x2xi32>) -> tensor<2x2x4xf32>
  %z = stablehlo.add %x, %y : tensor<2x2x4xf32>
  %logits = boost.linear %z, %head : (tensor<2x2x4xf32>, tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %loss, %lse = boost.cross_entropy %logits, %next : (tensor<2x2x8xf32>, tensor<2x2xi32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
  return %loss : tensor<2x2xf32>
}

// -----

// Both look up rows, and nothing acts on either.
// CHECK-LABEL: func.func @skip_gram
func.func @skip_gram(%u: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "u">}, %v: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "v">},
                     %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">}, %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<2x3x4xf32> {
  %x = boost.embedding %u, %a : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %y = boost.embedding %v, %b : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %z = stablehlo.multiply %x, %y : tensor<2x3x4xf32>
  return %z : tensor<2x3x4xf32>
}

// -----

// Both only mask.
// CHECK-LABEL: func.func @masks
func.func @masks(%w: tensor<2x3xf32> {boost.tensor = #boost.tensor<param "w">},
                 %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">}, %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<2x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<2x3xf32>
  %same = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %x = stablehlo.select %same, %w, %zero : tensor<2x3xi1>, tensor<2x3xf32>
  return %x : tensor<2x3xf32>
}
