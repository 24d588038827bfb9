// A product whose columns are divided between two values, behind a bias.
func.func public @main(%w: tensor<16x32xf32> {boost.arg = "param", boost.name = "w"},
    %b: tensor<32xf32> {boost.arg = "param", boost.name = "b"},
    %down: tensor<16x16xf32> {boost.arg = "param", boost.name = "down"},
    %x: tensor<64x16xf32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
  %bias = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
  %both = stablehlo.add %y, %bias : tensor<64x32xf32>
  %gate = stablehlo.slice %both [0:64, 0:16] : (tensor<64x32xf32>) -> tensor<64x16xf32>
  %up = stablehlo.slice %both [0:64, 16:32] : (tensor<64x32xf32>) -> tensor<64x16xf32>
  %s = stablehlo.logistic %gate : tensor<64x16xf32>
  %h = stablehlo.multiply %s, %up : tensor<64x16xf32>
  %o = stablehlo.dot_general %h, %down, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %q = stablehlo.multiply %o, %o : tensor<64x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
