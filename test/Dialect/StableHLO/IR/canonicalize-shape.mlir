// RUN: boost-opt %s --canonicalize=test-convergence=true | FileCheck %s
// Data movement composes, identities go, splats take the new shape.

// CHECK-LABEL: func @identities
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
func.func @identities(%x: tensor<4x8xf32>, %v: tensor<f32>) -> tensor<4x8xf32> {
  %0 = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.transpose %0, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.convert %1 : tensor<4x8xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.slice %3 [0:4, 0:8] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = stablehlo.pad %4, %v, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %6 = stablehlo.concatenate %5, dim = 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: return %[[X]]
  return %6 : tensor<4x8xf32>
}

// What has no elements needs no computation, but an argument stays.
// CHECK-LABEL: func @empty_results
// CHECK-SAME:    %[[X:.*]]: tensor<6x0xf32>
func.func @empty_results(%x: tensor<6x0xf32>, %v: tensor<f32>) -> (tensor<6x0xf32>, tensor<0x6xf32>, tensor<6x2xf32>) {
  // CHECK-DAG: %[[E:.*]] = stablehlo.constant dense<> : tensor<0x6xf32>
  // CHECK-DAG: %[[P:.*]] = stablehlo.pad %[[X]]
  %0 = stablehlo.sine %x : tensor<6x0xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<6x0xf32>) -> tensor<0x6xf32>
  %2 = stablehlo.pad %x, %v, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<6x0xf32>, tensor<f32>) -> tensor<6x2xf32>
  // CHECK: return %[[X]], %[[E]], %[[P]]
  return %x, %1, %2 : tensor<6x0xf32>, tensor<0x6xf32>, tensor<6x2xf32>
}

// A product that sums nothing is zero, one that sums something is computed.
// CHECK-LABEL: func @empty_sums
func.func @empty_sums(%x: tensor<5x0xf32>, %y: tensor<0x2xf32>, %z: tensor<5x1xf32>, %w: tensor<1x2xf32>)
    -> (tensor<5x2xf32>, tensor<5x2xf32>) {
  // CHECK-DAG: %[[Z:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<5x2xf32>
  // CHECK-DAG: %[[P:.*]] = stablehlo.dot_general
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<5x0xf32>, tensor<0x2xf32>) -> tensor<5x2xf32>
  %1 = stablehlo.dot_general %z, %w, contracting_dims = [1] x [0] : (tensor<5x1xf32>, tensor<1x2xf32>) -> tensor<5x2xf32>
  // CHECK: return %[[Z]], %[[P]]
  return %0, %1 : tensor<5x2xf32>, tensor<5x2xf32>
}

// CHECK-LABEL: func @scatter_subtracts
func.func @scatter_subtracts(%x: tensor<4xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %{{.*}} : tensor<3xf32>
  // CHECK-NEXT: "stablehlo.scatter"(%{{.*}}, %{{.*}}, %[[N]])
  // CHECK:        stablehlo.add %{{.*}}, %{{.*}} : tensor<f32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The other difference is no sum of the old element.
// CHECK-LABEL: func @scatter_subtracts_from
func.func @scatter_subtracts_from(%x: tensor<4xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<4xf32> {
  // CHECK-NOT: negate
  // CHECK: stablehlo.subtract
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.subtract %b, %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A broadcast that transposes a square is no identity.
// CHECK-LABEL: func @keeps_transposing_broadcast
func.func @keeps_transposing_broadcast(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK-NEXT: stablehlo.broadcast_in_dim %{{.*}}, dims = [1, 0]
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func @compositions
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
func.func @compositions(%x: tensor<4x8xf32>) -> (tensor<2x16xf32>, tensor<4x8xf32>, tensor<3x4x5x8xf32>) {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[X]] : (tensor<4x8xf32>) -> tensor<2x16xf32>
  %0 = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>
  %1 = stablehlo.reshape %0 : (tensor<32xf32>) -> tensor<2x16xf32>
  %2 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[X]], dims = [1, 3] : (tensor<4x8xf32>) -> tensor<3x4x5x8xf32>
  %4 = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<4x1x8xf32>) -> tensor<4x5x8xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2, 3] : (tensor<4x5x8xf32>) -> tensor<3x4x5x8xf32>
  // CHECK-NEXT: return %[[R]], %[[X]], %[[B]]
  return %1, %3, %6 : tensor<2x16xf32>, tensor<4x8xf32>, tensor<3x4x5x8xf32>
}

