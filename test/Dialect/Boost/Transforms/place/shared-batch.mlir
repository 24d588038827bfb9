// RUN: boost-opt %s -boost-place="mesh=dp=2,tp=2" -split-input-file | FileCheck %s
// The batch is the rows of the ids. What has other rows, all sequences share.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.name = "positions", boost.reason = "batch: no rows of sequences, all ranks share it", boost.split = {{\[}}[], []]
// CHECK-SAME: boost.name = "mask"{{[^}]*}}boost.split = {{\[}}[], []]
// CHECK-SAME: boost.name = "tokens"{{[^}]*}}boost.split = {{\[}}["dp"], []]
// CHECK-SAME: boost.name = "weights"{{[^}]*}}boost.split = {{\[}}["dp"]]
func.func @loss(%table: tensor<32x8xf32> {boost.arg = "param", boost.name = "embed"},
                %positions: tensor<1x5xi32> {boost.arg = "batch", boost.name = "positions"},
                %mask: tensor<5x5xi1> {boost.arg = "batch", boost.name = "mask"},
                %tokens: tensor<4x6xi32> {boost.arg = "batch", boost.name = "tokens"},
                %weights: tensor<8xf32> {boost.arg = "batch", boost.name = "weights"}) -> tensor<4x5x8xf32> {
  %ids = stablehlo.slice %tokens [0:4, 0:5] : (tensor<4x6xi32>) -> tensor<4x5xi32>
  %0 = boost.embedding %table, %ids : (tensor<32x8xf32>, tensor<4x5xi32>) -> tensor<4x5x8xf32>
  return %0 : tensor<4x5x8xf32>
}

// -----

// Without ids, the rows of the first argument.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.name = "x"{{[^}]*}}boost.split = {{\[}}["dp"], []]
// CHECK-SAME: boost.name = "scale"{{[^}]*}}boost.split = {{\[}}[]]
func.func @loss(%x: tensor<4x6xf32> {boost.arg = "batch", boost.name = "x"},
                %scale: tensor<1xf32> {boost.arg = "batch", boost.name = "scale"}) -> tensor<4x6xf32> {
  return %x : tensor<4x6xf32>
}
