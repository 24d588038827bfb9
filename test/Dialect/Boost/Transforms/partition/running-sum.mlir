// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: FileCheck %s --input-file %t
// RUN: boost-eval --compare %s %t --function accumulate
// RUN: boost-eval --compare %s %t --function update
// A running sum keeps the terms of each rank: nothing is sent when a gradient is
// added to it, and all of it once, when the update reads it. What is complete
// before it is added stays complete.

shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

// The order of the functions makes no difference.
// CHECK-LABEL: func @update
// CHECK-SAME:    %[[S:[^:]*]]: tensor<32x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, partial = sum {"dp"}>, boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}
// CHECK-SAME:    %[[U:[^:]*]]: tensor<16xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<accumulator "acc.b", of = "b">}
// CHECK-SAME:    -> (tensor<32x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "w">}
// CHECK-SAME:    tensor<32x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, partial = sum {"dp"}>, boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}
func.func @update(%w: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "w">},
                  %sum: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
                  %other: tensor<16xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<accumulator "acc.b", of = "b">})
    -> (tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "w">},
        tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
        tensor<16xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "b">}) {
  boost.phase optimizer
  // CHECK:     %[[R:.*]] = boost.all_reduce sum %[[S]] on @mesh axes = [0] {boost.component = "gradients"} : tensor<32x16xf32>
  // CHECK:     %[[T:.*]] = stablehlo.tanh %[[R]]
  // CHECK-NOT: boost.all_reduce
  // CHECK:     %[[ZERO:.*]] = stablehlo.constant dense<0.0{{.*}}> : tensor<32x16xf32>
  // CHECK:     return %{{.*}}, %[[ZERO]]
  %0 = stablehlo.tanh %sum : tensor<64x16xf32>
  %1 = stablehlo.subtract %w, %0 : tensor<64x16xf32>
  %2 = stablehlo.tanh %other : tensor<16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<64x16xf32>
  return %1, %zero, %2 : tensor<64x16xf32>, tensor<64x16xf32>, tensor<16xf32>
}

// CHECK-LABEL: func @accumulate
// CHECK-SAME:    %[[S:[^:]*]]: tensor<32x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, partial = sum {"dp"}>, boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}
// CHECK:         %[[G:.*]] = stablehlo.dot_general
// CHECK-NEXT:    %[[N:.*]] = stablehlo.add %[[S]], %[[G]]
// CHECK-NOT:     boost.all_reduce
// CHECK:         return %[[N]]
func.func @accumulate(%sum: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
                      %other: tensor<16xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<accumulator "acc.b", of = "b">},
                      %x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>, boost.tensor = #boost.tensor<param "x">},
                      %dy: tensor<8x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<param "dy">},
                      %b: tensor<16xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "b">})
    -> (tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
        tensor<16xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<accumulator "acc.b", of = "b">}) {
  boost.phase backward
  %g = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0] : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
  %next = stablehlo.add %sum, %g : tensor<64x16xf32>
  %t = stablehlo.tanh %b : tensor<16xf32>
  %nextOther = stablehlo.add %other, %t : tensor<16xf32>
  return %next, %nextOther : tensor<64x16xf32>, tensor<16xf32>
}
