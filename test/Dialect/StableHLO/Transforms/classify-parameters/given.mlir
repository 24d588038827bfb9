// RUN: boost-opt %s -boost-classify-parameters | FileCheck %s

// What a parameter says of itself stays, each of the two by itself.

// CHECK-LABEL: func @loss
// CHECK-SAME:    {boost.arg = "param", boost.decay = true, boost.init = "normal:0.5", boost.name = "a"}
// CHECK-SAME:    {boost.arg = "param", boost.decay = true, boost.init = "ones", boost.name = "b"}
// CHECK-SAME:    {boost.arg = "param", boost.decay = false, boost.init = "zeros", boost.name = "c"}
func.func @loss(
    %a: tensor<8xf32> {boost.arg = "param", boost.decay = true, boost.init = "normal:0.5", boost.name = "a"},
    %b: tensor<8xf32> {boost.arg = "param", boost.decay = true, boost.name = "b"},
    %c: tensor<8xf32> {boost.arg = "param", boost.init = "zeros", boost.name = "c"},
    %x: tensor<8xf32> {boost.arg = "batch", boost.name = "x"})
    -> (tensor<8xf32> {boost.name = "out0"}) {
  %0 = stablehlo.multiply %x, %a : tensor<8xf32>
  %1 = stablehlo.multiply %0, %b : tensor<8xf32>
  %2 = stablehlo.multiply %1, %c : tensor<8xf32>
  return %2 : tensor<8xf32>
}
