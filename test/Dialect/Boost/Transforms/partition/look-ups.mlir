// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --canonicalize --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function pick | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function pick_by_bytes | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function pick_of_two | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function add | FileCheck %s --check-prefix=EQUAL
// Gathers and scatters along the dimension that indices name.

// EQUAL: results equal

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// Each rank reads what it holds; the sum of both is the result.
// CHECK-LABEL: func @pick
// CHECK-NOT:     all_gather
// CHECK:         %[[G:.*]] = "stablehlo.gather"
// CHECK-SAME:      (tensor<4x8xf32>, tensor<4x1xi32>) -> tensor<4xf32>
// CHECK:         %[[S:.*]] = stablehlo.select %{{.*}}, %[[G]], %{{.*}}
// CHECK:         boost.all_reduce sum %[[S]]
func.func @pick(%x: tensor<4x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}, %i: tensor<4x1xi32> {boost.id_limit = 16 : i64, boost.sharding = #boost.sharding<{}, {}>})
    -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x16xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A row that the type of the index cannot name is compared in a wider type.
// CHECK-LABEL: func @pick_by_bytes
// CHECK:         stablehlo.convert %{{.*}} : (tensor<3x1xi8>) -> tensor<3x1xi32>
// CHECK:         boost.all_reduce
func.func @pick_by_bytes(%x: tensor<300x2xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}, %i: tensor<3x1xi8> {boost.id_limit = 100 : i64, boost.sharding = #boost.sharding<{}, {}>})
    -> (tensor<3x2xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<300x2xf32>, tensor<3x1xi8>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// Each rank has one of two elements, and its look-up is still a partial sum.
// CHECK-LABEL: func @pick_of_two
// CHECK:         "stablehlo.gather"
// CHECK-SAME:      (tensor<1xf32>, tensor<1x1xi32>) -> tensor<1xf32>
// CHECK:         boost.all_reduce
func.func @pick_of_two(%x: tensor<2xf32> {boost.sharding = #boost.sharding<{"tp"}>}, %i: tensor<1x1xi32> {boost.id_limit = 2 : i64, boost.sharding = #boost.sharding<{}, {}>})
    -> (tensor<1xf32> {boost.sharding = #boost.sharding<{}>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> {boost.component = "block"} : (tensor<2xf32>, tensor<1x1xi32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// A rank leaves out what is added to the rows of others.
// CHECK-LABEL: func @add
// CHECK-NOT:     {{all_|reduce_scatter}}
// CHECK:         %[[I:.*]] = stablehlo.subtract %{{.*}} : tensor<6x1xi32>
// CHECK:         "stablehlo.scatter"(%{{.*}}, %[[I]], %{{.*}})
// CHECK:         (tensor<4x4xf32>, tensor<6x1xi32>, tensor<6x4xf32>) -> tensor<4x4xf32>
// CHECK-NOT:     {{all_|reduce_scatter}}
// CHECK:         return
func.func @add(%x: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}, %i: tensor<6x1xi32> {boost.id_limit = 10 : i64, boost.sharding = #boost.sharding<{}, {}>}, %u: tensor<6x4xf32> {boost.sharding = #boost.sharding<{}, {}>})
    -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<6x1xi32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
