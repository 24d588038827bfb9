// RUN: boost-prove %s --mesh=tp=2
// One layer of stacked factors is also read beside its bottleneck: the stacks
// cannot be packed.

module {
  func.func @main(%a: tensor<2x16x4xf32> {boost.arg = "param", boost.name = "a"}, %b: tensor<2x4x16xf32> {boost.arg = "param", boost.name = "b"}, %c: tensor<2x16x4xf32> {boost.arg = "param", boost.name = "c"}, %d: tensor<2x4x16xf32> {boost.arg = "param", boost.name = "d"}, %x: tensor<4x16xf32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %a0s = stablehlo.slice %a [0:1, 0:16, 0:4] : (tensor<2x16x4xf32>) -> tensor<1x16x4xf32>
    %a0 = stablehlo.reshape %a0s : (tensor<1x16x4xf32>) -> tensor<16x4xf32>
    %b0s = stablehlo.slice %b [0:1, 0:4, 0:16] : (tensor<2x4x16xf32>) -> tensor<1x4x16xf32>
    %b0 = stablehlo.reshape %b0s : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    %c0s = stablehlo.slice %c [0:1, 0:16, 0:4] : (tensor<2x16x4xf32>) -> tensor<1x16x4xf32>
    %c0 = stablehlo.reshape %c0s : (tensor<1x16x4xf32>) -> tensor<16x4xf32>
    %d0s = stablehlo.slice %d [0:1, 0:4, 0:16] : (tensor<2x4x16xf32>) -> tensor<1x4x16xf32>
    %d0 = stablehlo.reshape %d0s : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    %h = stablehlo.dot_general %x, %a0, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
    %y = stablehlo.dot_general %h, %b0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %g = stablehlo.dot_general %x, %c0, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
    %z = stablehlo.dot_general %g, %d0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %p = stablehlo.multiply %y, %z : tensor<4x16xf32>
    %a1s = stablehlo.slice %a [1:2, 0:16, 0:4] : (tensor<2x16x4xf32>) -> tensor<1x16x4xf32>
    %a1 = stablehlo.reshape %a1s : (tensor<1x16x4xf32>) -> tensor<16x4xf32>
    %b1s = stablehlo.slice %b [1:2, 0:4, 0:16] : (tensor<2x4x16xf32>) -> tensor<1x4x16xf32>
    %b1 = stablehlo.reshape %b1s : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    %c1s = stablehlo.slice %c [1:2, 0:16, 0:4] : (tensor<2x16x4xf32>) -> tensor<1x16x4xf32>
    %c1 = stablehlo.reshape %c1s : (tensor<1x16x4xf32>) -> tensor<16x4xf32>
    %d1s = stablehlo.slice %d [1:2, 0:4, 0:16] : (tensor<2x4x16xf32>) -> tensor<1x4x16xf32>
    %d1 = stablehlo.reshape %d1s : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    %h1 = stablehlo.dot_general %p, %a1, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
    %y1 = stablehlo.dot_general %h1, %b1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %g1 = stablehlo.dot_general %p, %c1, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
    %z1 = stablehlo.dot_general %g1, %d1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %p1 = stablehlo.multiply %y1, %z1 : tensor<4x16xf32>
    %sq = stablehlo.multiply %p1, %p1 : tensor<4x16xf32>
    %s = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
    %tq = stablehlo.multiply %a0, %a0 : tensor<16x4xf32>
    %t = stablehlo.reduce(%tq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
    %u = stablehlo.add %s, %t : tensor<f32>
    return %u : tensor<f32>
  }
}
