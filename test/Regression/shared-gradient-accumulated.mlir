// RUN: boost-prove %s --mesh=dp=2 --accumulate=3
// Two parameters have one gradient, which is rounded to bf16; what accumulates
// reads it before that.

module {
  func.func @main(%a: tensor<8xbf16> {boost.arg = "param", boost.name = "a"}, %b: tensor<8xbf16> {boost.arg = "param", boost.name = "b"}, %x: tensor<4x8xbf16> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<8xbf16>) -> tensor<4x8xbf16>
    %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xbf16>) -> tensor<4x8xbf16>
    %2 = stablehlo.add %x, %0 : tensor<4x8xbf16>
    %3 = stablehlo.add %2, %1 : tensor<4x8xbf16>
    %4 = stablehlo.convert %3 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<4x8xf32>
    %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    return %6 : tensor<f32>
  }
}
