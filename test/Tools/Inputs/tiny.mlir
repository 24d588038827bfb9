module @jit_loss {
  func.func public @main(%arg0: tensor<64xf32> {boost.arg = "param", boost.name = "norm"}, %arg1: tensor<64x16xf32> {boost.arg = "param", boost.name = "down"}, %arg2: tensor<16x64xf32> {boost.arg = "param", boost.name = "up"}, %arg3: tensor<4x8x64xf32> {boost.arg = "batch", boost.name = "x"}) -> (tensor<f32> {boost.name = "loss"}) {
    %cst = stablehlo.constant dense<9.99999997E-7> : tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4x8x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.multiply %arg3, %arg3 : tensor<4x8x64xf32>
    %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x8x64xf32>, tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %3 = stablehlo.divide %2, %cst_0 : tensor<4x8x1xf32>
    %4 = stablehlo.add %3, %cst : tensor<4x8x1xf32>
    %5 = stablehlo.rsqrt %4 : tensor<4x8x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x64xf32>
    %7 = stablehlo.multiply %arg3, %6 : tensor<4x8x64xf32>
    %8 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<64xf32>) -> tensor<4x8x64xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<4x8x64xf32>
    %10 = stablehlo.dot_general %9, %arg1, contracting_dims = [2] x [0] : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
    %11 = stablehlo.logistic %10 : tensor<4x8x16xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<4x8x16xf32>
    %13 = stablehlo.dot_general %12, %arg2, contracting_dims = [2] x [0] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %14 = stablehlo.add %arg3, %13 : tensor<4x8x64xf32>
    %15 = stablehlo.multiply %14, %14 : tensor<4x8x64xf32>
    %16 = stablehlo.reduce(%15 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x8x64xf32>, tensor<f32>) -> tensor<f32>
    return %16 : tensor<f32>
  }
}