// CHECK-LABEL: func @splats
func.func @splats() -> (tensor<4x8xf32>, tensor<2xi32>) {
  %cst = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %c = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %2 = stablehlo.reshape %c : (tensor<1x2xi32>) -> tensor<2xi32>
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK:     return %[[A]], %[[B]]
  return %1, %2 : tensor<4x8xf32>, tensor<2xi32>
}

// CHECK-LABEL: func @slices
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>
func.func @slices(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<1x2xf32>, tensor<2x8xf32>, tensor<12x8xf32>) {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.slice %[[X]] [1:2, 3:7:2]
  %0 = stablehlo.slice %x [1:4, 1:8:2] : (tensor<4x8xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.slice %0 [0:1, 1:3] : (tensor<3x4xf32>) -> tensor<1x2xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.slice %[[Y]] [1:3, 0:8]
  %2 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.slice %2 [5:7, 0:8] : (tensor<8x8xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.concatenate %[[X]], %[[Y]], %[[X]], dim = 0
  %4 = stablehlo.concatenate %2, %x, dim = 0 : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<12x8xf32>
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
  return %1, %3, %4 : tensor<1x2xf32>, tensor<2x8xf32>, tensor<12x8xf32>
}

// The inner slice ends within a stride, and nothing is left behind it.
// CHECK-LABEL: func @slice_behind_the_last
func.func @slice_behind_the_last(%x: tensor<4xf32>) -> tensor<0xf32> {
  // CHECK-NEXT: %[[E:.*]] = stablehlo.constant dense<> : tensor<0xf32>
  // CHECK-NEXT: return %[[E]]
  %0 = stablehlo.slice %x [0:3:2] : (tensor<4xf32>) -> tensor<2xf32>
  %1 = stablehlo.slice %0 [2:2] : (tensor<2xf32>) -> tensor<0xf32>
  return %1 : tensor<0xf32>
}

// A start beyond the end is clamped, and that of a whole dimension is 0.
// CHECK-LABEL: func @dynamic_slice
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[I:.*]]: tensor<i32>
func.func @dynamic_slice(%x: tensor<4x8xf32>, %i: tensor<i32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %c = stablehlo.constant dense<3> : tensor<i32>
  // CHECK-NEXT: %[[A:.*]] = stablehlo.slice %[[X]] [2:4, 0:8]
  %0 = stablehlo.dynamic_slice %x, %c, %i, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.dynamic_slice
  %1 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  return %0, %1 : tensor<2x8xf32>, tensor<2x8xf32>
}

// An unsigned start is never below 0, however large.
// CHECK-LABEL: func @unsigned_starts
// CHECK-SAME:    %[[X:.*]]: tensor<300x8xf32>
func.func @unsigned_starts(%x: tensor<300x8xf32>) -> (tensor<20x8xf32>, tensor<20x8xf32>, tensor<20x7xf32>) {
  %far = stablehlo.constant dense<9223372036854775808> : tensor<ui64>
  %near = stablehlo.constant dense<200> : tensor<ui8>
  %below = stablehlo.constant dense<-56> : tensor<i8>
  // CHECK-NEXT: %[[A:.*]] = stablehlo.slice %[[X]] [280:300, 0:8]
  %0 = stablehlo.dynamic_slice %x, %far, %far, sizes = [20, 8] : (tensor<300x8xf32>, tensor<ui64>, tensor<ui64>) -> tensor<20x8xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.slice %[[X]] [200:220, 0:8]
  %1 = stablehlo.dynamic_slice %x, %near, %near, sizes = [20, 8] : (tensor<300x8xf32>, tensor<ui8>, tensor<ui8>) -> tensor<20x8xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.slice %[[X]] [0:20, 0:7]
  %2 = stablehlo.dynamic_slice %x, %below, %below, sizes = [20, 7] : (tensor<300x8xf32>, tensor<i8>, tensor<i8>) -> tensor<20x7xf32>
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
  return %0, %1, %2 : tensor<20x8xf32>, tensor<20x8xf32>, tensor<20x7xf32>
}

// An update of a block inside is taken apart dimension by dimension.
// CHECK-LABEL: func @dynamic_update_slice
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[U:.*]]: tensor<2x3xf32>
func.func @dynamic_update_slice(%x: tensor<4x8xf32>, %u: tensor<2x3xf32>) -> tensor<4x8xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-DAG: %[[T:.*]] = stablehlo.slice %[[X]] [0:1, 0:8]
  // CHECK-DAG: %[[D:.*]] = stablehlo.slice %[[X]] [3:4, 0:8]
  // CHECK-DAG: %[[L:.*]] = stablehlo.slice %[[X]] [1:3, 0:2]
  // CHECK-DAG: %[[R:.*]] = stablehlo.slice %[[X]] [1:3, 5:8]
  // CHECK-DAG: %[[M:.*]] = stablehlo.concatenate %[[L]], %[[U]], %[[R]], dim = 1
  // CHECK-DAG: %[[A:.*]] = stablehlo.concatenate %[[T]], %[[M]], %[[D]], dim = 0
  // CHECK:     return %[[A]]
  %0 = stablehlo.dynamic_update_slice %x, %u, %one, %two : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @reduce_unit_dimension
