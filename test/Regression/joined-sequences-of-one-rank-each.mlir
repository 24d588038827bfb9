// RUN: boost-prove %s --mesh=dp=4
// `4x6 -> 1x24` with one sequence per rank is `1x6 -> 1x6` there: which dimension
// is sharded cannot be seen.

module {
  func.func @main(%w: tensor<8x8xf32> {boost.arg = "param", boost.name = "w"}, %x: tensor<4x6x8xf32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %j = stablehlo.reshape %y : (tensor<4x6x8xf32>) -> tensor<1x24x8xf32>
    %m = stablehlo.reduce(%j init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1x24x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %k = stablehlo.broadcast_in_dim %m, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x24x8xf32>
    %d = stablehlo.subtract %j, %k : tensor<1x24x8xf32>
    %c = stablehlo.dot_general %d, %j, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<1x24x8xf32>, tensor<1x24x8xf32>) -> tensor<1x24x24xf32>
    %sq = stablehlo.multiply %c, %c : tensor<1x24x24xf32>
    %s = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x24x24xf32>, tensor<f32>) -> tensor<f32>
    return %s : tensor<f32>
  }
}
