// RUN: boost-opt %s --boost-split-stages=order=gpipe | FileCheck %s
// RUN: boost-opt %s --boost-split-stages=order=zb-h1 | FileCheck %s --check-prefix=ZB

// Two layers, of which the parameter %e is used before the first and behind the
// last, as an embedding that is the head too.

// What the batch says is computed on both stages. The stream alone crosses.
// CHECK-LABEL: func.func @accumulate_forward_0
// CHECK-SAME: -> (tensor<4xf32> {boost.tensor = #boost.tensor<kept "kept.train.0">}, tensor<4xf32> {boost.tensor = #boost.tensor<kept "kept.train.3">})
// CHECK-SAME: attributes {boost.part_of = "accumulate", boost.stage = 0 : i64}
// CHECK: stablehlo.negate
// CHECK-LABEL: func.func @accumulate_forward_1
// CHECK-SAME: boost.tensor<kept "kept.train.0">
// CHECK-SAME: boost.tensor<loss "loss">
// CHECK-SAME: attributes {boost.part_of = "accumulate", boost.stage = 1 : i64}
// CHECK: stablehlo.negate

// The last stage has an accumulator of its own for %e, and reads the stream as
// it received it: the first stage recomputes it for nobody.
// CHECK-LABEL: func.func @accumulate_backward_1
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.e.1", of = "e">}
// CHECK-SAME: %[[STREAM:[a-z0-9]+]]: tensor<4xf32> {boost.tensor = #boost.tensor<kept "kept.train.0">}
// CHECK: boost.phase {{ *}}backward
// CHECK: stablehlo.multiply %{{.*}}, %[[STREAM]]
// CHECK: stablehlo.add %[[SUM]],
// CHECK-LABEL: func.func @accumulate_backward_0
// CHECK-NOT: boost.recomputed
// CHECK-NOT: stablehlo.optimization_barrier

// One stage updates %e. Both take part in the norm, and count.
// CHECK-LABEL: func.func @update_0
// CHECK-SAME: %[[OWN:[a-z0-9]+]]: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.e", of = "e">}
// CHECK-SAME: %[[OTHER:[a-z0-9]+]]: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.e.1", of = "e">}
// CHECK: boost.phase {{ *}}optimizer
// CHECK: %[[E:.*]] = stablehlo.add %[[OWN]], %[[OTHER]]
// CHECK: %[[G:.*]]:2 = boost.all_reduce {{ *}}sum %[[E]], %{{.*}} on @mesh axes = [0]
// CHECK: %[[S:.*]] = boost.sum_of_squares %[[G]]#0, %[[G]]#1
// CHECK: boost.sum_over_stages %[[S]] meeting 0 on @mesh axes = [1]
// CHECK-LABEL: func.func @update_1
// CHECK: %[[G1:.*]] = boost.all_reduce {{ *}}sum %{{.*}} on @mesh axes = [0]
// CHECK: %[[S1:.*]] = boost.sum_of_squares %[[G1]]
// CHECK: boost.sum_over_stages %[[S1]] meeting 0 on @mesh axes = [1]

// CHECK-LABEL: boost.schedule @train micro_batches 2 {
// CHECK-NEXT: boost.call @accumulate_forward_0 micro_batch 0 slot 0
// CHECK-NEXT: boost.transfer ["kept.train.0"] micro_batch 0 from 0 slot 0 to 1 slot 0
// CHECK-NEXT: boost.call @accumulate_forward_0 micro_batch 1 slot 1
// CHECK-NEXT: boost.call @accumulate_forward_1 micro_batch 0 slot 0
// CHECK-NEXT: boost.transfer ["kept.train.0"] micro_batch 1 from 0 slot 1 to 1 slot 1
// CHECK-NEXT: boost.call @accumulate_forward_1 micro_batch 1 slot 1
// CHECK-NEXT: boost.call @accumulate_backward_1 micro_batch 0 slot 0
// CHECK-NEXT: boost.transfer ["kept.train.2"] micro_batch 0 from 1 slot 0 to 0 slot 0
// CHECK-NEXT: boost.call @accumulate_backward_0 micro_batch 0 slot 0
// CHECK-NEXT: boost.call @accumulate_backward_1 micro_batch 1 slot 1
// CHECK-NEXT: boost.transfer ["kept.train.2"] micro_batch 1 from 1 slot 1 to 0 slot 1
// CHECK-NEXT: boost.call @accumulate_backward_0 micro_batch 1 slot 1
// CHECK-NEXT: boost.transfer ["acc.e.1"] from 1 to 0
// CHECK-NEXT: boost.call @update_0
// CHECK-NEXT: boost.call @update_1
// CHECK-NEXT: boost.transfer ["e"] from 0 to 1

