// RUN: boost-opt %s --boost-split-stages | FileCheck %s
// RUN: boost-opt %s --boost-split-stages=layout=1,3 | FileCheck %s --check-prefix=GIVEN

// Each stage has the rows of its layers, of the parameter, its gradient and its
// state; the rows of `whole` depend on each other in the update.

// CHECK-LABEL: func.func @accumulate_forward_0
// CHECK-SAME: tensor<2x8x8xf32> {boost.rows = array<i64: 0, 4>, boost.tensor = #boost.tensor<param "w@0"
// CHECK-SAME: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "whole">}
// CHECK: stablehlo.slice %{{.*}} [0:1, 0:8, 0:8]
// CHECK: stablehlo.slice %{{.*}} [1:2, 0:8, 0:8]

// CHECK-LABEL: func.func @accumulate_forward_1
// CHECK-SAME: tensor<2x8x8xf32> {boost.rows = array<i64: 2, 4>, boost.tensor = #boost.tensor<param "w@1"
// CHECK: stablehlo.slice %{{.*}} [0:1, 0:8, 0:8]
// CHECK: stablehlo.slice %{{.*}} [1:2, 0:8, 0:8]

// CHECK-LABEL: func.func @accumulate_backward_1
// CHECK: %[[G:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 0 {boost.component = "gradients"} : (tensor<1x8x8xf32>, tensor<1x8x8xf32>) -> tensor<2x8x8xf32>
// CHECK: stablehlo.add %{{.*}}, %[[G]] {{.*}}: tensor<2x8x8xf32>
// CHECK-LABEL: func.func @accumulate_backward_0
// CHECK-SAME: #boost.tensor<accumulator "acc.w@0", of = "w@0">

// CHECK-LABEL: func.func @update_0
// CHECK-SAME: tensor<2x8x8xf32> {boost.rows = array<i64: 0, 4>, boost.tensor = #boost.tensor<param "w@0">
// CHECK-SAME: #boost.tensor<state "m.w@0", kind = "m", of = "w@0", init = "zeros">
// CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<2x8x8xf32>
// CHECK-LABEL: func.func @update_1
// CHECK-SAME: #boost.tensor<param "w@1">

// GIVEN-LABEL: func.func @accumulate_forward_0
// GIVEN-SAME: tensor<1x8x8xf32> {boost.rows = array<i64: 0, 4>
// GIVEN-LABEL: func.func @accumulate_forward_1
// GIVEN-SAME: tensor<3x8x8xf32> {boost.rows = array<i64: 1, 4>

