// RUN: boost-opt %s --boost-split-stages=order=zb-h1 > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: boost-eval --compare %s %t.mlir --function=train | FileCheck %s --check-prefix=EQUAL
// EQUAL: 4 results equal

// The gradients of inputs and those of weights both read %wide, which the
// backward pass computes again from the narrow %latent. Both calls do so, and
// only the gradients %d are kept between them. What is recomputed by a
// collective is kept: it is not sent again.

// CHECK-LABEL: func.func @accumulate_backward_1
// CHECK: stablehlo.dot_general {{.*}}boost.recomputed
// CHECK: %[[SUM:.*]] = boost.all_reduce {{.*}}boost.recomputed
// CHECK: %[[WIDE:.*]] = stablehlo.multiply {{.*}}boost.recomputed
// CHECK: return
// CHECK-NOT: %[[WIDE]]
// CHECK-SAME: %[[SUM]]
// CHECK-NOT: %[[WIDE]]
// CHECK-LABEL: func.func @accumulate_weights_1
// CHECK: stablehlo.dot_general {{.*}}boost.recomputed
// CHECK-NOT: boost.all_reduce
// CHECK: stablehlo.multiply {{.*}}boost.recomputed
// CHECK-NOT: boost.recomputed
// CHECK: stablehlo.dot_general