// The gradient of the stream is urgent, those of parameters are not: also on
// the first stage, where only the gradient of %e before the layers reads it.
// ZB-LABEL: func.func @accumulate_backward_1
// ZB-COUNT-1: stablehlo.multiply
// ZB-NOT: boost.component
// ZB-LABEL: func.func @accumulate_backward_0
// ZB-COUNT-1: stablehlo.multiply
// ZB-NOT: boost.component
// ZB-LABEL: func.func @accumulate_weights_1
// ZB-COUNT-2: boost.component = "gradients"
// ZB-LABEL: func.func @accumulate_weights_0
// ZB-COUNT-2: boost.component = "gradients"
// ZB: boost.call @accumulate_weights_0 micro_batch 1

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "pp"]}
  func.func @accumulate(
      %e: tensor<4xf32> {boost.tensor = #boost.tensor<param "e">},
      %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %se: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.e", of = "e">},
      %sw: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
      %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<loss "loss">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.e", of = "e">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">}) {
    %mask = stablehlo.negate %x : tensor<4xf32>
    %0 = stablehlo.multiply %x, %e : tensor<4xf32>
    %1 = stablehlo.multiply %0, %w {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    %2 = stablehlo.add %1, %mask {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    %3 = stablehlo.multiply %2, %v {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    %4 = stablehlo.add %3, %mask {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    %loss = stablehlo.multiply %4, %e : tensor<4xf32>
    boost.phase backward
    %ge1 = stablehlo.negate %4 : tensor<4xf32>
    %d4 = stablehlo.negate %e : tensor<4xf32>
    %again = stablehlo.optimization_barrier {boost.layer = #boost.layer<class = 0, index = 0>} %1 : tensor<4xf32>
    %again2 = stablehlo.add %again, %mask {boost.layer = #boost.layer<class = 0, index = 0>, boost.recomputed} : tensor<4xf32>
    %gv = stablehlo.multiply %d4, %again2 {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    %d2 = stablehlo.multiply %d4, %v {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    %gw = stablehlo.multiply %d2, %0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    %d0 = stablehlo.multiply %d2, %w {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    %ge0 = stablehlo.multiply %d0, %x : tensor<4xf32>
    %ge = stablehlo.add %ge1, %ge0 : tensor<4xf32>
    %te = stablehlo.add %se, %ge {boost.component = "gradients"} : tensor<4xf32>
    %tw = stablehlo.add %sw, %gw {boost.component = "gradients"} : tensor<4xf32>
    %tv = stablehlo.add %sv, %gv {boost.component = "gradients"} : tensor<4xf32>
    return %loss, %te, %tw, %tv : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func @update(
      %e: tensor<4xf32> {boost.tensor = #boost.tensor<param "e">},
      %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %n: tensor<f32> {boost.tensor = #boost.tensor<state "count", kind = "count">},
      %se: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.e", of = "e">},
      %sw: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">})
      -> (tensor<f32> {boost.tensor = #boost.tensor<metric "grad_norm", kind = "grad_norm">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "e">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
          tensor<f32> {boost.tensor = #boost.tensor<state "count", kind = "count">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.e", of = "e">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">}) {
    boost.phase optimizer
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %g:3 = boost.all_reduce sum %se, %sw, %sv on @mesh axes = [0] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    %s = boost.sum_of_squares %g#0, %g#1, %g#2 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %norm = stablehlo.sqrt %s : tensor<f32>
    %scale = stablehlo.broadcast_in_dim %norm, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %e0 = stablehlo.multiply %g#0, %scale : tensor<4xf32>
    %w0 = stablehlo.multiply %g#1, %scale : tensor<4xf32>
    %v0 = stablehlo.multiply %g#2, %scale : tensor<4xf32>
    %e1 = stablehlo.subtract %e, %e0 : tensor<4xf32>
    %w1 = stablehlo.subtract %w, %w0 : tensor<4xf32>
    %v1 = stablehlo.subtract %v, %v0 : tensor<4xf32>
    %n1 = stablehlo.add %n, %one : tensor<f32>
    return %norm, %e1, %w1, %v1, %n1, %zero, %zero, %zero
        : tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  boost.schedule @train micro_batches 2 {
    boost.call @accumulate micro_batch 0
    boost.call @accumulate micro_batch 1
    boost.call @update
  }
}
