// A product of a matrix with 1024 columns, which the program shards over three
// ranks, and of rows that three does divide; the matrix is the only argument.
module {
  sdy.mesh @mesh = <["tp"=3]>
  func.func public @main(%a: tensor<1024x1024xf32> {boost.arg = "param", boost.name = "a", sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}) -> tensor<f32> {
    %x = stablehlo.constant dense<1.0> : tensor<18432x1024xf32>
    %y = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<18432x1024xf32>, tensor<1024x1024xf32>) -> tensor<18432x1024xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<18432x1024xf32>, tensor<f32>) -> tensor<f32>
    return %loss : tensor<f32>
  }
}
