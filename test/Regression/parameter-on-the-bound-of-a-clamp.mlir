// RUN: boost-prove %s --placement=given --mesh=1 --seed=424242 --remat=none
// RUN: boost-prove %s --placement=given --mesh=1 --seed=5 --remat=none
// Elements of a bf16 parameter are exactly -0.5 or 0.75: there the loss has two
// slopes, and a gradient is one of them.

module {
  func.func @main(%arg0: tensor<3xf32> {boost.arg = "param", boost.name = "w0", boost.sharding = #boost.sharding<{}>}, %arg1: tensor<3x2xf32> {boost.arg = "param", boost.name = "w1", boost.sharding = #boost.sharding<{}, {}>}, %arg2: tensor<3x4x8xbf16> {boost.arg = "param", boost.name = "w2", boost.sharding = #boost.sharding<{}, {}, {}>}, %arg3: tensor<4x8xf32> {boost.arg = "param", boost.name = "w3", boost.sharding = #boost.sharding<{}, {}>}) -> tensor<f32> {
    %0 = stablehlo.tanh %arg0 : tensor<3xf32>
    %1 = stablehlo.tanh %arg1 : tensor<3x2xf32>
    %2 = stablehlo.convert %arg2 : (tensor<3x4x8xbf16>) -> tensor<3x4x8xf32>
    %3 = stablehlo.tanh %2 : tensor<3x4x8xf32>
    %4 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<3x4x8xf32>
    %5 = stablehlo.subtract %3, %4 : tensor<3x4x8xf32>
    %6 = stablehlo.tanh %5 : tensor<3x4x8xf32>
    %7 = stablehlo.tanh %6 : tensor<3x4x8xf32>
    %8 = stablehlo.tanh %7 : tensor<3x4x8xf32>
    %9 = stablehlo.tanh %8 : tensor<3x4x8xf32>
    %10 = stablehlo.tanh %9 : tensor<3x4x8xf32>
    %11 = stablehlo.tanh %10 : tensor<3x4x8xf32>
    %12 = stablehlo.tanh %11 : tensor<3x4x8xf32>
    %13 = stablehlo.convert %12 : (tensor<3x4x8xf32>) -> tensor<3x4x8xbf16>
    %14 = stablehlo.add %13, %13 : tensor<3x4x8xbf16>
    %15 = stablehlo.convert %14 : (tensor<3x4x8xbf16>) -> tensor<3x4x8xf32>
    %16 = stablehlo.tanh %15 : tensor<3x4x8xf32>
    %cst = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %cst_0 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %17 = stablehlo.clamp %cst, %2, %cst_0 : (tensor<f32>, tensor<3x4x8xf32>, tensor<f32>) -> tensor<3x4x8xf32>
    %18 = stablehlo.multiply %17, %17 : tensor<3x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %20 = stablehlo.divide %19, %cst_2 : tensor<f32>
    %21 = stablehlo.multiply %16, %16 : tensor<3x4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %23 = stablehlo.divide %22, %cst_4 : tensor<f32>
    %24 = stablehlo.add %20, %23 : tensor<f32>
    %25 = stablehlo.multiply %1, %1 : tensor<3x2xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %27 = stablehlo.divide %26, %cst_6 : tensor<f32>
    %28 = stablehlo.add %24, %27 : tensor<f32>
    %29 = stablehlo.multiply %0, %0 : tensor<3xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %31 = stablehlo.divide %30, %cst_8 : tensor<f32>
    %32 = stablehlo.add %28, %31 : tensor<f32>
    return %32 : tensor<f32>
  }
}
