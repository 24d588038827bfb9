// RUN: not boost-eval %s 2>&1 | FileCheck %s
// The program of one rank names its axes.

module attributes {boost.level = "spmd"} {
  // CHECK: axis-names.mlir:[[@LINE+1]]:3: error: expects one name per axis in boost.axes
  shard.grid @mesh(shape = 2)
  func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
