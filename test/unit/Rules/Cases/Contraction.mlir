// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and reductions.

func.func @dot(%a: tensor<4x8xf64>, %b: tensor<8x4xf64>) -> tensor<4x4xf64> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<4x8xf64>, tensor<8x4xf64>) -> tensor<4x4xf64>
  return %y : tensor<4x4xf64>
}

func.func @dot_transposed(%a: tensor<8x4xf64>, %b: tensor<4x8xf64>) -> tensor<4x4xf64> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1]
      : (tensor<8x4xf64>, tensor<4x8xf64>) -> tensor<4x4xf64>
  return %y : tensor<4x4xf64>
}

func.func @dot_weight(%a: tensor<2x4x8xf64>, %b: tensor<8x4xf64>) -> tensor<2x4x4xf64> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [2] x [0]
      : (tensor<2x4x8xf64>, tensor<8x4xf64>) -> tensor<2x4x4xf64>
  return %y : tensor<2x4x4xf64>
}

func.func @dot_batched(%a: tensor<4x2x4x8xf64>,
                       %b: tensor<4x6x4x8xf64>)
    -> tensor<4x4x2x6xf64> {
  %y = stablehlo.dot_general %a, %b, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
      : (tensor<4x2x4x8xf64>, tensor<4x6x4x8xf64>) -> tensor<4x4x2x6xf64>
  return %y : tensor<4x4x2x6xf64>
}

func.func @dot_batches_out_of_order(%a: tensor<2x4x4x8xf64>,
                                    %b: tensor<4x8x2x6xf64>)
    -> tensor<4x2x4x6xf64> {
  %y = stablehlo.dot_general %a, %b, batching_dims = [1, 0] x [0, 2], contracting_dims = [3] x [1]
      : (tensor<2x4x4x8xf64>, tensor<4x8x2x6xf64>) -> tensor<4x2x4x6xf64>
  return %y : tensor<4x2x4x6xf64>
}

func.func @dot_two_contracting(%a: tensor<4x3x8xf64>,
                               %b: tensor<8x5x4xf64>)
    -> tensor<3x5xf64> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [0, 2] x [2, 0]
      : (tensor<4x3x8xf64>, tensor<8x5x4xf64>) -> tensor<3x5xf64>
  return %y : tensor<3x5xf64>
}

func.func @dot_outer(%a: tensor<4xf64>, %b: tensor<8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [] x []
      : (tensor<4xf64>, tensor<8xf64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @dot_scalar(%a: tensor<8xf64>, %b: tensor<8xf64>) -> tensor<f64> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
      : (tensor<8xf64>, tensor<8xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

func.func @dot_odd(%a: tensor<3x5xf64>, %b: tensor<5x7xf64>) -> tensor<3x7xf64> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<3x5xf64>, tensor<5x7xf64>) -> tensor<3x7xf64>
  return %y : tensor<3x7xf64>
}

func.func @dot_bf16(%a: tensor<4x8xbf16>, %b: tensor<8x4xbf16>) -> tensor<4x4xbf16> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<4x8xbf16>, tensor<8x4xbf16>) -> tensor<4x4xbf16>
  return %y : tensor<4x4xbf16>
}

func.func @dot_bf16_to_f32(%a: tensor<4x8xbf16>, %b: tensor<8x4xbf16>) -> tensor<4x4xf32> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<4x8xbf16>, tensor<8x4xbf16>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

func.func @dot_same(%a: tensor<8x8xf64>) -> tensor<8x8xf64> {
  %y = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0]
      : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  return %y : tensor<8x8xf64>
}

func.func @reduce_add(%a: tensor<4x8x2xf64>) -> tensor<4x2xf64> {
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1]
      : (tensor<4x8x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

func.func @reduce_add_two(%a: tensor<4x8x4xf64>) -> tensor<8xf64> {
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [0, 2]
      : (tensor<4x8x4xf64>, tensor<f64>) -> tensor<8xf64>
  return %y : tensor<8xf64>
}

func.func @reduce_add_all(%a: tensor<4x8xf64>) -> tensor<f64> {
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<f64>
  return %y : tensor<f64>
}

func.func @reduce_add_none(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = []
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

// Every rank would add the initial value: the dimension stays whole.
func.func @reduce_add_from_one(%a: tensor<4x8xf64>) -> tensor<4xf64> {
  %init = stablehlo.constant dense<1.0> : tensor<f64>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1]
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}

func.func @reduce_add_bf16(%a: tensor<4x8xbf16>) -> tensor<4xbf16> {
  %init = stablehlo.constant dense<0.0> : tensor<bf16>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1]
      : (tensor<4x8xbf16>, tensor<bf16>) -> tensor<4xbf16>
  return %y : tensor<4xbf16>
}

func.func @reduce_max(%a: tensor<4x8x2xf64>) -> tensor<8xf64> {
  %init = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.maximum across dimensions = [0, 2]
      : (tensor<4x8x2xf64>, tensor<f64>) -> tensor<8xf64>
  return %y : tensor<8xf64>
}

func.func @reduce_min(%a: tensor<4x8x2xf64>) -> tensor<4x2xf64> {
  %init = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.minimum across dimensions = [1]
      : (tensor<4x8x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// The initial value is no neutral element and wins in some rows.
func.func @reduce_max_from_half(%a: tensor<4x8xf64>) -> tensor<4xf64> {
  %init = stablehlo.constant dense<0.5> : tensor<f64>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.maximum across dimensions = [1]
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}

func.func @reduce_add_init(%a: tensor<4x8xf64>, %init: tensor<f64>) -> tensor<8xf64> {
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [0]
      : (tensor<4x8xf64>, tensor<f64>) -> tensor<8xf64>
  return %y : tensor<8xf64>
}

func.func @reduce_or(%a: tensor<4x8xi1>) -> tensor<4xi1> {
  %init = stablehlo.constant dense<false> : tensor<i1>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.or across dimensions = [1]
      : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}

func.func @reduce_add_booleans(%a: tensor<4x8xi1>) -> tensor<4xi1> {
  %init = stablehlo.constant dense<false> : tensor<i1>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1]
      : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}

func.func @reduce_add_integers(%a: tensor<4x8xi32>) -> tensor<4xi32> {
  %init = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1]
      : (tensor<4x8xi32>, tensor<i32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}

func.func @reduce_max_integers(%a: tensor<4x8xi32> {boost.id_limit = 100 : i64}) -> tensor<8xi32> {
  %init = stablehlo.constant dense<-2147483648> : tensor<i32>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.maximum across dimensions = [0]
      : (tensor<4x8xi32>, tensor<i32>) -> tensor<8xi32>
  return %y : tensor<8xi32>
}

func.func @reduce_max_bf16(%a: tensor<4x8xbf16>) -> tensor<4xbf16> {
  %init = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %y = stablehlo.reduce(%a init: %init) applies stablehlo.maximum across dimensions = [1]
      : (tensor<4x8xbf16>, tensor<bf16>) -> tensor<4xbf16>
  return %y : tensor<4xbf16>
}
