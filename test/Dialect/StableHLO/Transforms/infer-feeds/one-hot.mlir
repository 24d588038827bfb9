// RUN: boost-opt %s -split-input-file --boost-infer-feeds | FileCheck %s
// Ids that are compared: a one-hot row is a lookup or picks as a gather does, in any spelling; any other comparison is
// a mask, which tells nothing.

// Numbers come first, and the row is multiplied with the table.
// CHECK-LABEL: func.func @looked_up
// CHECK-SAME:    #boost.tensor<batch "a", feed = inputs>
// CHECK-SAME:    #boost.tensor<batch "b", feed = targets>
func.func @looked_up(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">}, %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                     %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">}, %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<2x3xf32> {
  %n = stablehlo.iota dim = 2 : tensor<2x3x8xi32>
  %i = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x8xi32>
  %p = stablehlo.compare EQ, %n, %i : (tensor<2x3x8xi32>, tensor<2x3x8xi32>) -> tensor<2x3x8xi1>
  %o = stablehlo.convert %p : (tensor<2x3x8xi1>) -> tensor<2x3x8xf32>
  %x = stablehlo.dot_general %o, %table, contracting_dims = [2] x [0] : (tensor<2x3x8xf32>, tensor<8x4xf32>) -> tensor<2x3x4xf32>
  %y = boost.linear %x, %head : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
  %losses, %lse = boost.cross_entropy %y, %b : (tensor<2x3x8xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return %losses : tensor<2x3xf32>
}

// -----

// The row picks a label; NE is its complement.
// CHECK-LABEL: func.func @picked
// CHECK-SAME:    #boost.tensor<batch "a", feed = targets>
// CHECK-SAME:    #boost.tensor<batch "b", feed = inputs>
func.func @picked(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">}, %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                  %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">}, %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<2x3x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<2x3x8xf32>
  %x = boost.embedding %table, %b : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %y = boost.linear %x, %head : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
  %n = stablehlo.iota dim = 2 : tensor<2x3x8xi32>
  %i = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x8xi32>
  %p = stablehlo.compare NE, %i, %n : (tensor<2x3x8xi32>, tensor<2x3x8xi32>) -> tensor<2x3x8xi1>
  %picked = stablehlo.select %p, %zero, %y : tensor<2x3x8xi1>, tensor<2x3x8xf32>
  return %picked : tensor<2x3x8xf32>
}

// -----

// An order, equality with one number, and equality of both: masks.
// CHECK-LABEL: func.func @masks
// CHECK-SAME:    #boost.tensor<batch "a", feed = inputs>
// CHECK-SAME:    #boost.tensor<batch "b", feed = targets>
func.func @masks(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">}, %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                 %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">}, %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">}) -> tensor<2x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<2x3xf32>
  %x = boost.embedding %table, %a : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %y = boost.linear %x, %head : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
  %losses, %lse = boost.cross_entropy %y, %b : (tensor<2x3x8xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %n = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %later = stablehlo.compare GT, %a, %n : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %0 = stablehlo.select %later, %losses, %zero : tensor<2x3xi1>, tensor<2x3xf32>
  %pad = stablehlo.constant dense<0> : tensor<2x3xi32>
  %isPad = stablehlo.compare EQ, %pad, %a : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %1 = stablehlo.select %isPad, %zero, %0 : tensor<2x3xi1>, tensor<2x3xf32>
  %same = stablehlo.compare EQ, %a, %b : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %2 = stablehlo.select %same, %1, %zero : tensor<2x3xi1>, tensor<2x3xf32>
  %signs = stablehlo.sign %a : tensor<2x3xi32>
  %weights = stablehlo.convert %signs : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %3 = stablehlo.multiply %2, %weights : tensor<2x3xf32>
  %isSet = stablehlo.convert %a : (tensor<2x3xi32>) -> tensor<2x3xi1>
  %4 = stablehlo.select %isSet, %3, %zero : tensor<2x3xi1>, tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}
