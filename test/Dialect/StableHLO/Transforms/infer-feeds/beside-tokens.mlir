// RUN: boost-opt %s -split-input-file --boost-infer-feeds | FileCheck %s
// What is fed beside tokens is told by type and name, inputs and targets by their uses.

// CHECK-LABEL: func.func @all
// CHECK-SAME:    #boost.tensor<batch "batch.loss_mask", feed = mask>
// CHECK-SAME:    #boost.tensor<batch "batch.position_ids", feed = positions>
// CHECK-SAME:    #boost.tensor<batch "batch.segments", feed = segments>
// CHECK-SAME:    #boost.tensor<batch "batch.a", feed = targets>
// CHECK-SAME:    #boost.tensor<batch "batch.b", feed = inputs>
// CHECK-SAME:    #boost.tensor<batch "step", feed = step>
func.func @all(%table: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "table">}, %places: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "places">},
               %mask: tensor<2x3xf32> {boost.tensor = #boost.tensor<batch "batch.loss_mask">},
               %positions: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "batch.position_ids">},
               %segments: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "batch.segments">},
               %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "batch.a">}, %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "batch.b">},
               %step: tensor<i32> {boost.tensor = #boost.tensor<batch "step">}) -> tensor<2x3xf32> {
  %x = boost.embedding %table, %b : (tensor<8x8xf32>, tensor<2x3xi32>) -> tensor<2x3x8xf32>
  %y = boost.embedding %places, %positions : (tensor<3x8xf32>, tensor<2x3xi32>) -> tensor<2x3x8xf32>
  %z = stablehlo.add %x, %y : tensor<2x3x8xf32>
  %losses, %lse = boost.cross_entropy %z, %a : (tensor<2x3x8xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %kept = stablehlo.multiply %losses, %mask : tensor<2x3xf32>
  return %kept : tensor<2x3xf32>
}

// -----

// The one argument of ids is tokens, also beside a mask of ids or one of a column less.
// CHECK-LABEL: func.func @joined
// CHECK-SAME:    #boost.tensor<batch "ids", feed = tokens>
// CHECK-SAME:    #boost.tensor<batch "mask", feed = mask>
// CHECK-SAME:    #boost.tensor<batch "positions", feed = positions>
func.func @joined(%w: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "w">}, %ids: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "ids">},
                  %mask: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "mask">},
                  %positions: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "positions">}) -> tensor<2x4xf32> {
  return %w : tensor<2x4xf32>
}

// -----

// Two arguments that explain each other are inputs and targets, whatever they are called.
// CHECK-LABEL: func.func @lying
// CHECK-SAME:    #boost.tensor<batch "mask", feed = targets>
// CHECK-SAME:    #boost.tensor<batch "positions", feed = inputs>
func.func @lying(%table: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "table">},
                 %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "mask">}, %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "positions">}) -> tensor<2x3xf32> {
  %x = boost.embedding %table, %b : (tensor<8x8xf32>, tensor<2x3xi32>) -> tensor<2x3x8xf32>
  %losses, %lse = boost.cross_entropy %x, %a : (tensor<2x3x8xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return %losses : tensor<2x3xf32>
}

// -----

// Of three, what parameters act on is inputs; either of the others may be targets.
// CHECK-LABEL: func.func @partly
// CHECK-SAME:    #boost.tensor<batch "a">
// CHECK-SAME:    #boost.tensor<batch "b", feed = inputs>
// CHECK-SAME:    #boost.tensor<batch "c">
func.func @partly(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">}, %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                  %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">}, %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">},
                  %c: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "c">}) -> tensor<2x3xf32> {
  %x = boost.embedding %table, %b : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %y = boost.linear %x, %head : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
  %losses, %lse = boost.cross_entropy %y, %a : (tensor<2x3x8xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %weights = stablehlo.convert %c : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %kept = stablehlo.multiply %losses, %weights : tensor<2x3xf32>
  return %kept : tensor<2x3xf32>
}
