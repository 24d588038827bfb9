// RUN: boost-opt %s -split-input-file --boost-inline-calls=max-operations=20 -verify-diagnostics
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

// -----

// Counted before anything is inlined, with functions and returns:
// 3 + (4 + 2 * (4 + 2 * 3)).
func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+2 {{expects at most 20 operations once calls are inlined, but got 27}}
  // expected-note@+1 {{a loss of that size is most likely a mistake}}
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @h(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @h(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @h(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
