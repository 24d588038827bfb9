// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants and data movement.

func.func @constant_splat() -> tensor<4x8xf64> {
  %y = stablehlo.constant dense<1.5> : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @constant() -> tensor<4xf64> {
  %y = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  return %y : tensor<4xf64>
}

func.func @iota() -> tensor<4x8xi32> {
  %y = stablehlo.iota dim = 1 : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @iota_float() -> tensor<8x4xf64> {
  %y = stablehlo.iota dim = 0 : tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}

func.func @broadcast(%a: tensor<4x8xf64>) -> tensor<4x2x8xf64> {
  %y = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<4x8xf64>) -> tensor<4x2x8xf64>
  return %y : tensor<4x2x8xf64>
}

func.func @broadcast_scalar(%a: tensor<f64>) -> tensor<4x8xf64> {
  %y = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @broadcast_ones(%a: tensor<4x1x1xf64>) -> tensor<4x8x2xf64> {
  %y = stablehlo.broadcast_in_dim %a, dims = [0, 1, 2] : (tensor<4x1x1xf64>) -> tensor<4x8x2xf64>
  return %y : tensor<4x8x2xf64>
}

func.func @broadcast_transposing(%a: tensor<4x8xf64>) -> tensor<8x2x4xf64> {
  %y = stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<4x8xf64>) -> tensor<8x2x4xf64>
  return %y : tensor<8x2x4xf64>
}

func.func @broadcast_of_ones_in_ones(%a: tensor<4x1xf64>) -> tensor<1x4xf64> {
  %y = stablehlo.broadcast_in_dim %a, dims = [1, 0] : (tensor<4x1xf64>) -> tensor<1x4xf64>
  return %y : tensor<1x4xf64>
}

func.func @broadcast_constant() -> tensor<4x8xf64> {
  %c = stablehlo.constant dense<2.5> : tensor<f64>
  %y = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @reshape(%a: tensor<4x8xf64>) -> tensor<8x4xf64> {
  %y = stablehlo.reshape %a : (tensor<4x8xf64>) -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}

func.func @reshape_split(%a: tensor<4x8xf64>) -> tensor<4x2x4xf64> {
  %y = stablehlo.reshape %a : (tensor<4x8xf64>) -> tensor<4x2x4xf64>
  return %y : tensor<4x2x4xf64>
}

func.func @reshape_split_far(%a: tensor<4x16xf64>) -> tensor<4x4x2x2xf64> {
  %y = stablehlo.reshape %a : (tensor<4x16xf64>) -> tensor<4x4x2x2xf64>
  return %y : tensor<4x4x2x2xf64>
}

func.func @reshape_merge(%a: tensor<4x4x2xf64>) -> tensor<16x2xf64> {
  %y = stablehlo.reshape %a : (tensor<4x4x2xf64>) -> tensor<16x2xf64>
  return %y : tensor<16x2xf64>
}

func.func @reshape_odd(%a: tensor<6x4xf64>) -> tensor<4x6xf64> {
  %y = stablehlo.reshape %a : (tensor<6x4xf64>) -> tensor<4x6xf64>
  return %y : tensor<4x6xf64>
}

func.func @reshape_ones(%a: tensor<1x8x1x4xf64>) -> tensor<8x1x4x1xf64> {
  %y = stablehlo.reshape %a : (tensor<1x8x1x4xf64>) -> tensor<8x1x4x1xf64>
  return %y : tensor<8x1x4x1xf64>
}

func.func @reshape_to_scalar(%a: tensor<1x1xf64>) -> tensor<f64> {
  %y = stablehlo.reshape %a : (tensor<1x1xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

func.func @transpose(%a: tensor<2x4x8xf64>) -> tensor<8x2x4xf64> {
  %y = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x4x8xf64>) -> tensor<8x2x4xf64>
  return %y : tensor<8x2x4xf64>
}

func.func @reverse(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.reverse %a, dims = [1] : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @slice(%a: tensor<4x8xf64>) -> tensor<2x4xf64> {
  %y = stablehlo.slice %a [1:3, 0:8:2] : (tensor<4x8xf64>) -> tensor<2x4xf64>
  return %y : tensor<2x4xf64>
}

func.func @slice_one_dim(%a: tensor<4x8xf64>) -> tensor<4x2xf64> {
  %y = stablehlo.slice %a [0:4, 2:7:3] : (tensor<4x8xf64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

func.func @slice_all(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.slice %a [0:4, 0:8] : (tensor<4x8xf64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @concatenate(%a: tensor<4x2xf64>, %b: tensor<4x4xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.concatenate %a, %b, %a, dim = 1
      : (tensor<4x2xf64>, tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @concatenate_zero(%a: tensor<2x4xf64>) -> tensor<4x4xf64> {
  %zero = stablehlo.constant dense<0.0> : tensor<2x4xf64>
  %y = stablehlo.concatenate %a, %zero, dim = 0
      : (tensor<2x4xf64>, tensor<2x4xf64>) -> tensor<4x4xf64>
  return %y : tensor<4x4xf64>
}

func.func @pad(%a: tensor<4x8xf64>, %v: tensor<f64>) -> tensor<5x17xf64> {
  %y = stablehlo.pad %a, %v, low = [1, 0], high = [0, 2], interior = [0, 1]
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<5x17xf64>
  return %y : tensor<5x17xf64>
}

func.func @pad_one_dim(%a: tensor<4x8xf64>, %v: tensor<f64>) -> tensor<4x12xf64> {
  %y = stablehlo.pad %a, %v, low = [0, 2], high = [0, 2], interior = [0, 0]
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<4x12xf64>
  return %y : tensor<4x12xf64>
}

func.func @pad_negative(%a: tensor<4x8xf64>, %v: tensor<f64>) -> tensor<4x14xf64> {
  %y = stablehlo.pad %a, %v, low = [-1, 1], high = [1, -2], interior = [0, 1]
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<4x14xf64>
  return %y : tensor<4x14xf64>
}

func.func @pad_zero(%a: tensor<4x8xf64>) -> tensor<4x12xf64> {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %y = stablehlo.pad %a, %zero, low = [0, 0], high = [0, 4], interior = [0, 0]
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<4x12xf64>
  return %y : tensor<4x12xf64>
}

func.func @broadcast_bf16(%a: tensor<4x1xbf16>) -> tensor<8x4x4xbf16> {
  %y = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<4x1xbf16>) -> tensor<8x4x4xbf16>
  return %y : tensor<8x4x4xbf16>
}

func.func @concatenate_along_all(%a: tensor<2x4xf64>,
                                 %b: tensor<4x4xf64>,
                                 %c: tensor<2x4xf64>)
    -> tensor<8x4xf64> {
  %y = stablehlo.concatenate %a, %b, %c, dim = 0
      : (tensor<2x4xf64>, tensor<4x4xf64>, tensor<2x4xf64>) -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}

func.func @pad_inside(%a: tensor<4x8xf64>, %v: tensor<f64>) -> tensor<10x8xf64> {
  %y = stablehlo.pad %a, %v, low = [0, 0], high = [0, 0], interior = [2, 0]
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<10x8xf64>
  return %y : tensor<10x8xf64>
}

func.func @reverse_both(%a: tensor<2x4x8xf64>) -> tensor<2x4x8xf64> {
  %y = stablehlo.reverse %a, dims = [0, 2] : tensor<2x4x8xf64>
  return %y : tensor<2x4x8xf64>
}

func.func @pad_cut_at_the_end(%a: tensor<4x8xf64>, %v: tensor<f64>) -> tensor<4x6xf64> {
  %y = stablehlo.pad %a, %v, low = [0, 0], high = [0, -2], interior = [0, 0]
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<4x6xf64>
  return %y : tensor<4x6xf64>
}
