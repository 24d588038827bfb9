// RUN: boost-prove %s --placement=given --mesh=dp=2,tp=2
// A sum over tp was completed as a reduce-scatter along a dimension of size 2
// that dp had cut already: ranks were left with no element of it.

module {
  func.func @main(%arg0: tensor<3xf32> {boost.arg = "param", boost.name = "w0", boost.sharding = #boost.sharding<{}>}, %arg1: tensor<3x2xf32> {boost.arg = "param", boost.name = "w1", boost.sharding = #boost.sharding<{}, {"dp"}>}, %arg2: tensor<2x2xf32> {boost.arg = "param", boost.name = "w2", boost.sharding = #boost.sharding<{"tp"}, {"dp"}>}, %arg3: tensor<2x6xf32> {boost.arg = "param", boost.name = "w3", boost.sharding = #boost.sharding<{"tp"}, {}>}, %arg4: tensor<2x4xf32> {boost.arg = "param", boost.name = "w4", boost.sharding = #boost.sharding<{}, {}>}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3x2xf32>) -> tensor<2xf32>
    %1 = stablehlo.dot_general %0, %arg2, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
    %2 = stablehlo.dot_general %1, %arg3, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2x6xf32>) -> tensor<6xf32>
    %3 = stablehlo.dot_general %1, %arg4, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2x4xf32>) -> tensor<4xf32>
    %4 = stablehlo.multiply %2, %2 : tensor<6xf32>
    %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %6 = stablehlo.multiply %3, %3 : tensor<4xf32>
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %8 = stablehlo.add %5, %7 : tensor<f32>
    return %8 : tensor<f32>
  }
}
