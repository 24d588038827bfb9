// RUN: boost-prove %s --placement=given --mesh=dp=2,tp=3 --seed=5000
// Each rank has one logit of a token: maximum, denominator and picked logit are
// terms of a reduction over ranks before anything is reduced on a rank.

module {
  func.func @main(%arg0: tensor<3x2x6xf32> {boost.arg = "param", boost.name = "w0", boost.sharding = #boost.sharding<{}, {}, {"dp", "tp"}>}, %arg1: tensor<3x2xi32> {boost.id_limit = 6 : i64, boost.name = "ids1", boost.sharding = #boost.sharding<{}, {}>}) -> tensor<f32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<3x2x6xf32>, tensor<f32>) -> tensor<3x2xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<3x2xf32>) -> tensor<3x2x6xf32>
    %2 = stablehlo.subtract %arg0, %1 : tensor<3x2x6xf32>
    %3 = stablehlo.exponential %2 : tensor<3x2x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<3x2x6xf32>, tensor<f32>) -> tensor<3x2xf32>
    %5 = stablehlo.log %4 : tensor<3x2xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<3x2xf32>) -> tensor<3x2x6xf32>
    %7 = stablehlo.subtract %2, %6 : tensor<3x2x6xf32>
    %8 = stablehlo.iota dim = 2 : tensor<3x2x6xi32>
    %9 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<3x2xi32>) -> tensor<3x2x6xi32>
    %10 = stablehlo.compare EQ, %8, %9 : (tensor<3x2x6xi32>, tensor<3x2x6xi32>) -> tensor<3x2x6xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x2x6xf32>
    %12 = stablehlo.select %10, %7, %11 : tensor<3x2x6xi1>, tensor<3x2x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<3x2x6xf32>, tensor<f32>) -> tensor<3x2xf32>
    %14 = stablehlo.negate %13 : tensor<3x2xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<3x2xf32>
    %17 = stablehlo.multiply %16, %16 : tensor<3x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %19 = stablehlo.divide %18, %cst_5 : tensor<f32>
    return %19 : tensor<f32>
  }
}
