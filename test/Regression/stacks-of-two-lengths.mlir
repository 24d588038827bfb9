// RUN: boost-prove %s --mesh=tp=2
// RUN: boost-compile %s --mesh 1 --allow-float-batch -o %t && %t info
// Stacks of different lengths, of which the same layers are used, are no parts of
// one tensor.

module {
  func.func @main(%a: tensor<2x16x4xf32> {boost.arg = "param", boost.name = "a"}, %b: tensor<2x4x16xf32> {boost.arg = "param", boost.name = "b"}, %c: tensor<3x16x4xf32> {boost.arg = "param", boost.name = "c"}, %d: tensor<3x4x16xf32> {boost.arg = "param", boost.name = "d"}, %x: tensor<4x16xf32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %a0s = stablehlo.slice %a [0:1, 0:16, 0:4] : (tensor<2x16x4xf32>) -> tensor<1x16x4xf32>
    %a0 = stablehlo.reshape %a0s : (tensor<1x16x4xf32>) -> tensor<16x4xf32>
    %b0s = stablehlo.slice %b [0:1, 0:4, 0:16] : (tensor<2x4x16xf32>) -> tensor<1x4x16xf32>
    %b0 = stablehlo.reshape %b0s : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    %c0s = stablehlo.slice %c [0:1, 0:16, 0:4] : (tensor<3x16x4xf32>) -> tensor<1x16x4xf32>
    %c0 = stablehlo.reshape %c0s : (tensor<1x16x4xf32>) -> tensor<16x4xf32>
    %d0s = stablehlo.slice %d [0:1, 0:4, 0:16] : (tensor<3x4x16xf32>) -> tensor<1x4x16xf32>
    %d0 = stablehlo.reshape %d0s : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    %h = stablehlo.dot_general %x, %a0, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
    %y = stablehlo.dot_general %h, %b0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %g = stablehlo.dot_general %x, %c0, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
    %z = stablehlo.dot_general %g, %d0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %p = stablehlo.multiply %y, %z : tensor<4x16xf32>
    %sq = stablehlo.multiply %p, %p : tensor<4x16xf32>
    %s = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
    return %s : tensor<f32>
  }
}
