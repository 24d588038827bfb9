// A product of two activations between two linears.
func.func public @main(%a: tensor<8x8xf32> {boost.arg = "param", boost.name = "a"}, %b: tensor<8x8xf32> {boost.arg = "param", boost.name = "b"}, %x: tensor<4x16x8xf32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
  %y = stablehlo.dot_general %x, %a, contracting_dims = [2] x [0] : (tensor<4x16x8xf32>, tensor<8x8xf32>) -> tensor<4x16x8xf32>
  %t = stablehlo.tanh %y : tensor<4x16x8xf32>
  %p = stablehlo.dot_general %t, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x8x8xf32>
  %z = stablehlo.dot_general %p, %b, contracting_dims = [2] x [0] : (tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}