// CHECK-SAME:    %[[X:.*]]: tensor<4x1xf32>
func.func @reduce_unit_dimension(%x: tensor<4x1xf32>, %s: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK-NEXT: %[[A:.*]] = stablehlo.reshape %[[X]]
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.reduce
  %1 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A rank's one term of a sum over ranks.
// CHECK-LABEL: func @reduce_partial_unit_dimension
func.func @reduce_partial_unit_dimension(%x: tensor<4x1xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: stablehlo.reduce
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] {boost.one_term} : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Zeros around parts side by side: the sum is the parts put together. What the
// gradients of slices add up to.
// CHECK-LABEL: func @add_of_pads
// CHECK-SAME:    %[[A:.*]]: tensor<4x2xf32>, %[[B:.*]]: tensor<4x1xf32>, %[[C:.*]]: tensor<4x5xf32>
func.func @add_of_pads(%a: tensor<4x2xf32>, %b: tensor<4x1xf32>, %c: tensor<4x5xf32>) -> tensor<4x8xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %z, low = [0, 6], high = [0, 0], interior = [0, 0]
      : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x8xf32>
  %1 = stablehlo.pad %b, %z, low = [0, 5], high = [0, 2], interior = [0, 0]
      : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x8xf32>
  %2 = stablehlo.pad %c, %z, low = [0, 0], high = [0, 3], interior = [0, 0]
      : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x8xf32>
  %3 = stablehlo.add %0, %1 : tensor<4x8xf32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.concatenate %[[C]], %[[B]], %[[A]], dim = 1
  // CHECK-NEXT: return %[[R]]
  %4 = stablehlo.add %3, %2 : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// Parts with a gap between them, or filled up with something else, stay a sum.
// CHECK-LABEL: func @add_of_other_pads
func.func @add_of_other_pads(%a: tensor<4x2xf32>, %b: tensor<4x5xf32>) -> (tensor<4x8xf32>, tensor<4x7xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %o = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.pad %a, %z, low = [0, 0], high = [0, 6], interior = [0, 0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x8xf32>
  %1 = stablehlo.pad %b, %z, low = [0, 3], high = [0, 0], interior = [0, 0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x8xf32>
  %2 = stablehlo.pad %a, %o, low = [0, 0], high = [0, 5], interior = [0, 0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x7xf32>
  %3 = stablehlo.pad %b, %o, low = [0, 2], high = [0, 0], interior = [0, 0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x7xf32>
  // CHECK: %[[S:.*]] = stablehlo.add
  // CHECK: %[[T:.*]] = stablehlo.add
  // CHECK: return %[[S]], %[[T]]
  %4 = stablehlo.add %0, %1 : tensor<4x8xf32>
  %5 = stablehlo.add %2, %3 : tensor<4x7xf32>
  return %4, %5 : tensor<4x8xf32>, tensor<4x7xf32>
}

// Adjacent slices of one tensor are one slice, here all of it.
// CHECK-LABEL: func @join_slices
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
func.func @join_slices(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x5xf32>) {
  %0 = stablehlo.slice %x [0:4, 0:2] : (tensor<4x8xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.slice %x [0:4, 2:5] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.slice %x [0:4, 5:8] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %3 = stablehlo.concatenate %0, %1, %2, dim = 1 : (tensor<4x2xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x8xf32>
  // CHECK-DAG: %[[A:.*]] = stablehlo.slice %[[X]] [0:4, 0:2]
  // CHECK-DAG: %[[C:.*]] = stablehlo.slice %[[X]] [0:4, 5:8]
  // CHECK-DAG: %[[R:.*]] = stablehlo.concatenate %[[A]], %[[C]], dim = 1
  // CHECK:     return %[[X]], %[[R]]
  %4 = stablehlo.concatenate %0, %2, dim = 1 : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<4x5xf32>
  return %3, %4 : tensor<4x8xf32>, tensor<4x5xf32>
}

// CHECK-LABEL: func @nothing_of_a_concatenation
func.func @nothing_of_a_concatenation(%x: tensor<4x8xf32>) -> tensor<0x8xf32> {
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.slice %0 [4:4, 0:8] : (tensor<8x8xf32>) -> tensor<0x8xf32>
  // CHECK-NEXT: %[[E:.*]] = stablehlo.constant dense<> : tensor<0x8xf32>
  // CHECK-NEXT: return %[[E]]
  return %1 : tensor<0x8xf32>
}

// The whole of a tensor, wherever it is said to start.
// CHECK-LABEL: func @gather_whole
// CHECK-NEXT:    %[[R:.*]] = stablehlo.reshape %{{.*}} : (tensor<4x6x1xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    return %[[R]]
func.func @gather_whole(%x: tensor<4x6x1xf32>, %i: tensor<1xi32>) -> tensor<4x6xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1],
      collapsed_slice_dims = [2], start_index_map = [2]>, slice_sizes = array<i64: 4, 6, 1>}>
      : (tensor<4x6x1xf32>, tensor<1xi32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// Several times the whole of it is more than that.
// CHECK-LABEL: func @gather_whole_twice
// CHECK-NEXT:    "stablehlo.gather"
func.func @gather_whole_twice(%x: tensor<4x1xf32>, %i: tensor<2x1xi32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>,
      slice_sizes = array<i64: 4, 1>}> : (tensor<4x1xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Equal elements are the same wherever they are taken from.
// CHECK-LABEL: func @gather_of_equal_elements
// CHECK-NEXT:    %[[C:.*]] = stablehlo.constant dense<true> : tensor<2x3xi1>
// CHECK-NEXT:    return %[[C]]
func.func @gather_of_equal_elements(%i: tensor<2x3x2xi32>) -> tensor<2x3xi1> {
  %c = stablehlo.constant dense<true> : tensor<4x6xi1>
  %0 = "stablehlo.gather"(%c, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<4x6xi1>, tensor<2x3x2xi32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// The only place along a dimension is 0.
// CHECK-LABEL: func @iota_of_one
func.func @iota_of_one() -> (tensor<1x4xi32>, tensor<1x4xf32>, tensor<1x4xi32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<0> : tensor<1x4xi32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<1x4xf32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.iota dim = 1 : tensor<1x4xi32>
  %0 = stablehlo.iota dim = 0 : tensor<1x4xi32>
  %1 = stablehlo.iota dim = 0 : tensor<1x4xf32>
  %2 = stablehlo.iota dim = 1 : tensor<1x4xi32>
  // CHECK: return %[[A]], %[[B]], %[[C]]
  return %0, %1, %2 : tensor<1x4xi32>, tensor<1x4xf32>, tensor<1x4xi32>
}

// Updates at the beginning, at the end, and of everything.
// CHECK-LABEL: func @dynamic_update_slice_at_the_edge
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[U:.*]]: tensor<1x8xf32>, %[[V:.*]]: tensor<4x8xf32>, %[[I:.*]]: tensor<i32>
func.func @dynamic_update_slice_at_the_edge(%x: tensor<4x8xf32>, %u: tensor<1x8xf32>, %v: tensor<4x8xf32>, %i: tensor<i32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.slice %[[X]] [1:4, 0:8]
  // CHECK-DAG: %[[R0:.*]] = stablehlo.concatenate %[[U]], %[[B]], dim = 0
  // CHECK-DAG: %[[A:.*]] = stablehlo.slice %[[X]] [0:3, 0:8]
  // CHECK-DAG: %[[R1:.*]] = stablehlo.concatenate %[[A]], %[[U]], dim = 0
  // CHECK-DAG: %[[R3:.*]] = stablehlo.dynamic_update_slice %[[X]], %[[U]], %[[I]], %[[I]]
  %0 = stablehlo.dynamic_update_slice %x, %u, %zero, %i : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %1 = stablehlo.dynamic_update_slice %x, %u, %three, %i : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %2 = stablehlo.dynamic_update_slice %x, %v, %i, %i : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %3 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  // CHECK: return %[[R0]], %[[R1]], %[[V]], %[[R3]]
  return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// One element reads the same backwards.
// CHECK-LABEL: func @reverse
// CHECK-SAME:    %[[X:.*]]: tensor<1x4xf32>
func.func @reverse(%x: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
  %c = stablehlo.constant dense<2.0> : tensor<1x4xf32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<1x4xf32>
  // CHECK-DAG: %[[R:.*]] = stablehlo.reverse %[[X]], dims = [0, 1]
  %0 = stablehlo.reverse %x, dims = [0] : tensor<1x4xf32>
  %1 = stablehlo.reverse %x, dims = [0, 1] : tensor<1x4xf32>
  %2 = stablehlo.reverse %c, dims = [1] : tensor<1x4xf32>
  // CHECK: return %[[X]], %[[R]], %[[C]]
  return %0, %1, %2 : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
}

// Equal elements put together.
// CHECK-LABEL: func @concatenate_equal_elements
// CHECK-SAME:    %[[X:.*]]: tensor<2xf32>
func.func @concatenate_equal_elements(%x: tensor<2xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = stablehlo.constant dense<2.0> : tensor<2xf32>
  %b = stablehlo.constant dense<2.0> : tensor<3xf32>
  %c = stablehlo.constant dense<1.0> : tensor<3xf32>
  // CHECK-DAG: %[[R:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<5xf32>
  // CHECK-DAG: %[[S:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 0 : (tensor<2xf32>, tensor<3xf32>)
  // CHECK-DAG: %[[T:.*]] = stablehlo.concatenate %{{.*}}, %[[X]], dim = 0
  // CHECK-DAG: %[[U:.*]] = stablehlo.concatenate %[[X]], %{{.*}}, dim = 0
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = stablehlo.concatenate %a, %c, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %2 = stablehlo.concatenate %a, %x, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %3 = stablehlo.concatenate %x, %a, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  // CHECK: return %[[R]], %[[S]], %[[T]], %[[U]]
  return %0, %1, %2, %3 : tensor<5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>
}

// Equal elements stay so under another type.
// CHECK-LABEL: func @convert_equal_elements
// CHECK-NEXT:    %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<4xbf16>
// CHECK-NEXT:    return %[[C]]
func.func @convert_equal_elements() -> tensor<4xbf16> {
  %c = stablehlo.constant dense<2.0> : tensor<4xf32>
  %0 = stablehlo.convert %c : (tensor<4xf32>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// Reshapes that do more than insert dimensions of size 1.
// CHECK-LABEL: func @keeps_reshape_before_broadcast
// CHECK-SAME:    %[[X:.*]]: tensor<4x1xf32>, %[[Y:.*]]: tensor<8xf32>
func.func @keeps_reshape_before_broadcast(%x: tensor<4x1xf32>, %y: tensor<8xf32>)
    -> (tensor<4x3xf32>, tensor<2x4x3xf32>, tensor<8x1x3xf32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.reshape %[[X]] : (tensor<4x1xf32>) -> tensor<4xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.broadcast_in_dim %[[A]], dims = [0] : (tensor<4xf32>) -> tensor<4x3xf32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.reshape %[[Y]] : (tensor<8xf32>) -> tensor<2x4xf32>
  // CHECK-DAG: %[[D:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x3xf32>
  // CHECK-DAG: %[[E:.*]] = stablehlo.broadcast_in_dim %[[Y]], dims = [0] : (tensor<8xf32>) -> tensor<8x1x3xf32>
  %0 = stablehlo.reshape %x : (tensor<4x1xf32>) -> tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.reshape %y : (tensor<8xf32>) -> tensor<2x4xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x3xf32>
  %4 = stablehlo.reshape %y : (tensor<8xf32>) -> tensor<8x1xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x1x3xf32>
  // CHECK: return %[[B]], %[[D]], %[[E]]
  return %1, %3, %5 : tensor<4x3xf32>, tensor<2x4x3xf32>, tensor<8x1x3xf32>
}

// Of two values at a time.
// CHECK-LABEL: func @keeps_reduce_of_pairs
// CHECK:         %[[R:.*]]:2 = stablehlo.reduce
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @keeps_reduce_of_pairs(%x: tensor<4x1xf32>, %i: tensor<4x1xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %s = stablehlo.constant dense<0.0> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %s), (%i init: %c) across dimensions = [1] : (tensor<4x1xf32>, tensor<4x1xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%a: tensor<f32>, %e: tensor<f32>) (%b: tensor<i32>, %f: tensor<i32>) {
    %1 = stablehlo.add %a, %e : tensor<f32>
    %2 = stablehlo.minimum %b, %f : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}

// The inputs that a slice touches: those that end where it begins are none of them.
// CHECK-LABEL: func @slices_of_three
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>, %[[Z:.*]]: tensor<4xf32>
func.func @slices_of_three(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<6xf32>) {
  %0 = stablehlo.concatenate %x, %y, %z, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
  // CHECK-DAG: %[[YZ:.*]] = stablehlo.concatenate %[[Y]], %[[Z]], dim = 0
  // CHECK-DAG: %[[B:.*]] = stablehlo.slice %[[YZ]] [1:5]
  // CHECK-DAG: %[[XY:.*]] = stablehlo.concatenate %[[X]], %[[Y]], dim = 0
  // CHECK-DAG: %[[C:.*]] = stablehlo.slice %[[XY]] [1:5]
  // CHECK-DAG: %[[D:.*]] = stablehlo.slice %{{.*}} [1:6:2] : (tensor<8xf32>)
  // CHECK-DAG: %[[ALL:.*]] = stablehlo.concatenate %[[X]], %[[Y]], %[[Z]], dim = 0
  // CHECK-DAG: %[[E:.*]] = stablehlo.slice %[[ALL]] [3:9]
  %1 = stablehlo.slice %0 [4:8] : (tensor<12xf32>) -> tensor<4xf32>
  %2 = stablehlo.slice %0 [5:9] : (tensor<12xf32>) -> tensor<4xf32>
  %3 = stablehlo.slice %0 [1:5] : (tensor<12xf32>) -> tensor<4xf32>
  %4 = stablehlo.slice %0 [5:10:2] : (tensor<12xf32>) -> tensor<3xf32>
  %5 = stablehlo.slice %0 [3:9] : (tensor<12xf32>) -> tensor<6xf32>
  // CHECK: return %[[Y]], %[[B]], %[[C]], %[[D]], %[[E]]
  return %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<6xf32>
}

// Slices that lie side by side in one dimension, but not in the other.
// CHECK-LABEL: func @keeps_shifted_slices
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
func.func @keeps_shifted_slices(%x: tensor<4x8xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.slice %[[X]] [0:2, 0:2]
  // CHECK-DAG: %[[B:.*]] = stablehlo.slice %[[X]] [1:3, 2:4]
  // CHECK-DAG: %[[R:.*]] = stablehlo.concatenate %[[A]], %[[B]], dim = 1
  %0 = stablehlo.slice %x [0:2, 0:2] : (tensor<4x8xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.slice %x [1:3, 2:4] : (tensor<4x8xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  // Rows 0 and 2 twice, wherever the slices end behind the last of them.
  // CHECK-DAG: %[[S:.*]] = stablehlo.slice %[[X]] [0:3:2, 1:5]
  %3 = stablehlo.slice %x [0:3:2, 1:3] : (tensor<4x8xf32>) -> tensor<2x2xf32>
  %4 = stablehlo.slice %x [0:4:2, 3:5] : (tensor<4x8xf32>) -> tensor<2x2xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  // CHECK: return %[[R]], %[[S]]
  return %2, %5 : tensor<2x4xf32>, tensor<2x4xf32>
}

// In the first dimension, in either order.
// CHECK-LABEL: func @add_of_pads_of_rows
// CHECK-SAME:    %[[A:.*]]: tensor<2x4xf32>, %[[B:.*]]: tensor<3x4xf32>
// CHECK-NEXT:    %[[P:.*]] = stablehlo.concatenate %[[A]], %[[B]], dim = 0
// CHECK-NEXT:    %[[Q:.*]] = stablehlo.concatenate %[[A]], %[[B]], dim = 0
// CHECK-NEXT:    return %[[P]], %[[Q]]
func.func @add_of_pads_of_rows(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %z, low = [0, 0], high = [3, 0], interior = [0, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<5x4xf32>
  %1 = stablehlo.pad %b, %z, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<5x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<5x4xf32>
  %3 = stablehlo.add %1, %0 : tensor<5x4xf32>
  return %2, %3 : tensor<5x4xf32>, tensor<5x4xf32>
}

// Parts at the corners, and parts of which one is longer or stands elsewhere in the other dimension.
// CHECK-LABEL: func @add_of_pads_at_corners
// CHECK-NOT:     stablehlo.concatenate
// CHECK-COUNT-3: stablehlo.add
// CHECK:         return
func.func @add_of_pads_at_corners(%a: tensor<2x2xf32>, %b: tensor<3x2xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %z, low = [0, 0], high = [2, 2], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  %1 = stablehlo.pad %a, %z, low = [2, 2], high = [0, 0], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  %2 = stablehlo.pad %b, %z, low = [0, 2], high = [1, 0], interior = [0, 0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  %3 = stablehlo.pad %a, %z, low = [1, 0], high = [1, 2], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  %4 = stablehlo.add %0, %1 : tensor<4x4xf32>
  %5 = stablehlo.add %0, %2 : tensor<4x4xf32>
  %6 = stablehlo.add %3, %2 : tensor<4x4xf32>
  return %4, %5, %6 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func @add_of_one_pad
// CHECK-NOT:     stablehlo.concatenate
// CHECK-COUNT-2: stablehlo.add
// CHECK:         return
func.func @add_of_one_pad(%a: tensor<2xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %z, low = [0], high = [2], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  %2 = stablehlo.add %x, %0 : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// A start below 0 is 0, however many bits say so.
// CHECK-LABEL: func @negative_start
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    %[[A:.*]] = stablehlo.slice %[[X]] [0:2]
// CHECK-NEXT:    return %[[A]]
func.func @negative_start(%x: tensor<4xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<-1> : tensor<i64>
  %0 = stablehlo.dynamic_slice %x, %c, sizes = [2] : (tensor<4xf32>, tensor<i64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func @update_of_nothing
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT:    return %[[X]]
func.func @update_of_nothing(%x: tensor<4x8xf32>, %u: tensor<2x0xf32>, %i: tensor<i32>) -> tensor<4x8xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x8xf32>, tensor<2x0xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @one_empty_sum
// CHECK-NEXT:    %[[Z:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:    return %[[Z]]
func.func @one_empty_sum(%x: tensor<0xi32>, %y: tensor<0xi32>) -> tensor<i32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<0xi32>, tensor<0xi32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// The difference of two elements of the inputs.
// CHECK-LABEL: func @scatter_of_pairs_subtracts
// CHECK-NOT:     negate
// CHECK:         stablehlo.subtract
func.func @scatter_of_pairs_subtracts(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %1, %d : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
