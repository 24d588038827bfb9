module @jit_loss attributes {boost.initial_values = "sha256:7567a675799a2165defae92b492bffc12a259f86bc592f694bab78833e0235ba"} {
  func.func public @loss(%arg0: tensor<16x4xf64> {boost.tensor = #boost.tensor<param "down1">}, %arg1: tensor<16x4xf64> {boost.tensor = #boost.tensor<param "down2">}, %arg2: tensor<32x16xf64> {boost.tensor = #boost.tensor<param "embed">}, %arg3: tensor<4x16xf64> {boost.tensor = #boost.tensor<param "up1">}, %arg4: tensor<4x16xf64> {boost.tensor = #boost.tensor<param "up2">}, %arg5: tensor<4x8xi32> {boost.tensor = #boost.tensor<batch "targets">}, %arg6: tensor<4x8xi32> {boost.tensor = #boost.tensor<batch "tokens">}) -> (tensor<f64> {boost.tensor = #boost.tensor<loss "loss">}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %1 = stablehlo.compare LT, %arg6, %0, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %3 = stablehlo.add %arg6, %2 : tensor<4x8xi32>
    %4 = stablehlo.select %1, %3, %arg6 : tensor<4x8xi1>, tensor<4x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %6 = "stablehlo.gather"(%arg2, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf64>, tensor<4x8x1xi32>) -> tensor<4x8x16xf64>
    %7 = stablehlo.dot_general %6, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf64>, tensor<16x4xf64>) -> tensor<4x8x4xf64>
    %8 = call @silu(%7) : (tensor<4x8x4xf64>) -> tensor<4x8x4xf64>
    %9 = stablehlo.dot_general %8, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4xf64>, tensor<4x16xf64>) -> tensor<4x8x16xf64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x8x16xf64>
    %11 = stablehlo.add %10, %9 : tensor<4x8x16xf64>
    %12 = stablehlo.dot_general %6, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf64>, tensor<16x4xf64>) -> tensor<4x8x4xf64>
    %13 = call @silu(%12) : (tensor<4x8x4xf64>) -> tensor<4x8x4xf64>
    %14 = stablehlo.dot_general %13, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4xf64>, tensor<4x16xf64>) -> tensor<4x8x16xf64>
    %15 = stablehlo.add %11, %14 : tensor<4x8x16xf64>
    %16 = stablehlo.add %6, %15 : tensor<4x8x16xf64>
    %17 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<32x16xf64>) -> tensor<16x32xf64>
    %18 = stablehlo.dot_general %16, %17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf64>, tensor<16x32xf64>) -> tensor<4x8x32xf64>
    %19 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %20 = call @take_along_axis(%18, %19) : (tensor<4x8x32xf64>, tensor<4x8x1xi32>) -> tensor<4x8x1xf64>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %21 = call @_take(%20, %c_1) : (tensor<4x8x1xf64>, tensor<i32>) -> tensor<4x8xf64>
    %cst_2 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %22 = stablehlo.reduce(%18 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf64>, tensor<f64>) -> tensor<4x8xf64>
    %cst_3 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<4x8xf64>
    %24 = stablehlo.maximum %23, %22 : tensor<4x8xf64>
    %25 = stablehlo.is_finite %24 : (tensor<4x8xf64>) -> tensor<4x8xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<4x8xf64>
    %27 = stablehlo.select %25, %24, %26 : tensor<4x8xi1>, tensor<4x8xf64>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<4x8xf64>) -> tensor<4x8x1xf64>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<4x8x1xf64>) -> tensor<4x8x32xf64>
    %30 = stablehlo.subtract %18, %29 : tensor<4x8x32xf64>
    %31 = stablehlo.exponential %30 : tensor<4x8x32xf64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %32 = stablehlo.reduce(%31 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf64>, tensor<f64>) -> tensor<4x8xf64>
    %33 = stablehlo.sign %32 : tensor<4x8xf64>
    %34 = stablehlo.abs %32 : tensor<4x8xf64>
    %35 = stablehlo.log %34 : tensor<4x8xf64>
    %36 = stablehlo.add %35, %27 : tensor<4x8xf64>
    %37 = stablehlo.subtract %36, %21 : tensor<4x8xf64>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %38 = stablehlo.reduce(%37 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf64>, tensor<f64>) -> tensor<f64>
    %cst_7 = stablehlo.constant dense<3.200000e+01> : tensor<f64>
    %39 = stablehlo.divide %38, %cst_7 : tensor<f64>
    return %39 : tensor<f64>
  }
  func.func private @silu(%arg0: tensor<4x8x4xf64>) -> tensor<4x8x4xf64> {
    %0 = stablehlo.negate %arg0 : tensor<4x8x4xf64>
    %1 = stablehlo.exponential %0 : tensor<4x8x4xf64>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x8x4xf64>
    %3 = stablehlo.add %2, %1 : tensor<4x8x4xf64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x8x4xf64>
    %5 = stablehlo.divide %4, %3 : tensor<4x8x4xf64>
    %6 = stablehlo.multiply %arg0, %5 : tensor<4x8x4xf64>
    return %6 : tensor<4x8x4xf64>
  }
  func.func private @take_along_axis(%arg0: tensor<4x8x32xf64>, %arg1: tensor<4x8x1xi32>) -> tensor<4x8x1xf64> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x8x1xi32>, tensor<4x8x1xi32>) -> tensor<4x8x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x8x1xi1>, tensor<4x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x8x1xi32>) -> tensor<4x8x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x8x1x1xi1>, tensor<i1>) -> tensor<4x8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x32xf64>, tensor<4x8x1x1xi32>) -> tensor<4x8x1xf64>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x8x1xf64>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x8x1xi1>, tensor<4x8x1xf64>
    return %15 : tensor<4x8x1xf64>
  }
  func.func private @_take(%arg0: tensor<4x8x1xf64>, %arg1: tensor<i32>) -> tensor<4x8xf64> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = call @_where(%0, %1, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<1xi32>
    %4 = stablehlo.convert %3 : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %7 = stablehlo.compare LE, %4, %c_1, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %8 = stablehlo.and %6, %7 : tensor<1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.reduce(%8 init: %c_3) applies stablehlo.and across dimensions = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<i1>
    %10 = "stablehlo.gather"(%arg0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2]>, indices_are_sorted = false, slice_sizes = array<i64: 4, 8, 1>}> : (tensor<4x8x1xf64>, tensor<1xi32>) -> tensor<4x8xf64>
    %11 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<4x8xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x8xf64>
    %13 = stablehlo.select %11, %10, %12 : tensor<4x8xi1>, tensor<4x8xf64>
    return %13 : tensor<4x8xf64>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  module @optimizer {
    func.func public @sgd(%arg0: tensor<32x16xf64> {boost.tensor = #boost.tensor<param "embed">}, %arg1: tensor<16x4xf64> {boost.tensor = #boost.tensor<param "down1">}, %arg2: tensor<4x16xf64> {boost.tensor = #boost.tensor<param "up1">}, %arg3: tensor<16x4xf64> {boost.tensor = #boost.tensor<param "down2">}, %arg4: tensor<4x16xf64> {boost.tensor = #boost.tensor<param "up2">}, %arg5: tensor<32x16xf64> {boost.tensor = #boost.tensor<state "momentum.embed", kind = "momentum", of = "embed", init = "zeros">}, %arg6: tensor<16x4xf64> {boost.tensor = #boost.tensor<state "momentum.down1", kind = "momentum", of = "down1", init = "zeros">}, %arg7: tensor<4x16xf64> {boost.tensor = #boost.tensor<state "momentum.up1", kind = "momentum", of = "up1", init = "zeros">}, %arg8: tensor<16x4xf64> {boost.tensor = #boost.tensor<state "momentum.down2", kind = "momentum", of = "down2", init = "zeros">}, %arg9: tensor<4x16xf64> {boost.tensor = #boost.tensor<state "momentum.up2", kind = "momentum", of = "up2", init = "zeros">}, %arg10: tensor<32x16xf64> {boost.tensor = #boost.tensor<gradient "grad.embed", of = "embed">}, %arg11: tensor<16x4xf64> {boost.tensor = #boost.tensor<gradient "grad.down1", of = "down1">}, %arg12: tensor<4x16xf64> {boost.tensor = #boost.tensor<gradient "grad.up1", of = "up1">}, %arg13: tensor<16x4xf64> {boost.tensor = #boost.tensor<gradient "grad.down2", of = "down2">}, %arg14: tensor<4x16xf64> {boost.tensor = #boost.tensor<gradient "grad.up2", of = "up2">}, %arg15: tensor<f64> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr", sample = 1.000000e-01 : f64>}, %arg16: tensor<f64> {boost.tensor = #boost.tensor<hyper "hyper.momentum", kind = "momentum", sample = 5.000000e-01 : f64, option = <"Share of the last step that is taken again", default = 9.000000e-01 : f64, min = 0.000000e+00 : f64, below = 1.000000e+00 : f64>>}) -> (tensor<32x16xf64> {boost.tensor = #boost.tensor<param "embed">}, tensor<16x4xf64> {boost.tensor = #boost.tensor<param "down1">}, tensor<4x16xf64> {boost.tensor = #boost.tensor<param "up1">}, tensor<16x4xf64> {boost.tensor = #boost.tensor<param "down2">}, tensor<4x16xf64> {boost.tensor = #boost.tensor<param "up2">}, tensor<32x16xf64> {boost.tensor = #boost.tensor<state "momentum.embed", kind = "momentum", of = "embed", init = "zeros">}, tensor<16x4xf64> {boost.tensor = #boost.tensor<state "momentum.down1", kind = "momentum", of = "down1", init = "zeros">}, tensor<4x16xf64> {boost.tensor = #boost.tensor<state "momentum.up1", kind = "momentum", of = "up1", init = "zeros">}, tensor<16x4xf64> {boost.tensor = #boost.tensor<state "momentum.down2", kind = "momentum", of = "down2", init = "zeros">}, tensor<4x16xf64> {boost.tensor = #boost.tensor<state "momentum.up2", kind = "momentum", of = "up2", init = "zeros">}) {
      %0 = stablehlo.broadcast_in_dim %arg16, dims = [] : (tensor<f64>) -> tensor<32x16xf64>
      %1 = stablehlo.broadcast_in_dim %arg16, dims = [] : (tensor<f64>) -> tensor<16x4xf64>
      %2 = stablehlo.broadcast_in_dim %arg16, dims = [] : (tensor<f64>) -> tensor<4x16xf64>
      %3 = stablehlo.broadcast_in_dim %arg15, dims = [] : (tensor<f64>) -> tensor<32x16xf64>
      %4 = stablehlo.broadcast_in_dim %arg15, dims = [] : (tensor<f64>) -> tensor<16x4xf64>
      %5 = stablehlo.broadcast_in_dim %arg15, dims = [] : (tensor<f64>) -> tensor<4x16xf64>
      %6 = stablehlo.multiply %0, %arg5 : tensor<32x16xf64>
      %7 = stablehlo.add %6, %arg10 : tensor<32x16xf64>
      %8 = stablehlo.multiply %3, %7 : tensor<32x16xf64>
      %9 = stablehlo.subtract %arg0, %8 : tensor<32x16xf64>
      %10 = stablehlo.multiply %1, %arg6 : tensor<16x4xf64>
      %11 = stablehlo.add %10, %arg11 : tensor<16x4xf64>
      %12 = stablehlo.multiply %4, %11 : tensor<16x4xf64>
      %13 = stablehlo.subtract %arg1, %12 : tensor<16x4xf64>
      %14 = stablehlo.multiply %2, %arg7 : tensor<4x16xf64>
      %15 = stablehlo.add %14, %arg12 : tensor<4x16xf64>
      %16 = stablehlo.multiply %5, %15 : tensor<4x16xf64>
      %17 = stablehlo.subtract %arg2, %16 : tensor<4x16xf64>
      %18 = stablehlo.multiply %1, %arg8 : tensor<16x4xf64>
      %19 = stablehlo.add %18, %arg13 : tensor<16x4xf64>
      %20 = stablehlo.multiply %4, %19 : tensor<16x4xf64>
      %21 = stablehlo.subtract %arg3, %20 : tensor<16x4xf64>
      %22 = stablehlo.multiply %2, %arg9 : tensor<4x16xf64>
      %23 = stablehlo.add %22, %arg14 : tensor<4x16xf64>
      %24 = stablehlo.multiply %5, %23 : tensor<4x16xf64>
      %25 = stablehlo.subtract %arg4, %24 : tensor<4x16xf64>
      return %9, %13, %17, %21, %25, %7, %11, %15, %19, %23 : tensor<32x16xf64>, tensor<16x4xf64>, tensor<4x16xf64>, tensor<16x4xf64>, tensor<4x16xf64>, tensor<32x16xf64>, tensor<16x4xf64>, tensor<4x16xf64>, tensor<16x4xf64>, tensor<4x16xf64>
    }
  }
}
