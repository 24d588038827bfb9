// RUN: boost-prove %s --placement=given --mesh=tp=2
// RUN: boost-prove %s --placement=given --mesh=dp=2,tp=2
// A product that reads a value twice, once transposed: sharding the shared
// dimension sharded both dimensions of the value over one axis, which is invalid.

module {
  func.func @main(%arg0: tensor<8x8xf32> {boost.arg = "param", boost.name = "w0", boost.sharding = #boost.sharding<{}, {}>}, %arg1: tensor<8xf32> {boost.arg = "param", boost.name = "w1", boost.sharding = #boost.sharding<{"tp"}>}) -> tensor<f32> {
    %0 = stablehlo.tanh %arg0 : tensor<8x8xf32>
    %1 = stablehlo.dot_general %0, %0, batching_dims = [1] x [0], contracting_dims = [0] x [1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    %2 = stablehlo.multiply %1, %arg1 : tensor<8xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %4 : tensor<f32>
  }
}
