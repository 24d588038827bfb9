// RUN: boost-opt %s -split-input-file --boost-inline-calls -verify-diagnostics
// Recursion and functions without one block are refused.

func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'f' calls itself, which cannot be compiled}}
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects 'f' to be a function of one block}}
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(tensor<4xf32>) -> tensor<4xf32>
