// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function computed_weight | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function given_input | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function odd_columns | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function rows | FileCheck %s --check-prefix=EQUAL
// Where a linear with shard_output is sharded along its output in place of its contraction, and where not.

// EQUAL: 1 results equal

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// Only a weight that is an argument is moved to be sharded along its columns. What ranks computed stays where it is.
// CHECK-LABEL: func @computed_weight
// CHECK: %[[S:.*]] = boost.linear {{.*}} -> tensor<4x6xf32>
// CHECK: boost.all_reduce sum %[[S]]
func.func @computed_weight(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<batch "x">},
                           %e: tensor<6x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "e">})
    -> (tensor<4x6xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<output "y">}) {
  %y = stablehlo.tanh %x : tensor<4x8xf32>
  %w = stablehlo.tanh %e : tensor<6x8xf32>
  %0 = boost.linear %y, %w transposed shard_output : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// The input is an argument, but has no columns of the output.
// CHECK-LABEL: func @given_input
// CHECK: %[[S:.*]] = boost.linear {{.*}} -> tensor<4x6xf32>
// CHECK: boost.all_reduce sum %[[S]]
func.func @given_input(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<batch "x">},
                       %e: tensor<6x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "e">})
    -> (tensor<4x6xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<output "y">}) {
  %w = stablehlo.tanh %e : tensor<6x8xf32>
  %0 = boost.linear %x, %w transposed shard_output : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// Columns that two ranks do not divide.
// CHECK-LABEL: func @odd_columns
// CHECK: %[[S:.*]] = boost.linear {{.*}} -> tensor<4x7xf32>
// CHECK: boost.all_reduce sum %[[S]]
func.func @odd_columns(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<batch "x">},
                       %e: tensor<7x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "e">})
    -> (tensor<4x7xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<output "y">}) {
  %0 = boost.linear %x, %e transposed shard_output : (tensor<4x8xf32>, tensor<7x8xf32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}

// Without a sum there is nothing to avoid: each rank computes its rows.
// CHECK-LABEL: func @rows
// CHECK-NOT: {{all_|reduce_scatter}}
// CHECK: boost.linear {{.*}} : (tensor<2x8xf32>, tensor<6x8xf32>) -> tensor<2x6xf32>
// CHECK-NOT: {{all_|reduce_scatter}}
func.func @rows(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<batch "x">},
                %e: tensor<6x8xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "e">})
    -> (tensor<4x6xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<output "y">}) {
  %0 = boost.linear %x, %e transposed shard_output : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
