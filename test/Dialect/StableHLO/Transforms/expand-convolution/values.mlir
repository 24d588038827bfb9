// RUN: boost-opt %s --boost-expand-convolution -o %t
// RUN: boost-eval %s --function=reversed | FileCheck %s --check-prefix=REVERSED
// RUN: boost-eval %t --function=reversed | FileCheck %s --check-prefix=REVERSED
// RUN: boost-eval %s --function=twice_dilated | FileCheck %s --check-prefix=DILATED
// RUN: boost-eval %t --function=twice_dilated | FileCheck %s --check-prefix=DILATED
// RUN: boost-eval %s --function=groups | FileCheck %s --check-prefix=GROUPS
// RUN: boost-eval %t --function=groups | FileCheck %s --check-prefix=GROUPS
// RUN: boost-eval %s --function=wraps | FileCheck %s --check-prefix=WRAPS
// RUN: boost-eval %t --function=wraps | FileCheck %s --check-prefix=WRAPS
// Numbers worked out by hand, for what JAX does not lower to (test_operations.py has the rest).

// 1 2 3 4 with the kernel 10 1 read backwards: 1 + 20, 2 + 30, 3 + 40.
// REVERSED: [21, 32, 43]
func.func @reversed() -> tensor<1x1x3xf32> {
  %x = stablehlo.constant dense<[[[1.0, 2.0, 3.0, 4.0]]]> : tensor<1x1x4xf32>
  %w = stablehlo.constant dense<[[[10.0, 1.0]]]> : tensor<1x1x2xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

// 0 1 0 2 0 3 with elements 2 apart: 0 + 0, 10 + 2, 0 + 0, 20 + 3.
// DILATED: [0, 12, 0, 23]
func.func @twice_dilated() -> tensor<1x1x4xf32> {
  %x = stablehlo.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %w = stablehlo.constant dense<[[[10.0, 1.0]]]> : tensor<1x1x2xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, 0]], lhs_dilate = [2], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x3xf32>, tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// The first half of the batch, 1 2, meets the first kernel, 3 4 the second.
// GROUPS: [10, 300, 20, 400]
func.func @groups() -> tensor<2x2xf32> {
  %x = stablehlo.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %w = stablehlo.constant dense<[[10.0, 100.0]]> : tensor<1x2xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// 100 * 1 + 100 * 1 is -56 in eight bits.
// WRAPS: [-56, -106]
func.func @wraps() -> tensor<1x1x2xi8> {
  %x = stablehlo.constant dense<[[[100, 100, 50]]]> : tensor<1x1x3xi8>
  %w = stablehlo.constant dense<[[[1, 1]]]> : tensor<1x1x2xi8>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x3xi8>, tensor<1x1x2xi8>) -> tensor<1x1x2xi8>
  return %0 : tensor<1x1x2xi8>
}
