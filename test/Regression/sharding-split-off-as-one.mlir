// RUN: boost-prove %s --placement=given --mesh=tp=2
// `1x6 -> 1x2x3` cut along the 6 is `1x3 -> 1x1x3` on two ranks, and it is the
// second dimension that is sharded; boost-verify-spmd took it for the third.

module {
  func.func @main(%arg0: tensor<1x6xf32> {boost.arg = "param", boost.name = "w0", boost.sharding = #boost.sharding<{}, {"tp"}>}, %arg1: tensor<2x3xf32> {boost.arg = "param", boost.name = "w1", boost.sharding = #boost.sharding<{}, {}>}) -> tensor<f32> {
    %0 = stablehlo.reshape %arg0 : (tensor<1x6xf32>) -> tensor<1x2x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
    %2 = stablehlo.add %0, %1 : tensor<1x2x3xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<1x2x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x2x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %5 = stablehlo.divide %4, %cst_0 : tensor<f32>
    return %5 : tensor<f32>
  }
}
