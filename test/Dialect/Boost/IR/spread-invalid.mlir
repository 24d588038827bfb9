// RUN: boost-opt %s -split-input-file -verify-diagnostics

func.func @no_dictionary(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expects "boost.spread" with, for each axis, one dimension or -1 for each of 2 operands and results, but got 1 : i64}}
  %h = stablehlo.tanh %x {boost.spread = 1} : tensor<4x8xf32>
  return %h : tensor<4x8xf32>
}

// -----

func.func @too_few(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{for each of 2 operands and results, but got {tp = array<i64: 0>}}}
  %h = stablehlo.tanh %x {boost.gradient_spread = {tp = array<i64: 0>}} : tensor<4x8xf32>
  return %h : tensor<4x8xf32>
}

// -----

func.func @no_numbers(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{for each of 2 operands and results, but got {tp = "x"}}}
  %h = stablehlo.tanh %x {boost.spread = {tp = "x"}} : tensor<4x8xf32>
  return %h : tensor<4x8xf32>
}

// -----

func.func @beyond_the_rank(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expects dimensions of 'tensor<4x8xf32>' in "boost.spread" from -1 to 1, but got 2}}
  %h = stablehlo.tanh %x {boost.spread = {tp = array<i64: 1, 2>}} : tensor<4x8xf32>
  return %h : tensor<4x8xf32>
}

// -----

func.func @below_none(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expects dimensions of 'tensor<4x8xf32>' in "boost.spread" from -1 to 1, but got -2}}
  %h = stablehlo.tanh %x {boost.spread = {tp = array<i64: -2, 1>}} : tensor<4x8xf32>
  return %h : tensor<4x8xf32>
}
