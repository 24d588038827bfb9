// A product whose matrix the program shards by columns.
module {
  sdy.mesh @mesh = <["tp"=2]>
  func.func public @main(%a: tensor<8x8xf32> {boost.arg = "param", boost.name = "a", sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}, %x: tensor<16x8xf32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
    %y = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    return %loss : tensor<f32>
  }
}
