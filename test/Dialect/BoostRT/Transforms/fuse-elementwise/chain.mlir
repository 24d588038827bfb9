// RUN: boost-opt %s --pass-pipeline='builtin.module(convert-stablehlo-to-linalg,func.func(boostrt-fuse-elementwise))' \
// RUN:   | grep -c arith.addi | FileCheck %s

// Every link of the chain, as of a random number, reads the one before it twice
// and there is but a scalar at its end. Computed at each of their users, 12
// links would be thousands of additions.

// CHECK: {{^[0-9][0-9]$}}
func.func @chain(%key: tensor<ui32>) -> tensor<8xui32> {
  %one = stablehlo.constant dense<1> : tensor<8xui32>
  %seed = stablehlo.broadcast_in_dim %key, dims = [] : (tensor<ui32>) -> tensor<8xui32>
  %s1 = stablehlo.shift_left %seed, %one : tensor<8xui32>
  %1 = stablehlo.add %s1, %seed : tensor<8xui32>
  %s2 = stablehlo.shift_left %1, %one : tensor<8xui32>
  %2 = stablehlo.add %s2, %1 : tensor<8xui32>
  %s3 = stablehlo.shift_left %2, %one : tensor<8xui32>
  %3 = stablehlo.add %s3, %2 : tensor<8xui32>
  %s4 = stablehlo.shift_left %3, %one : tensor<8xui32>
  %4 = stablehlo.add %s4, %3 : tensor<8xui32>
  %s5 = stablehlo.shift_left %4, %one : tensor<8xui32>
  %5 = stablehlo.add %s5, %4 : tensor<8xui32>
  %s6 = stablehlo.shift_left %5, %one : tensor<8xui32>
  %6 = stablehlo.add %s6, %5 : tensor<8xui32>
  %s7 = stablehlo.shift_left %6, %one : tensor<8xui32>
  %7 = stablehlo.add %s7, %6 : tensor<8xui32>
  %s8 = stablehlo.shift_left %7, %one : tensor<8xui32>
  %8 = stablehlo.add %s8, %7 : tensor<8xui32>
  %s9 = stablehlo.shift_left %8, %one : tensor<8xui32>
  %9 = stablehlo.add %s9, %8 : tensor<8xui32>
  %s10 = stablehlo.shift_left %9, %one : tensor<8xui32>
  %10 = stablehlo.add %s10, %9 : tensor<8xui32>
  %s11 = stablehlo.shift_left %10, %one : tensor<8xui32>
  %11 = stablehlo.add %s11, %10 : tensor<8xui32>
  %s12 = stablehlo.shift_left %11, %one : tensor<8xui32>
  %12 = stablehlo.add %s12, %11 : tensor<8xui32>
  return %12 : tensor<8xui32>
}
