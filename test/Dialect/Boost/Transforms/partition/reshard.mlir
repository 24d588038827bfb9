// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function swap | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function spread | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function gather_once | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function whole_dimension | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function shard_further | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function reorder | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function minor_axis | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function sharded_state | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function sum_over_two | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function part_too_small | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function maximum_over_two | FileCheck %s --check-prefix=EQUAL
// Several steps lead from one form to another; a form once made is reused.

// EQUAL: results equal

shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

// CHECK-LABEL: func @swap
// CHECK: boost.all_gather {{.*}} : (tensor<4x4xf32>) -> tensor<8x4xf32>
// CHECK: shard.all_to_all {{.*}} : tensor<8x4xf32> -> tensor<4x8xf32>
// CHECK: shard.all_slice {{.*}} : tensor<4x8xf32> -> tensor<4x4xf32>
// CHECK: return
func.func @swap(%x: tensor<8x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>})
    -> (tensor<8x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {"dp"}>}) {
  return %x : tensor<8x8xf32>
}

// CHECK-LABEL: func @spread
// CHECK: shard.all_to_all {{.*}} : tensor<2x8xf32> -> tensor<4x4xf32>
// CHECK-NEXT: return
func.func @spread(%x: tensor<8x8xf32> {boost.sharding = #boost.sharding<{"dp", "tp"}, {}>})
    -> (tensor<8x8xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>}) {
  return %x : tensor<8x8xf32>
}

// CHECK-LABEL: func @gather_once
// CHECK: boost.all_gather
// CHECK-NOT: boost.all_gather
// CHECK: return
func.func @gather_once(%x: tensor<8x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<8x8xf32> {boost.sharding = #boost.sharding<{}, {}>}, tensor<8x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  return %x, %x : tensor<8x8xf32>, tensor<8x8xf32>
}

// A dimension that is concatenated has to be whole.
// CHECK-LABEL: func @whole_dimension
// CHECK: %[[G:.*]] = boost.all_gather
// CHECK: stablehlo.concatenate %[[G]], %[[G]], dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
func.func @whole_dimension(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp"}>})
    -> (tensor<16xf32> {boost.sharding = #boost.sharding<{}>}) {
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// The order of axes is given: what is sharded further over an axis is a part of
// what the rank has, and nothing is sent.
// CHECK-LABEL: func @shard_further
// CHECK-NEXT: %[[S:.*]] = shard.all_slice %{{.*}} on @mesh grid_axes = [0] slice_axis = 0 {{.*}} : tensor<4x8xf32> -> tensor<2x8xf32>
// CHECK-NEXT: return %[[S]]
func.func @shard_further(%x: tensor<8x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<8x8xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>}) {
  return %x : tensor<8x8xf32>
}

// In another order ranks hold other parts.
// CHECK-LABEL: func @reorder
// CHECK: boost.all_gather
// CHECK: boost.all_gather
// CHECK: shard.all_slice {{.*}} grid_axes = [1]
// CHECK: shard.all_slice {{.*}} grid_axes = [0]
// CHECK: return
func.func @reorder(%x: tensor<8x8xf32> {boost.sharding = #boost.sharding<{"dp", "tp"}, {}>})
    -> (tensor<8x8xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>}) {
  return %x : tensor<8x8xf32>
}

// Where the part of a rank begins follows the order too.
// CHECK-LABEL: func @minor_axis
// CHECK-DAG: boost.process_index on @mesh axes = [0]
// CHECK-DAG: boost.process_index on @mesh axes = [1]
// CHECK-NOT: shard.
// CHECK: return
func.func @minor_axis(%x: tensor<8xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}>})
    -> (tensor<8xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}>}) {
  %0 = stablehlo.iota dim = 0 : tensor<8xf32>
  %1 = stablehlo.add %x, %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A state that is sharded further than its parameter: the parameter is gathered
// over the further axis only.
// CHECK-LABEL: func @sharded_state
// CHECK-NOT: grid_axes = [1]
// CHECK: shard.all_slice {{.*}} grid_axes = [0]
// CHECK-NOT: grid_axes = [1]
// CHECK: boost.adamw {{.*}} tensor<2x4xf32>
// CHECK-NOT: grid_axes = [1]
// CHECK: boost.all_gather {{.*}} axes = [0]
// CHECK-NOT: grid_axes = [1]
// CHECK: return
func.func @sharded_state(%p: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                         %m: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>},
                         %v: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>},
                         %g: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                         %s: tensor<f32> {boost.sharding = #boost.sharding<>})
    -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
        tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>},
        tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>}) {
  boost.phase optimizer
  %v2 = stablehlo.multiply %v, %v : tensor<8x4xf32>
  %p1, %m1, %v1 = boost.adamw %p, %m, %v2, %g lr %s step %s scale %s
      betas %s, %s shares %s, %s eps %s, %s decay %s {decays}
      : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  return %p1, %m1, %v1 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

// Of a sum over two axes one is wanted in parts: it is scattered, and the other
// completes a half.
// CHECK-LABEL: func @sum_over_two
// CHECK: boost.linear
// CHECK-NEXT: boost.reduce_scatter sum {{.*}} axes = [0] {{.*}} : (tensor<8x16xf32>) -> tensor<4x16xf32>
// CHECK-NEXT: boost.all_reduce sum {{.*}} axes = [1] {{.*}} : tensor<4x16xf32>
// CHECK-NEXT: stablehlo.tanh
func.func @sum_over_two(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp", "dp"}>},
                        %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>})
    -> (tensor<8x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.tanh %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// Three rows of a rank are not scattered over two: the sum is completed where
// it is, and moved.
// CHECK-LABEL: func @part_too_small
// CHECK: boost.linear
// CHECK-NEXT: boost.all_reduce sum {{.*}} axes = [0] {{.*}} : tensor<3x16xf32>
// CHECK-NEXT: stablehlo.tanh
// CHECK-NEXT: boost.all_gather {{.*}} axes = [1] {{.*}} -> tensor<6x16xf32>
// CHECK-NEXT: shard.all_slice {{.*}} -> tensor<3x16xf32>
func.func @part_too_small(%x: tensor<6x64xf32> {boost.sharding = #boost.sharding<{"tp"}, {"dp"}>},
                          %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>})
    -> (tensor<6x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}) {
  %0 = boost.linear %x, %a : (tensor<6x64xf32>, tensor<64x16xf32>) -> tensor<6x16xf32>
  %1 = stablehlo.tanh %0 : tensor<6x16xf32>
  return %1 : tensor<6x16xf32>
}

// Maxima are completed over both axes at once, also where parts are wanted.
// CHECK-LABEL: func @maximum_over_two
// CHECK: stablehlo.reduce
// CHECK-NEXT: boost.all_reduce max {{.*}} axes = [0, 1] {{.*}} : tensor<6xf32>
// CHECK-NEXT: shard.all_slice {{.*}} -> tensor<3xf32>
func.func @maximum_over_two(%x: tensor<8x6xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>})
    -> (tensor<6xf32> {boost.sharding = #boost.sharding<{"dp"}>}) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.tanh %0 : tensor<6xf32>
  return %1 : tensor<6xf32>
}
