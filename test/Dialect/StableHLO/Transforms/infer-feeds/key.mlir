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

// -----

// The constant first, and words that are put together in other ways: read at an index, transposed, joined.
// CHECK-LABEL: func.func @ways
// CHECK-SAME:    #boost.tensor<batch "first", feed = key>
// CHECK-SAME:    #boost.tensor<batch "indexed", feed = key>
// CHECK-SAME:    #boost.tensor<batch "joined", feed = key>
func.func @ways(%first: tensor<2xui32> {boost.tensor = #boost.tensor<batch "first">},
                %indexed: tensor<2xui32> {boost.tensor = #boost.tensor<batch "indexed">},
                %joined: tensor<2xui32> {boost.tensor = #boost.tensor<batch "joined">},
                %i: tensor<i32> {boost.tensor = #boost.tensor<batch "i">})
    -> (tensor<2xui32>, tensor<1xui32>, tensor<4x1xui32>) {
  %parity = stablehlo.constant dense<466688986> : tensor<2xui32>
  %parity1 = stablehlo.constant dense<466688986> : tensor<1xui32>
  %parity4 = stablehlo.constant dense<466688986> : tensor<4x1xui32>
  %0 = stablehlo.xor %first, %first : tensor<2xui32>
  %1 = stablehlo.xor %parity, %0 : tensor<2xui32>
  %2 = stablehlo.dynamic_slice %indexed, %i, sizes = [1] : (tensor<2xui32>, tensor<i32>) -> tensor<1xui32>
  %3 = stablehlo.slice %indexed [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %4 = stablehlo.xor %2, %3 : tensor<1xui32>
  %5 = stablehlo.xor %4, %parity1 : tensor<1xui32>
  %6 = stablehlo.concatenate %joined, %joined, dim = 0 : (tensor<2xui32>, tensor<2xui32>) -> tensor<4xui32>
  %7 = stablehlo.reshape %6 : (tensor<4xui32>) -> tensor<1x4xui32>
  %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<1x4xui32>) -> tensor<4x1xui32>
  %9 = stablehlo.xor %8, %8 : tensor<4x1xui32>
  %10 = stablehlo.xor %9, %parity4 : tensor<4x1xui32>
  return %1, %5, %10 : tensor<2xui32>, tensor<1xui32>, tensor<4x1xui32>
}

// -----

// Left alone: words joined with those of another argument, another value on the left, 64 bits, a sum or
// product in place of either xor.
// CHECK-LABEL: func.func @near
// CHECK-SAME:    #boost.tensor<batch "mixed">
// CHECK-SAME:    #boost.tensor<batch "left">
// CHECK-SAME:    #boost.tensor<batch "long">
// CHECK-SAME:    #boost.tensor<batch "added">
// CHECK-SAME:    #boost.tensor<batch "scaled">
func.func @near(%mixed: tensor<2xui32> {boost.tensor = #boost.tensor<batch "mixed">},
                %left: tensor<2xui32> {boost.tensor = #boost.tensor<batch "left">},
                %long: tensor<2xui64> {boost.tensor = #boost.tensor<batch "long">},
                %added: tensor<2xui32> {boost.tensor = #boost.tensor<batch "added">},
                %scaled: tensor<2xui32> {boost.tensor = #boost.tensor<batch "scaled">})
    -> (tensor<4xui32>, tensor<2xui32>, tensor<2xui64>, tensor<2xui32>, tensor<2xui32>) {
  %parity = stablehlo.constant dense<466688986> : tensor<2xui32>
  %parity4 = stablehlo.constant dense<466688986> : tensor<4xui32>
  %parity64 = stablehlo.constant dense<466688986> : tensor<2xui64>
  %c = stablehlo.constant dense<1> : tensor<2xui32>
  %0 = stablehlo.concatenate %mixed, %left, dim = 0 : (tensor<2xui32>, tensor<2xui32>) -> tensor<4xui32>
  %1 = stablehlo.xor %0, %0 : tensor<4xui32>
  %2 = stablehlo.xor %1, %parity4 : tensor<4xui32>
  %3 = stablehlo.xor %c, %left : tensor<2xui32>
  %4 = stablehlo.xor %3, %parity : tensor<2xui32>
  %5 = stablehlo.xor %long, %long : tensor<2xui64>
  %6 = stablehlo.xor %5, %parity64 : tensor<2xui64>
  %7 = stablehlo.add %added, %added : tensor<2xui32>
  %8 = stablehlo.xor %7, %parity : tensor<2xui32>
  %9 = stablehlo.xor %scaled, %scaled : tensor<2xui32>
  %10 = stablehlo.multiply %9, %parity : tensor<2xui32>
  return %2, %4, %6, %8, %10 : tensor<4xui32>, tensor<2xui32>, tensor<2xui64>, tensor<2xui32>, tensor<2xui32>
}