#l0 = #boost.layer<class = 0, index = 0>
#l1 = #boost.layer<class = 0, index = 1>
#l2 = #boost.layer<class = 0, index = 2>
#l3 = #boost.layer<class = 0, index = 3>

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @accumulate(
      %x: tensor<8x8xf32> {boost.tensor = #boost.tensor<batch "x">},
      %w: tensor<4x8x8xf32> {boost.tensor = #boost.tensor<param "w">},
      %whole: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "whole">},
      %acc: tensor<4x8x8xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %acc2: tensor<4x8xf32> {boost.tensor = #boost.tensor<accumulator "acc.whole", of = "whole">})
      -> (tensor<8x8xf32> {boost.tensor = #boost.tensor<output "y">},
          tensor<4x8x8xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4x8xf32> {boost.tensor = #boost.tensor<accumulator "acc.whole", of = "whole">}) {
    %s0 = stablehlo.slice %w [0:1, 0:8, 0:8] {boost.layer = #l0} : (tensor<4x8x8xf32>) -> tensor<1x8x8xf32>
    %w0 = stablehlo.reshape %s0 {boost.layer = #l0} : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %b0 = stablehlo.slice %whole [0:1, 0:8] {boost.layer = #l0} : (tensor<4x8xf32>) -> tensor<1x8xf32>
    %p0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] {boost.layer = #l0} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %a0 = stablehlo.broadcast_in_dim %b0, dims = [0, 1] {boost.layer = #l0} : (tensor<1x8xf32>) -> tensor<8x8xf32>
    %0 = stablehlo.add %p0, %a0 {boost.layer = #l0} : tensor<8x8xf32>
    %s1 = stablehlo.slice %w [1:2, 0:8, 0:8] {boost.layer = #l1} : (tensor<4x8x8xf32>) -> tensor<1x8x8xf32>
    %w1 = stablehlo.reshape %s1 {boost.layer = #l1} : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %b1 = stablehlo.slice %whole [1:2, 0:8] {boost.layer = #l1} : (tensor<4x8xf32>) -> tensor<1x8xf32>
    %p1 = stablehlo.dot_general %0, %w1, contracting_dims = [1] x [0] {boost.layer = #l1} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %a1 = stablehlo.broadcast_in_dim %b1, dims = [0, 1] {boost.layer = #l1} : (tensor<1x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.add %p1, %a1 {boost.layer = #l1} : tensor<8x8xf32>
    %s2 = stablehlo.slice %w [2:3, 0:8, 0:8] {boost.layer = #l2} : (tensor<4x8x8xf32>) -> tensor<1x8x8xf32>
    %w2 = stablehlo.reshape %s2 {boost.layer = #l2} : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %b2 = stablehlo.slice %whole [2:3, 0:8] {boost.layer = #l2} : (tensor<4x8xf32>) -> tensor<1x8xf32>
    %p2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0] {boost.layer = #l2} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %a2 = stablehlo.broadcast_in_dim %b2, dims = [0, 1] {boost.layer = #l2} : (tensor<1x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %p2, %a2 {boost.layer = #l2} : tensor<8x8xf32>
    %s3 = stablehlo.slice %w [3:4, 0:8, 0:8] {boost.layer = #l3} : (tensor<4x8x8xf32>) -> tensor<1x8x8xf32>
    %w3 = stablehlo.reshape %s3 {boost.layer = #l3} : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %b3 = stablehlo.slice %whole [3:4, 0:8] {boost.layer = #l3} : (tensor<4x8xf32>) -> tensor<1x8xf32>
    %p3 = stablehlo.dot_general %2, %w3, contracting_dims = [1] x [0] {boost.layer = #l3} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %a3 = stablehlo.broadcast_in_dim %b3, dims = [0, 1] {boost.layer = #l3} : (tensor<1x8xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.add %p3, %a3 {boost.layer = #l3} : tensor<8x8xf32>
    boost.phase backward
    %g3 = stablehlo.dot_general %2, %3, contracting_dims = [0] x [0] {boost.layer = #l3} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %d3 = stablehlo.dot_general %3, %w3, contracting_dims = [1] x [1] {boost.layer = #l3} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %g2 = stablehlo.dot_general %1, %d3, contracting_dims = [0] x [0] {boost.layer = #l2} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %d2 = stablehlo.dot_general %d3, %w2, contracting_dims = [1] x [1] {boost.layer = #l2} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %g1 = stablehlo.dot_general %0, %d2, contracting_dims = [0] x [0] {boost.layer = #l1} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %d1 = stablehlo.dot_general %d2, %w1, contracting_dims = [1] x [1] {boost.layer = #l1} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %g0 = stablehlo.dot_general %x, %d1, contracting_dims = [0] x [0] {boost.layer = #l0} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %r0 = stablehlo.reshape %g0 {boost.layer = #l0} : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %r1 = stablehlo.reshape %g1 {boost.layer = #l1} : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %r2 = stablehlo.reshape %g2 {boost.layer = #l2} : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %r3 = stablehlo.reshape %g3 {boost.layer = #l3} : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %g = stablehlo.concatenate %r0, %r1, %r2, %r3, dim = 0 {boost.layer = #l0} : (tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1x8x8xf32>) -> tensor<4x8x8xf32>
    %sum = stablehlo.add %acc, %g {boost.component = "gradients"} : tensor<4x8x8xf32>
    %h0 = stablehlo.slice %g0 [0:1, 0:8] {boost.layer = #l0} : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %h1 = stablehlo.slice %g1 [0:1, 0:8] {boost.layer = #l1} : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %h2 = stablehlo.slice %g2 [0:1, 0:8] {boost.layer = #l2} : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %h3 = stablehlo.slice %g3 [0:1, 0:8] {boost.layer = #l3} : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %h = stablehlo.concatenate %h0, %h1, %h2, %h3, dim = 0 {boost.layer = #l0} : (tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
    %sum2 = stablehlo.add %acc2, %h {boost.component = "gradients"} : tensor<4x8xf32>
    return %3, %sum, %sum2 : tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8xf32>
  }
  func.func @update(
      %w: tensor<4x8x8xf32> {boost.tensor = #boost.tensor<param "w">},
      %whole: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "whole">},
      %m: tensor<4x8x8xf32> {boost.tensor = #boost.tensor<state "m.w", kind = "m", of = "w", init = "zeros">},
      %acc: tensor<4x8x8xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %acc2: tensor<4x8xf32> {boost.tensor = #boost.tensor<accumulator "acc.whole", of = "whole">},
      %lr: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr">})
      -> (tensor<4x8x8xf32> {boost.tensor = #boost.tensor<param "w">},
          tensor<4x8xf32> {boost.tensor = #boost.tensor<param "whole">},
          tensor<4x8x8xf32> {boost.tensor = #boost.tensor<state "m.w", kind = "m", of = "w">},
          tensor<4x8x8xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4x8xf32> {boost.tensor = #boost.tensor<accumulator "acc.whole", of = "whole">}) {
    boost.phase optimizer
    %zero = stablehlo.constant dense<0.0> : tensor<4x8x8xf32>
    %zero2 = stablehlo.constant dense<0.0> : tensor<4x8xf32>
    %rate = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %new_m = stablehlo.add %m, %acc : tensor<4x8x8xf32>
    %step = stablehlo.multiply %rate, %new_m : tensor<4x8x8xf32>
    %new = stablehlo.subtract %w, %step : tensor<4x8x8xf32>
    %turned = stablehlo.reverse %acc2, dims = [0] : tensor<4x8xf32>
    %new2 = stablehlo.subtract %whole, %turned : tensor<4x8xf32>
    return %new, %new2, %new_m, %zero, %zero2 : tensor<4x8x8xf32>, tensor<4x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8xf32>
  }
  boost.schedule @train micro_batches 2 {
    boost.call @accumulate micro_batch 0
    boost.call @accumulate micro_batch 1
    boost.call @update
  }
}
