// RUN: boost-opt %s --boost-split-stages | FileCheck %s
// RUN: boost-opt %s --boost-split-stages=layout=1,3 | FileCheck %s --check-prefix=GIVEN
// RUN: not boost-opt %s --boost-split-stages=layout=2,3 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: not boost-opt %s --boost-split-stages=layout=4 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not boost-opt %s --boost-split-stages=layout=0,4 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not boost-opt %s --boost-split-stages='order=interleaved chunks=3' 2>&1 | FileCheck %s --check-prefix=FEW

// Without a layout every part has as many layers.
// CHECK-LABEL: func.func @loss_forward_0
// CHECK-COUNT-2: stablehlo.dot_general
// CHECK-NOT: stablehlo.dot_general
// CHECK-LABEL: func.func @loss_forward_1
// CHECK-COUNT-3: stablehlo.dot_general
// CHECK-NOT: stablehlo.dot_general
// CHECK-LABEL: boost.schedule @evaluate

// GIVEN-LABEL: func.func @loss_forward_0
// GIVEN-COUNT-1: stablehlo.dot_general
// GIVEN-NOT: stablehlo.dot_general
// GIVEN-LABEL: func.func @loss_forward_1

// SUM: error: expects a layout of 2 positive numbers whose sum is 4, the number of layers, but got 2, 3
// COUNT: error: expects a layout of 2 positive numbers whose sum is 4, the number of layers, but got 4
// ZERO: error: expects a layout of 2 positive numbers whose sum is 4, the number of layers, but got 0, 4
// FEW: error: expects at least one layer for each of 6 parts of the pipeline, but found 4; use fewer stages

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @loss(%x: tensor<8x8xf32> {boost.tensor = #boost.tensor<batch "x">},
                  %w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">},
                  %head: tensor<8x24xf32> {boost.tensor = #boost.tensor<param "head">})
      -> (tensor<8x24xf32> {boost.tensor = #boost.tensor<output "y">}) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] {boost.layer = #boost.layer<class = 0, index = 0>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] {boost.layer = #boost.layer<class = 0, index = 1>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] {boost.layer = #boost.layer<class = 0, index = 2>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0] {boost.layer = #boost.layer<class = 0, index = 3>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = stablehlo.dot_general %3, %head, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    return %4 : tensor<8x24xf32>
  }
  boost.schedule @evaluate {
    boost.call @loss micro_batch 0
  }
}
