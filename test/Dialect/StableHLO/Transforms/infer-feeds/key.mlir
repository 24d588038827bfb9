// RUN: boost-opt %s -split-input-file --boost-infer-feeds | FileCheck %s
// A key of random numbers is told by the key schedule that its words go into, in any shape.

// CHECK-LABEL: func.func @scheduled
// CHECK-SAME:    #boost.tensor<batch "rng", feed = key>
func.func @scheduled(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                     %key: tensor<2xui32> {boost.tensor = #boost.tensor<batch "rng">}) -> tensor<4xui32> {
  %parity = stablehlo.constant dense<466688986> : tensor<4xui32>
  %0 = stablehlo.slice %key [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %1 = stablehlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
  %2 = stablehlo.slice %key [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
  %4 = stablehlo.xor %1, %3 : tensor<ui32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<ui32>) -> tensor<4xui32>
  %6 = stablehlo.xor %5, %parity : tensor<4xui32>
  return %6 : tensor<4xui32>
}

// -----

// A loss that does not read it takes any.
// CHECK-LABEL: func.func @unused
// CHECK-SAME:    #boost.tensor<batch "key", feed = key>
func.func @unused(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                  %key: tensor<2xui32> {boost.tensor = #boost.tensor<batch "key">}) -> tensor<f32> {
  return %w : tensor<f32>
}

// -----

// Left alone: another constant, one word alone, words that something else is joined with, other types.
// CHECK-LABEL: func.func @others
// CHECK-SAME:    #boost.tensor<batch "key">
// CHECK-SAME:    #boost.tensor<batch "half">
// CHECK-SAME:    #boost.tensor<batch "joined">
// CHECK-SAME:    #boost.tensor<batch "signed">
// CHECK-SAME:    #boost.tensor<batch "three">
func.func @others(%key: tensor<2xui32> {boost.tensor = #boost.tensor<batch "key">},
                  %half: tensor<2xui32> {boost.tensor = #boost.tensor<batch "half">},
                  %joined: tensor<2xui32> {boost.tensor = #boost.tensor<batch "joined">},
                  %signed: tensor<2xi32> {boost.tensor = #boost.tensor<batch "signed">},
                  %three: tensor<3xui32> {boost.tensor = #boost.tensor<batch "three">})
    -> (tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xi32>, tensor<3xui32>) {
  %parity = stablehlo.constant dense<466688986> : tensor<2xui32>
  %parity3 = stablehlo.constant dense<466688986> : tensor<3xui32>
  %parity_signed = stablehlo.constant dense<466688986> : tensor<2xi32>
  %c = stablehlo.constant dense<1> : tensor<2xui32>
  %0 = stablehlo.xor %key, %key : tensor<2xui32>
  %1 = stablehlo.xor %0, %c : tensor<2xui32>
  %2 = stablehlo.xor %half, %parity : tensor<2xui32>
  %3 = stablehlo.xor %joined, %c : tensor<2xui32>
  %4 = stablehlo.xor %3, %parity : tensor<2xui32>
  %5 = stablehlo.xor %signed, %signed : tensor<2xi32>
  %6 = stablehlo.xor %5, %parity_signed : tensor<2xi32>
  %7 = stablehlo.xor %three, %three : tensor<3xui32>
  %8 = stablehlo.xor %7, %parity3 : tensor<3xui32>
  return %1, %2, %4, %6, %8 : tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xi32>, tensor<3xui32>
}
