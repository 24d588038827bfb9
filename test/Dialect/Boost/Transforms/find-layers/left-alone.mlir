// RUN: boost-opt %s -split-input-file -boost-find-layers | FileCheck %s --implicit-check-not=boost.layer
// Where nothing repeats there are no layers, and what was marked before is not
// any more.

// CHECK-LABEL: func @one_block
func.func @one_block(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  // CHECK: stablehlo.tanh
  %t0 = stablehlo.tanh %x0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x8xf32>
  %x1 = stablehlo.add %x0, %t0 : tensor<4x8xf32>
  return %x1 : tensor<4x8xf32>
}

// -----

// The first value is read again at the end, past everything: no place at which
// one value alone is carried on.
// CHECK-LABEL: func @read_past_the_layers
func.func @read_past_the_layers(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %h0 = boost.linear %x0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x1 = stablehlo.add %x0, %h0 : tensor<4x8xf32>
  %h1 = boost.linear %x1, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x2 = stablehlo.add %x1, %h1 : tensor<4x8xf32>
  %x3 = stablehlo.subtract %x2, %x0 : tensor<4x8xf32>
  return %x3 : tensor<4x8xf32>
}

// -----

func.func private @external(tensor<4xf32>) -> tensor<4xf32>
