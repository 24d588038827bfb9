// RUN: boost-opt %s --boost-split-stages | FileCheck %s

// What is shown is shown by the stage that computes it: a value that depends on
// the batch alone, which both stages compute, by the first of them. Rows of
// a stack are shown by the stages that have them.

// CHECK-LABEL: func.func @verify_forward_0
// CHECK-SAME: attributes {boost.part_of = "verify", boost.stage = 0 : i64}
// CHECK: %[[MASK:.*]] = stablehlo.exponential %{{.*}}
// CHECK: boost.probe %[[MASK]] as "mask" site 0
// CHECK-NOT: boost.probe
// CHECK-LABEL: func.func @verify_forward_1
// CHECK-SAME: attributes {boost.part_of = "verify", boost.stage = 1 : i64}
// CHECK: stablehlo.exponential
// CHECK-NOT: boost.probe
// CHECK: %[[Y:.*]] = stablehlo.multiply
// CHECK: boost.probe %[[Y]] as "y" site 1
// CHECK-LABEL: func.func @verify_backward_1
// CHECK: boost.probe %{{.*}} as "grad.w" site 2 rows [1, 2] {boost.phase = "backward"} : tensor<1x4xf32>
// CHECK-LABEL: func.func @verify_backward_0
// CHECK: boost.probe %{{.*}} as "grad.w" site 2 rows [0, 2] {boost.phase = "backward"} : tensor<1x4xf32>

// CHECK: boost.schedule @probe {
// CHECK-NEXT: boost.call @verify_forward_0 micro_batch 0 slot 0
// CHECK-NEXT: boost.transfer
// CHECK-NEXT: boost.call @verify_forward_1 micro_batch 0 slot 0

#l0 = #boost.layer<class = 0, index = 0>
#l1 = #boost.layer<class = 0, index = 1>

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @verify(
      %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">},
      %w: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "w">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "y">},
          tensor<2x4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">}) {
    %mask = stablehlo.exponential %x : tensor<4xf32>
    boost.probe %mask as "mask" site 0 {boost.phase = "forward"} : tensor<4xf32>
    %s0 = stablehlo.slice %w [0:1, 0:4] {boost.layer = #l0} : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %w0 = stablehlo.reshape %s0 {boost.layer = #l0} : (tensor<1x4xf32>) -> tensor<4xf32>
    %0 = stablehlo.multiply %mask, %w0 {boost.layer = #l0} : tensor<4xf32>
    %s1 = stablehlo.slice %w [1:2, 0:4] {boost.layer = #l1} : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %w1 = stablehlo.reshape %s1 {boost.layer = #l1} : (tensor<1x4xf32>) -> tensor<4xf32>
    %m1 = stablehlo.add %0, %mask {boost.layer = #l1} : tensor<4xf32>
    %1 = stablehlo.multiply %m1, %w1 {boost.layer = #l1} : tensor<4xf32>
    boost.probe %1 as "y" site 1 {boost.phase = "forward"} : tensor<4xf32>
    boost.phase backward
    %d1 = stablehlo.multiply %1, %m1 {boost.layer = #l1} : tensor<4xf32>
    %g1 = stablehlo.reshape %d1 {boost.layer = #l1} : (tensor<4xf32>) -> tensor<1x4xf32>
    %d0 = stablehlo.multiply %d1, %w1 {boost.layer = #l1} : tensor<4xf32>
    %e0 = stablehlo.multiply %d0, %mask {boost.layer = #l0} : tensor<4xf32>
    %g0 = stablehlo.reshape %e0 {boost.layer = #l0} : (tensor<4xf32>) -> tensor<1x4xf32>
    %g = stablehlo.concatenate %g0, %g1, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    boost.probe %g as "grad.w" site 2 {boost.phase = "backward"} : tensor<2x4xf32>
    return %1, %g : tensor<4xf32>, tensor<2x4xf32>
  }
  boost.schedule @probe {
    boost.call @verify micro_batch 0
  }
}
