// Five layers of a residual stream, and the mean of its squares.
func.func public @main(%a0: tensor<4x16xf32> {boost.arg = "param", boost.name = "layers.0.down"}, %b0: tensor<16x4xf32> {boost.arg = "param", boost.name = "layers.0.up"}, %a1: tensor<4x16xf32> {boost.arg = "param", boost.name = "layers.1.down"}, %b1: tensor<16x4xf32> {boost.arg = "param", boost.name = "layers.1.up"}, %a2: tensor<4x16xf32> {boost.arg = "param", boost.name = "layers.2.down"}, %b2: tensor<16x4xf32> {boost.arg = "param", boost.name = "layers.2.up"}, %a3: tensor<4x16xf32> {boost.arg = "param", boost.name = "layers.3.down"}, %b3: tensor<16x4xf32> {boost.arg = "param", boost.name = "layers.3.up"}, %a4: tensor<4x16xf32> {boost.arg = "param", boost.name = "layers.4.down"}, %b4: tensor<16x4xf32> {boost.arg = "param", boost.name = "layers.4.up"},
    %x0: tensor<512x4xf32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
  %h0 = stablehlo.dot_general %x0, %a0, contracting_dims = [1] x [0] : (tensor<512x4xf32>, tensor<4x16xf32>) -> tensor<512x16xf32>
  %l0 = stablehlo.logistic %h0 : tensor<512x16xf32>
  %s0 = stablehlo.multiply %h0, %l0 : tensor<512x16xf32>
  %y0 = stablehlo.dot_general %s0, %b0, contracting_dims = [1] x [0] : (tensor<512x16xf32>, tensor<16x4xf32>) -> tensor<512x4xf32>
  %x1 = stablehlo.add %x0, %y0 : tensor<512x4xf32>
  %h1 = stablehlo.dot_general %x1, %a1, contracting_dims = [1] x [0] : (tensor<512x4xf32>, tensor<4x16xf32>) -> tensor<512x16xf32>
  %l1 = stablehlo.logistic %h1 : tensor<512x16xf32>
  %s1 = stablehlo.multiply %h1, %l1 : tensor<512x16xf32>
  %y1 = stablehlo.dot_general %s1, %b1, contracting_dims = [1] x [0] : (tensor<512x16xf32>, tensor<16x4xf32>) -> tensor<512x4xf32>
  %x2 = stablehlo.add %x1, %y1 : tensor<512x4xf32>
  %h2 = stablehlo.dot_general %x2, %a2, contracting_dims = [1] x [0] : (tensor<512x4xf32>, tensor<4x16xf32>) -> tensor<512x16xf32>
  %l2 = stablehlo.logistic %h2 : tensor<512x16xf32>
  %s2 = stablehlo.multiply %h2, %l2 : tensor<512x16xf32>
  %y2 = stablehlo.dot_general %s2, %b2, contracting_dims = [1] x [0] : (tensor<512x16xf32>, tensor<16x4xf32>) -> tensor<512x4xf32>
  %x3 = stablehlo.add %x2, %y2 : tensor<512x4xf32>
  %h3 = stablehlo.dot_general %x3, %a3, contracting_dims = [1] x [0] : (tensor<512x4xf32>, tensor<4x16xf32>) -> tensor<512x16xf32>
  %l3 = stablehlo.logistic %h3 : tensor<512x16xf32>
  %s3 = stablehlo.multiply %h3, %l3 : tensor<512x16xf32>
  %y3 = stablehlo.dot_general %s3, %b3, contracting_dims = [1] x [0] : (tensor<512x16xf32>, tensor<16x4xf32>) -> tensor<512x4xf32>
  %x4 = stablehlo.add %x3, %y3 : tensor<512x4xf32>
  %h4 = stablehlo.dot_general %x4, %a4, contracting_dims = [1] x [0] : (tensor<512x4xf32>, tensor<4x16xf32>) -> tensor<512x16xf32>
  %l4 = stablehlo.logistic %h4 : tensor<512x16xf32>
  %s4 = stablehlo.multiply %h4, %l4 : tensor<512x16xf32>
  %y4 = stablehlo.dot_general %s4, %b4, contracting_dims = [1] x [0] : (tensor<512x16xf32>, tensor<16x4xf32>) -> tensor<512x4xf32>
  %x5 = stablehlo.add %x4, %y4 : tensor<512x4xf32>
  %q = stablehlo.multiply %x5, %x5 : tensor<512x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x4xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<2048.0> : tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  return %loss : tensor<f32>
}
