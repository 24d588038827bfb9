// RUN: boost-prove %s --placement=given --mesh=dp=2,tp=3 --seed=100
// Of a reshape and a sum over a dimension of local size 1 nothing is left: the
// all-reduce reads a sharded value, and boost-verify-spmd refused it.

module {
  func.func @main(%arg0: tensor<6xf32> {boost.arg = "param", boost.name = "w0", boost.sharding = #boost.sharding<{"dp", "tp"}>}, %arg1: tensor<6x6xf32> {boost.arg = "param", boost.name = "w1", boost.sharding = #boost.sharding<{}, {}>}) -> tensor<f32> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
    %7 = stablehlo.reshape %arg1 : (tensor<6x6xf32>) -> tensor<6x1x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<6x1x6xf32>, tensor<f32>) -> tensor<1x6xf32>
    %14 = stablehlo.multiply %11, %11 : tensor<1x6xf32>
    %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x6xf32>, tensor<f32>) -> tensor<f32>
    %17 = stablehlo.multiply %0, %0 : tensor<6x6xf32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x6xf32>, tensor<f32>) -> tensor<f32>
    %20 = stablehlo.add %15, %18 : tensor<f32>
    return %20 : tensor<f32>
  }
}
