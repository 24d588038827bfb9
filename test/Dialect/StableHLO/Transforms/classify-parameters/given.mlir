// RUN: boost-opt %s -boost-classify-parameters | FileCheck %s

// What a parameter says of itself stays, each of the two by itself.

// CHECK-LABEL: func @loss
// CHECK-SAME:    {boost.tensor = #boost.tensor<param "a", init = "normal:0.5", decay = true>}
// CHECK-SAME:    {boost.tensor = #boost.tensor<param "b", init = "ones", decay = true>}
// CHECK-SAME:    {boost.tensor = #boost.tensor<param "c", init = "zeros", decay = false>}
func.func @loss(
    %a: tensor<8xf32> {boost.tensor = #boost.tensor<param "a", init = "normal:0.5", decay = true>},
    %b: tensor<8xf32> {boost.tensor = #boost.tensor<param "b", decay = true>},
    %c: tensor<8xf32> {boost.tensor = #boost.tensor<param "c", init = "zeros">},
    %x: tensor<8xf32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<8xf32> {boost.tensor = #boost.tensor<output "out0">}) {
  %0 = stablehlo.multiply %x, %a : tensor<8xf32>
  %1 = stablehlo.multiply %0, %b : tensor<8xf32>
  %2 = stablehlo.multiply %1, %c : tensor<8xf32>
  return %2 : tensor<8xf32>
}
