// RUN: boost-prove %s --placement=given --mesh=dp=2,tp=2 --seed=100
// The sum over a dimension of which every rank holds one element is a reshape
// after canonicalization; boost-verify-spmd refused the all-reduce behind it.

module {
  func.func @main(%arg0: tensor<2xf32> {boost.arg = "param", boost.name = "w0", boost.sharding = #boost.sharding<{"tp"}>}) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %2 = stablehlo.multiply %1, %cst_0 : tensor<f32>
    return %2 : tensor<f32>
  }
}
