// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function sorted_rows | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function sorted_whole | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function cumulative_rows | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function scatter_columns | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function scatter_batches | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function scatter_parts | FileCheck %s --check-prefix=EQUAL
// Sorts, windows and scatters along sharded dimensions, and across them.

// EQUAL: results equal

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// CHECK-LABEL: func @sorted_rows
// CHECK: "stablehlo.sort"
// CHECK: (tensor<2x8xf32>) -> tensor<2x8xf32>
// CHECK-NOT: {{all_|reduce_scatter}}
// CHECK: return
func.func @sorted_rows(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The dimension that is sorted is gathered first.
// CHECK-LABEL: func @sorted_whole
// CHECK: %[[X:.*]] = boost.all_gather
// CHECK: "stablehlo.sort"(%[[X]])
// CHECK: (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @sorted_whole(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @cumulative_rows
// CHECK: "stablehlo.reduce_window"
// CHECK: (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
// CHECK-NOT: {{all_|reduce_scatter}}
// CHECK: return
func.func @cumulative_rows(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 8>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @scatter_columns
// CHECK: "stablehlo.scatter"
// CHECK: (tensor<16x4xf32>, tensor<6x1xi32>, tensor<6x4xf32>) -> tensor<16x4xf32>
// CHECK-NOT: {{all_|reduce_scatter}}
// CHECK: return
func.func @scatter_columns(%t: tensor<16x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                           %i: tensor<6x1xi32> {boost.id_limit = 20 : i64, boost.sharding = #boost.sharding<{}, {}>},
                           %u: tensor<6x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<16x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16x8xf32>, tensor<6x1xi32>, tensor<6x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// CHECK-LABEL: func @scatter_batches
// CHECK: "stablehlo.scatter"
// CHECK: (tensor<2x8xf32>, tensor<2x3x1xi32>, tensor<2x3xf32>) -> tensor<2x8xf32>
// CHECK-NOT: {{all_|reduce_scatter}}
// CHECK: return
func.func @scatter_batches(%t: tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                           %i: tensor<4x3x1xi32> {boost.id_limit = 9 : i64, boost.sharding = #boost.sharding<{"tp"}, {}, {}>},
                           %u: tensor<4x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x3x1xi32>, tensor<4x3xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A sum onto zeros of updates that ranks hold parts of is a sum of parts: what
// becomes of the gradient of a look-up.
// CHECK-LABEL: func @scatter_parts
// CHECK: %[[S:.*]] = "stablehlo.scatter"
// CHECK: (tensor<16x8xf32>, tensor<3x1xi32>, tensor<3x8xf32>) -> tensor<16x8xf32>
// CHECK: boost.all_reduce sum %[[S]]
func.func @scatter_parts(%i: tensor<6x1xi32> {boost.id_limit = 20 : i64, boost.sharding = #boost.sharding<{"tp"}, {}>},
                         %u: tensor<6x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<16x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  %t = stablehlo.constant dense<0.0> : tensor<16x8xf32>
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16x8xf32>, tensor<6x1xi32>, tensor<6x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
