// Seven layers of a residual stream over four long rows: in micro-batches a step takes hardly longer.
func.func private @layer(%x: tensor<4x16384x16xf32>, %a: tensor<16x256xf32>, %b: tensor<256x16xf32>) -> tensor<4x16384x16xf32> {
  %h = stablehlo.dot_general %x, %a, contracting_dims = [2] x [0] : (tensor<4x16384x16xf32>, tensor<16x256xf32>) -> tensor<4x16384x256xf32>
  %l = stablehlo.logistic %h : tensor<4x16384x256xf32>
  %s = stablehlo.multiply %h, %l : tensor<4x16384x256xf32>
  %y = stablehlo.dot_general %s, %b, contracting_dims = [2] x [0] : (tensor<4x16384x256xf32>, tensor<256x16xf32>) -> tensor<4x16384x16xf32>
  %z = stablehlo.add %x, %y : tensor<4x16384x16xf32>
  return %z : tensor<4x16384x16xf32>
}
func.func public @main(
    %a0: tensor<16x256xf32> {boost.arg = "param", boost.name = "layers.0.up"}, %b0: tensor<256x16xf32> {boost.arg = "param", boost.name = "layers.0.down"},
    %a1: tensor<16x256xf32> {boost.arg = "param", boost.name = "layers.1.up"}, %b1: tensor<256x16xf32> {boost.arg = "param", boost.name = "layers.1.down"},
    %a2: tensor<16x256xf32> {boost.arg = "param", boost.name = "layers.2.up"}, %b2: tensor<256x16xf32> {boost.arg = "param", boost.name = "layers.2.down"},
    %a3: tensor<16x256xf32> {boost.arg = "param", boost.name = "layers.3.up"}, %b3: tensor<256x16xf32> {boost.arg = "param", boost.name = "layers.3.down"},
    %a4: tensor<16x256xf32> {boost.arg = "param", boost.name = "layers.4.up"}, %b4: tensor<256x16xf32> {boost.arg = "param", boost.name = "layers.4.down"},
    %a5: tensor<16x256xf32> {boost.arg = "param", boost.name = "layers.5.up"}, %b5: tensor<256x16xf32> {boost.arg = "param", boost.name = "layers.5.down"},
    %a6: tensor<16x256xf32> {boost.arg = "param", boost.name = "layers.6.up"}, %b6: tensor<256x16xf32> {boost.arg = "param", boost.name = "layers.6.down"},
    %x0: tensor<4x16384x16xf32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
  %x1 = call @layer(%x0, %a0, %b0) : (tensor<4x16384x16xf32>, tensor<16x256xf32>, tensor<256x16xf32>) -> tensor<4x16384x16xf32>
  %x2 = call @layer(%x1, %a1, %b1) : (tensor<4x16384x16xf32>, tensor<16x256xf32>, tensor<256x16xf32>) -> tensor<4x16384x16xf32>
  %x3 = call @layer(%x2, %a2, %b2) : (tensor<4x16384x16xf32>, tensor<16x256xf32>, tensor<256x16xf32>) -> tensor<4x16384x16xf32>
  %x4 = call @layer(%x3, %a3, %b3) : (tensor<4x16384x16xf32>, tensor<16x256xf32>, tensor<256x16xf32>) -> tensor<4x16384x16xf32>
  %x5 = call @layer(%x4, %a4, %b4) : (tensor<4x16384x16xf32>, tensor<16x256xf32>, tensor<256x16xf32>) -> tensor<4x16384x16xf32>
  %x6 = call @layer(%x5, %a5, %b5) : (tensor<4x16384x16xf32>, tensor<16x256xf32>, tensor<256x16xf32>) -> tensor<4x16384x16xf32>
  %x7 = call @layer(%x6, %a6, %b6) : (tensor<4x16384x16xf32>, tensor<16x256xf32>, tensor<256x16xf32>) -> tensor<4x16384x16xf32>
  %q = stablehlo.multiply %x7, %x7 : tensor<4x16384x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x16384x16xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}
