// RUN: boost-opt %s -boost-group-linears | FileCheck %s
// What names have in common stands before and behind the braces.

// CHECK-LABEL: func.func @around(
// CHECK-SAME:    #boost.tensor<param "layer.{q,k}.down">
// CHECK-SAME:    #boost.tensor<param "{a,b}">
func.func @around(%x: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "layer.q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "a">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "layer.k.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "b">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %q = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// One name is the beginning of the other, or its beginning and its end.
// CHECK-LABEL: func.func @within(
// CHECK-SAME:    #boost.tensor<param "q.{,x}">
// CHECK-SAME:    #boost.tensor<param "a.{,a}.b">
func.func @within(%x: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "a.b">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.x">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "a.a.b">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %q = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}