#l0 = #boost.layer<class = 0, index = 0>
#l1 = #boost.layer<class = 0, index = 1>

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["pp", "tp"]}
  func.func @accumulate(
      %x: tensor<64x4xf32> {boost.tensor = #boost.tensor<batch "x">},
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %a: tensor<4x2xf32> {boost.tensor = #boost.tensor<param "a">},
      %b: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "b">},
      %w: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "w">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
      %sa: tensor<4x2xf32> {boost.tensor = #boost.tensor<accumulator "acc.a", of = "a">},
      %sb: tensor<2x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.b", of = "b">},
      %sw: tensor<4x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
          tensor<4x2xf32> {boost.tensor = #boost.tensor<accumulator "acc.a", of = "a">},
          tensor<2x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.b", of = "b">},
          tensor<4x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %bv = stablehlo.broadcast_in_dim %v, dims = [1] {boost.layer = #l0} : (tensor<4xf32>) -> tensor<64x4xf32>
    %0 = stablehlo.add %x, %bv {boost.layer = #l0} : tensor<64x4xf32>
    %latent = stablehlo.dot_general %0, %a, contracting_dims = [1] x [0] {boost.layer = #l1} : (tensor<64x4xf32>, tensor<4x2xf32>) -> tensor<64x2xf32>
    %wide = stablehlo.dot_general %latent, %b, contracting_dims = [1] x [0] {boost.layer = #l1} : (tensor<64x2xf32>, tensor<2x4xf32>) -> tensor<64x4xf32>
    %sum = boost.all_reduce sum %wide on @mesh axes = [1] {boost.layer = #l1} : tensor<64x4xf32>
    %1 = stablehlo.multiply %sum, %wide {boost.layer = #l1} : tensor<64x4xf32>
    %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] {boost.layer = #l1} : (tensor<64x4xf32>, tensor<4x4xf32>) -> tensor<64x4xf32>
    boost.phase backward
    %d = stablehlo.negate %2 {boost.layer = #l1} : tensor<64x4xf32>
    %kept = stablehlo.optimization_barrier {boost.layer = #l1} %latent : tensor<64x2xf32>
    %wide1 = stablehlo.dot_general %kept, %b, contracting_dims = [1] x [0] {boost.layer = #l1, boost.recomputed} : (tensor<64x2xf32>, tensor<2x4xf32>) -> tensor<64x4xf32>
    %sum1 = boost.all_reduce sum %wide1 on @mesh axes = [1] {boost.layer = #l1, boost.recomputed} : tensor<64x4xf32>
    %3 = stablehlo.multiply %sum1, %wide1 {boost.layer = #l1, boost.recomputed} : tensor<64x4xf32>
    %gw = stablehlo.dot_general %3, %d, contracting_dims = [0] x [0] {boost.layer = #l1} : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<4x4xf32>
    %e = stablehlo.dot_general %d, %w, contracting_dims = [1] x [1] {boost.layer = #l1} : (tensor<64x4xf32>, tensor<4x4xf32>) -> tensor<64x4xf32>
    %f = stablehlo.multiply %e, %3 {boost.layer = #l1} : tensor<64x4xf32>
    %gb = stablehlo.dot_general %kept, %f, contracting_dims = [0] x [0] {boost.layer = #l1} : (tensor<64x2xf32>, tensor<64x4xf32>) -> tensor<2x4xf32>
    %g = stablehlo.dot_general %f, %b, contracting_dims = [1] x [1] {boost.layer = #l1} : (tensor<64x4xf32>, tensor<2x4xf32>) -> tensor<64x2xf32>
    %ga = stablehlo.dot_general %0, %g, contracting_dims = [0] x [0] {boost.layer = #l1} : (tensor<64x4xf32>, tensor<64x2xf32>) -> tensor<4x2xf32>
    %h = stablehlo.dot_general %g, %a, contracting_dims = [1] x [1] {boost.layer = #l1} : (tensor<64x2xf32>, tensor<4x2xf32>) -> tensor<64x4xf32>
    %gv = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0] {boost.layer = #l0} : (tensor<64x4xf32>, tensor<f32>) -> tensor<4xf32>
    %nv = stablehlo.add %sv, %gv {boost.component = "gradients"} : tensor<4xf32>
    %na = stablehlo.add %sa, %ga {boost.component = "gradients"} : tensor<4x2xf32>
    %nb = stablehlo.add %sb, %gb {boost.component = "gradients"} : tensor<2x4xf32>
    %nw = stablehlo.add %sw, %gw {boost.component = "gradients"} : tensor<4x4xf32>
    return %nv, %na, %nb, %nw : tensor<4xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x4xf32>
  }
  func.func @update(
      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
      %a: tensor<4x2xf32> {boost.tensor = #boost.tensor<param "a">},
      %b: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "b">},
      %w: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "w">},
      %sv: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
      %sa: tensor<4x2xf32> {boost.tensor = #boost.tensor<accumulator "acc.a", of = "a">},
      %sb: tensor<2x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.b", of = "b">},
      %sw: tensor<4x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
          tensor<4x2xf32> {boost.tensor = #boost.tensor<param "a">},
          tensor<2x4xf32> {boost.tensor = #boost.tensor<param "b">},
          tensor<4x4xf32> {boost.tensor = #boost.tensor<param "w">},
          tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.v", of = "v">},
          tensor<4x2xf32> {boost.tensor = #boost.tensor<accumulator "acc.a", of = "a">},
          tensor<2x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.b", of = "b">},
          tensor<4x4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
    boost.phase optimizer
    %zv = stablehlo.constant dense<0.0> : tensor<4xf32>
    %za = stablehlo.constant dense<0.0> : tensor<4x2xf32>
    %zb = stablehlo.constant dense<0.0> : tensor<2x4xf32>
    %zw = stablehlo.constant dense<0.0> : tensor<4x4xf32>
    %nv = stablehlo.subtract %v, %sv : tensor<4xf32>
    %na = stablehlo.subtract %a, %sa : tensor<4x2xf32>
    %nb = stablehlo.subtract %b, %sb : tensor<2x4xf32>
    %nw = stablehlo.subtract %w, %sw : tensor<4x4xf32>
    return %nv, %na, %nb, %nw, %zv, %za, %zb, %zw : tensor<4xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x4xf32>
  }
  boost.schedule @train micro_batches 2 {
    boost.call @accumulate micro_batch 0
    boost.call @accumulate micro_batch 1
    boost.call @update
  }
}
