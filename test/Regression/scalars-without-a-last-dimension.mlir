// RUN: boost-prove %s --mesh=1 --mesh=tp=2
// Neither a product of two scalars nor a gather from one is a pick along the
// last dimension.

module {
  func.func @main(%p: tensor<f32> {boost.arg = "param", boost.name = "p"}, %x: tensor<f32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
    %0 = stablehlo.dot_general %p, %x, contracting_dims = [] x [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %none = stablehlo.constant dense<0> : tensor<3x0xi32>
    %1 = "stablehlo.gather"(%p, %none) <{dimension_numbers = #stablehlo.gather<index_vector_dim = 1>, slice_sizes = array<i64>}> : (tensor<f32>, tensor<3x0xi32>) -> tensor<3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.add %0, %2 : tensor<f32>
    return %3 : tensor<f32>
  }
}
