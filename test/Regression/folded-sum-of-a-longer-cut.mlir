// RUN: boost-prove %s --placement=given --mesh=tp=2 --seed=5000
// `4 -> 2x2`, summed over the first dimension, is `2 -> 1x2 -> 2` on two ranks:
// nothing was left of it, and boost-verify-spmd took the all-reduce for one of a
// complete value, and the addition for one of differently cut operands.

module {
  func.func @main(%arg0: tensor<4xf32> {boost.arg = "param", boost.name = "w0", boost.sharding = #boost.sharding<{"tp"}>}, %arg1: tensor<4xf32> {boost.arg = "param", boost.name = "w1", boost.sharding = #boost.sharding<{"tp"}>}, %arg2: tensor<4x2xf32> {boost.arg = "param", boost.name = "w2", boost.sharding = #boost.sharding<{"tp"}, {}>}, %arg3: tensor<4xf32> {boost.arg = "param", boost.name = "w3", boost.sharding = #boost.sharding<{"tp"}>}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<2x2xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<2xf32>
    %3 = stablehlo.reshape %arg1 : (tensor<4xf32>) -> tensor<2x2xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %5 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4x2xf32>) -> tensor<2xf32>
    %6 = stablehlo.add %4, %5 : tensor<2xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<2xf32>
    %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    return %8 : tensor<f32>
  }
}
