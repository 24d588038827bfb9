// Nine layers, and a head that has 16 times the floating-point operations of one.
func.func public @main(%w0: tensor<16x16xf32> {boost.arg = "param", boost.name = "layers.0.w"}, %w1: tensor<16x16xf32> {boost.arg = "param", boost.name = "layers.1.w"}, %w2: tensor<16x16xf32> {boost.arg = "param", boost.name = "layers.2.w"}, %w3: tensor<16x16xf32> {boost.arg = "param", boost.name = "layers.3.w"}, %w4: tensor<16x16xf32> {boost.arg = "param", boost.name = "layers.4.w"}, %w5: tensor<16x16xf32> {boost.arg = "param", boost.name = "layers.5.w"}, %w6: tensor<16x16xf32> {boost.arg = "param", boost.name = "layers.6.w"}, %w7: tensor<16x16xf32> {boost.arg = "param", boost.name = "layers.7.w"}, %w8: tensor<16x16xf32> {boost.arg = "param", boost.name = "layers.8.w"},
    %head: tensor<16x256xf32> {boost.arg = "param", boost.name = "head"},
    %x0: tensor<64x16xf32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
  %h0 = stablehlo.dot_general %x0, %w0, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %l0 = stablehlo.logistic %h0 : tensor<64x16xf32>
  %x1 = stablehlo.add %x0, %l0 : tensor<64x16xf32>
  %h1 = stablehlo.dot_general %x1, %w1, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %l1 = stablehlo.logistic %h1 : tensor<64x16xf32>
  %x2 = stablehlo.add %x1, %l1 : tensor<64x16xf32>
  %h2 = stablehlo.dot_general %x2, %w2, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %l2 = stablehlo.logistic %h2 : tensor<64x16xf32>
  %x3 = stablehlo.add %x2, %l2 : tensor<64x16xf32>
  %h3 = stablehlo.dot_general %x3, %w3, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %l3 = stablehlo.logistic %h3 : tensor<64x16xf32>
  %x4 = stablehlo.add %x3, %l3 : tensor<64x16xf32>
  %h4 = stablehlo.dot_general %x4, %w4, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %l4 = stablehlo.logistic %h4 : tensor<64x16xf32>
  %x5 = stablehlo.add %x4, %l4 : tensor<64x16xf32>
  %h5 = stablehlo.dot_general %x5, %w5, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %l5 = stablehlo.logistic %h5 : tensor<64x16xf32>
  %x6 = stablehlo.add %x5, %l5 : tensor<64x16xf32>
  %h6 = stablehlo.dot_general %x6, %w6, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %l6 = stablehlo.logistic %h6 : tensor<64x16xf32>
  %x7 = stablehlo.add %x6, %l6 : tensor<64x16xf32>
  %h7 = stablehlo.dot_general %x7, %w7, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %l7 = stablehlo.logistic %h7 : tensor<64x16xf32>
  %x8 = stablehlo.add %x7, %l7 : tensor<64x16xf32>
  %h8 = stablehlo.dot_general %x8, %w8, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %l8 = stablehlo.logistic %h8 : tensor<64x16xf32>
  %x9 = stablehlo.add %x8, %l8 : tensor<64x16xf32>
  %y = stablehlo.dot_general %x9, %head, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x256xf32>) -> tensor<64x256xf32>
  %q = stablehlo.multiply %y, %y : tensor<64x256xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
