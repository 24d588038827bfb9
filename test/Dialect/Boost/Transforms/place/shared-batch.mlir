// RUN: boost-opt %s -boost-place="mesh=dp=2,tp=2" -split-input-file | FileCheck %s
// The batch is the rows of the ids. What has other rows, all sequences share.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.reason = "batch: no rows of sequences, all ranks share it", boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "positions"
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "mask"
// CHECK-SAME: boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "tokens"
// CHECK-SAME: boost.sharding = #boost.sharding<{"dp"}>, boost.tensor = #boost.tensor<{{param|batch}} "weights"
func.func @loss(%table: tensor<32x8xf32> {boost.tensor = #boost.tensor<param "embed">},
                %positions: tensor<1x5xi32> {boost.tensor = #boost.tensor<batch "positions">},
                %mask: tensor<5x5xi1> {boost.tensor = #boost.tensor<batch "mask">},
                %tokens: tensor<4x6xi32> {boost.tensor = #boost.tensor<batch "tokens">},
                %weights: tensor<8xf32> {boost.tensor = #boost.tensor<batch "weights">}) -> tensor<4x5x8xf32> {
  %ids = stablehlo.slice %tokens [0:4, 0:5] : (tensor<4x6xi32>) -> tensor<4x5xi32>
  %0 = boost.embedding %table, %ids : (tensor<32x8xf32>, tensor<4x5xi32>) -> tensor<4x5x8xf32>
  return %0 : tensor<4x5x8xf32>
}

// -----

// Without ids, the rows of the first argument.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "x"
// CHECK-SAME: boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<{{param|batch}} "scale"
func.func @loss(%x: tensor<4x6xf32> {boost.tensor = #boost.tensor<batch "x">},
                %scale: tensor<1xf32> {boost.tensor = #boost.tensor<batch "scale">}) -> tensor<4x6xf32> {
  return %x : tensor<4x6xf32>
}

// -----

// A key of random numbers has no rows, though it has as many words as the batch has sequences.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.reason = "batch: no rows of sequences, all ranks share it", boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<batch "key", feed = key>
// CHECK-SAME: boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<batch "x">
func.func @loss(%key: tensor<2xui32> {boost.tensor = #boost.tensor<batch "key", feed = key>},
                %x: tensor<2x6xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<2x6xf32> {
  return %x : tensor<2x6xf32>
}
