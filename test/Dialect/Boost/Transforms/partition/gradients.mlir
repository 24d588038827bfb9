// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function step | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function two_averages | FileCheck %s --check-prefix=TWO
// A weight gradient stays a partial sum over dp until the optimizer reads it, and
// the global norm counts every element once: cut gradients are completed over
// the axes that shard them, replicated ones not at all.

// EQUAL: 3 results equal
// TWO: 2 results equal

shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

// CHECK-LABEL: func @step
func.func @step(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>, boost.tensor = #boost.tensor<param "x">},
                %dy: tensor<8x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<param "dy">},
                %w: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "w">},
                %v: tensor<16xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "v">})
    -> (tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<output "norm">},
        tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<output "w1">},
        tensor<16xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<output "v1">}) {
  boost.phase backward
  // CHECK: %[[GW:.*]] = stablehlo.dot_general {{.*}} -> tensor<32x16xf32>
  // CHECK-NOT: all_reduce
  %gw = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0] : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: %[[GV:.*]] = stablehlo.reduce
  // CHECK-NOT: all_reduce
  %gv = stablehlo.reduce(%dy init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  // CHECK: boost.phase {{ *}}optimizer
  boost.phase optimizer
  // CHECK: %[[RW:.*]] = boost.all_reduce sum %[[GW]] on @mesh axes = [0] {boost.component = "gradients"} : tensor<32x16xf32>
  // CHECK: %[[RV:.*]] = boost.all_reduce sum %[[GV]] on @mesh axes = [0] {boost.component = "gradients"} : tensor<16xf32>
  // CHECK: %[[SW:.*]] = boost.sum_of_squares %[[RW]] {{.*}} : (tensor<32x16xf32>)
  // CHECK: %[[TW:.*]] = boost.all_reduce sum %[[SW]] on @mesh axes = [1] {boost.component = "optimizer"} : tensor<f32>
  // CHECK: %[[SV:.*]] = boost.sum_of_squares %[[RV]] {{.*}} : (tensor<16xf32>)
  // CHECK: %[[N:.*]] = stablehlo.add %[[TW]], %[[SV]]
  %n = boost.sum_of_squares %gw, %gv {boost.component = "optimizer"} : (tensor<64x16xf32>, tensor<16xf32>) -> tensor<f32>
  // CHECK-NOT: all_reduce
  %w1 = stablehlo.subtract %w, %gw : tensor<64x16xf32>
  %v1 = stablehlo.subtract %v, %gv : tensor<16xf32>
  return %n, %w1, %v1 : tensor<f32>, tensor<64x16xf32>, tensor<16xf32>
}

// However many operations the update has, the gradient waits for it.
// CHECK-LABEL: func @update_of_three_operations
func.func @update_of_three_operations(
    %x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<param "x">},
    %dy: tensor<8x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<param "dy">})
    -> (tensor<64x16xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<output "w1">}) {
  boost.phase backward
  // CHECK:      %[[GW:.*]] = stablehlo.dot_general
  // CHECK-NEXT: boost.phase {{ *}}optimizer
  // CHECK-NEXT: boost.all_reduce sum %[[GW]] on @mesh axes = [0] {boost.component = "gradients"}
  %gw = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0] : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
  boost.phase optimizer
  %0 = stablehlo.tanh %gw : tensor<64x16xf32>
  %1 = stablehlo.sqrt %0 : tensor<64x16xf32>
  %2 = stablehlo.negate %1 : tensor<64x16xf32>
  return %2 : tensor<64x16xf32>
}

// An average takes a tenth of the gradient, and another one its square: both read the completed
// gradient, which is not completed again behind the product.
// CHECK-LABEL: func @two_averages
func.func @two_averages(
    %x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<param "x">},
    %dy: tensor<8x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<param "dy">})
    -> (tensor<64x16xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<output "m">},
        tensor<64x16xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<output "v">}) {
  boost.phase backward
  // CHECK: %[[GW:.*]] = stablehlo.dot_general
  %gw = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0] : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
  // CHECK: boost.phase {{ *}}optimizer
  boost.phase optimizer
  %tenth = stablehlo.constant dense<0.1> : tensor<64x16xf32>
  // CHECK: %[[SUM:.*]] = boost.all_reduce sum %[[GW]] on @mesh axes = [0]
  // CHECK: %[[M:.*]] = stablehlo.multiply %[[SUM]]
  %m = stablehlo.multiply %gw, %tenth : tensor<64x16xf32>
  // CHECK: %[[V:.*]] = stablehlo.multiply %[[SUM]], %[[SUM]]
  %v = stablehlo.multiply %gw, %gw : tensor<64x16xf32>
  // CHECK-NOT: all_reduce
  // CHECK: return %[[M]], %[[V]]
  return %m, %v : tensor<64x16xf32>, tensor<64x16xf32>
}
