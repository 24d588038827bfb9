// RUN: boost-opt %s > %t.mlir
// RUN: boost-opt %s --boost-split-stages | diff - %t.mlir
// Without a pipeline, or with one of one stage, nothing changes.
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x1) {boost.axes = ["tp", "pp"]}
  func.func @loss(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "y">}) {
    return %arg0 : tensor<4xf32>
  }
  boost.schedule @evaluate {
    boost.call @loss micro_batch 0
  }
}

