// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factorizations of batches of matrices.

func.func @qr(%x: tensor<4x6x3xf64>) -> (tensor<4x6x3xf64>, tensor<4x3xf64>) {
  %q, %scales = boost.factorize qr %x : (tensor<4x6x3xf64>) -> (tensor<4x6x3xf64>, tensor<4x3xf64>)
  return %q, %scales : tensor<4x6x3xf64>, tensor<4x3xf64>
}

func.func @eigh(%x: tensor<2x4x3x3xf64>) -> (tensor<2x4x3x3xf64>, tensor<2x4x3xf64>) {
  %t = stablehlo.transpose %x, dims = [0, 1, 3, 2] : (tensor<2x4x3x3xf64>) -> tensor<2x4x3x3xf64>
  %s = stablehlo.add %x, %t : tensor<2x4x3x3xf64>
  %v, %w = boost.factorize eigh %s : (tensor<2x4x3x3xf64>) -> (tensor<2x4x3x3xf64>, tensor<2x4x3xf64>)
  return %v, %w : tensor<2x4x3x3xf64>, tensor<2x4x3xf64>
}

func.func @singular_values(%x: tensor<3x4xf64>) -> tensor<3xf64> {
  %s = boost.factorize singular_values %x : (tensor<3x4xf64>) -> tensor<3xf64>
  return %s : tensor<3xf64>
}
