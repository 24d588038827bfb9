// RUN: split-file %s %t
// RUN: boost-eval --compare %t/global.mlir %t/sharded.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: not boost-eval --compare %t/global.mlir %t/lost.mlir 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: not boost-eval --compare %t/global.mlir %t/wrong.mlir | FileCheck %s --check-prefix=WRONG
// A row-parallel product on two ranks equals the product on one; without its
// all-reduce the ranks disagree; a wrong value is located.

// EQUAL: 1 results equal
// LOST: result 'y' differs between ranks
// WRONG: y: relative difference {{.*}} at element [{{[0-2]}}, {{[01]}}]: {{.*}} against

//--- global.mlir
func.func @loss(%x: tensor<3x4xf32> {boost.tensor = #boost.tensor<param "x">}, %w: tensor<4x2xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<3x2xf32> {boost.tensor = #boost.tensor<output "y">}) {
  %0 = boost.linear %x, %w : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

//--- sharded.mlir
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @loss(%x: tensor<3x2xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "x">},
                  %w: tensor<2x2xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "w">})
      -> (tensor<3x2xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<output "y">}) {
    %0 = boost.linear %x, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    %1 = boost.all_reduce sum %0 on @mesh axes = [0] : tensor<3x2xf32>
    return %1 : tensor<3x2xf32>
  }
}

//--- lost.mlir
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @loss(%x: tensor<3x2xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "x">},
                  %w: tensor<2x2xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "w">})
      -> (tensor<3x2xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<output "y">}) {
    %0 = boost.linear %x, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}

//--- wrong.mlir
func.func @loss(%x: tensor<3x4xf32> {boost.tensor = #boost.tensor<param "x">}, %w: tensor<4x2xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<3x2xf32> {boost.tensor = #boost.tensor<output "y">}) {
  %0 = boost.linear %x, %w : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.add %0, %0 : tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
