// RUN: boost-prove %s --mesh=tp=2
// RUN: boost-compile %s --mesh=tp=2 --emit=plan -o %t
// The sizes 3 and 5 are no factors of each other, but there are 0 elements.

module {
  func.func @main(%p: tensor<4xf32> {boost.arg = "param", boost.name = "p"}, %x: tensor<0x3xf32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reshape %x : (tensor<0x3xf32>) -> tensor<0x5xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<0x5xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.multiply %p, %p : tensor<4xf32>
    %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %4 = stablehlo.add %1, %3 : tensor<f32>
    return %4 : tensor<f32>
  }
}
