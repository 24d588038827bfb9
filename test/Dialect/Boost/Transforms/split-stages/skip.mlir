// RUN: boost-opt %s --boost-split-stages='order=interleaved chunks=2' > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: boost-eval --compare %s %t.mlir --function=evaluate | FileCheck %s --check-prefix=EQUAL
// EQUAL: 1 results equal

// A value that skips a chunk, to another chunk of the stage that computes it, is
// copied from one slot of the stage to another.

// CHECK-LABEL: boost.schedule @evaluate
// CHECK: boost.transfer ["kept.evaluate.0"] micro_batch 0 from 0 slot 0 to 0 slot 1
// CHECK-NEXT: boost.transfer ["kept.evaluate.1"] micro_batch 0 from 1 slot 0 to 0 slot 1
// CHECK-NEXT: boost.call @loss_forward_2 micro_batch 0 slot 1

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">},
                  %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "y">}) {
    %0 = stablehlo.multiply %x, %w {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    %1 = stablehlo.multiply %0, %w {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    %2 = stablehlo.add %1, %0 {boost.layer = #boost.layer<class = 0, index = 2>} : tensor<4xf32>
    %3 = stablehlo.multiply %2, %w {boost.layer = #boost.layer<class = 0, index = 3>} : tensor<4xf32>
    return %3 : tensor<4xf32>
  }
  boost.schedule @evaluate micro_batches 2 {
    boost.call @loss micro_batch 0
    boost.call @loss micro_batch 1
  }
}
