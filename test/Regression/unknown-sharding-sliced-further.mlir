// RUN: boost-prove %s --placement=given --mesh=dp=2,tp=2 --seed=100
// A dimension of which boost-verify-spmd could not tell how it is sharded was taken
// to be sharded over one axis alone once it was sliced over that one.

module {
  func.func @main(%arg0: tensor<8x2xf32> {boost.arg = "param", boost.name = "w0", boost.sharding = #boost.sharding<{"dp", "tp"}, {}>}) -> tensor<f32> {
    %0 = stablehlo.tanh %arg0 : tensor<8x2xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<8x2xf32>) -> tensor<2x4x2xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<2x4x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x4x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %4 = stablehlo.multiply %3, %cst_0 : tensor<f32>
    %5 = stablehlo.multiply %0, %0 : tensor<8x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %7 = stablehlo.multiply %6, %cst_2 : tensor<f32>
    %8 = stablehlo.add %4, %7 : tensor<f32>
    return %8 : tensor<f32>
  }
}
