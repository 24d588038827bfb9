// RUN: boost-opt %s -boost-raise-embedding | FileCheck %s
// Table lookups in JAX's spellings; ids get their limit.

// The fix of negative ids is absorbed.
// CHECK-LABEL: func @indexing
// CHECK-SAME:    %[[T:.*]]: tensor<64x8xf32>{{.*}}, %[[I:.*]]: tensor<4x16xi32> {boost.id_limit = 64 : i64, boost.tensor = #boost.tensor<batch
func.func @indexing(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x16x8xf32> {
  // CHECK-NEXT: %[[X:.*]] = boost.embedding %[[T]], %[[I]] : (tensor<64x8xf32>, tensor<4x16xi32>) -> tensor<4x16x8xf32>
  // CHECK-NEXT: return %[[X]]
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x16xi32>
  %1 = stablehlo.compare LT, %i, %0, SIGNED : (tensor<4x16xi32>, tensor<4x16xi32>) -> tensor<4x16xi1>
  %c_0 = stablehlo.constant dense<64> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x16xi32>
  %3 = stablehlo.add %i, %2 : tensor<4x16xi32>
  %4 = stablehlo.select %1, %3, %i : tensor<4x16xi1>, tensor<4x16xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
  %6 = "stablehlo.gather"(%t, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x16x1xi32>) -> tensor<4x16x8xf32>
  return %6 : tensor<4x16x8xf32>
}

// jnp.take: rows out of range are NaN.
// CHECK-LABEL: func @fill_mode
func.func @fill_mode(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x16x8xf32> {
  // CHECK-NEXT: %[[X:.*]] = boost.embedding
  // CHECK-NEXT: return %[[X]]
  %5 = stablehlo.broadcast_in_dim %i, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
  %c_1 = stablehlo.constant dense<63> : tensor<1xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x16x1xi32>
  %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x16x1xi32>, tensor<4x16x1xi32>) -> tensor<4x16x1xi1>
  %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<4x16x1xi32>
  %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x16x1xi32>, tensor<4x16x1xi32>) -> tensor<4x16x1xi1>
  %11 = stablehlo.and %7, %10 : tensor<4x16x1xi1>
  %c_3 = stablehlo.constant dense<true> : tensor<i1>
  %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<4x16x1xi1>, tensor<i1>) -> tensor<4x16xi1>
  %13 = "stablehlo.gather"(%t, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x16x1xi32>) -> tensor<4x16x8xf32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x16xi1>) -> tensor<4x16x8xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16x8xf32>
  %16 = stablehlo.select %14, %13, %15 : tensor<4x16x8xi1>, tensor<4x16x8xf32>
  return %16 : tensor<4x16x8xf32>
}

// Two tables read with the same ids: the smaller limit holds. Ids may be a part
// of the argument.
// CHECK-LABEL: func @smaller_limit
// CHECK-SAME:    boost.id_limit = 32 : i64
func.func @smaller_limit(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %u: tensor<32x8xf32> {boost.tensor = #boost.tensor<param "u">},
                         %i: tensor<5xi32> {boost.tensor = #boost.tensor<batch "i">}) -> (tensor<4x8xf32>, tensor<5x8xf32>) {
  %s = stablehlo.slice %i [0:4] : (tensor<5xi32>) -> tensor<4xi32>
  %0 = stablehlo.reshape %s : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = stablehlo.reshape %i : (tensor<5xi32>) -> tensor<5x1xi32>
  // CHECK-COUNT-2: boost.embedding
  %2 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %3 = "stablehlo.gather"(%u, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<32x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return %2, %3 : tensor<4x8xf32>, tensor<5x8xf32>
}

// Computed ids are not checked before they are read: what JAX does to negative
// ones stays.
// CHECK-LABEL: func @computed
// CHECK:         %[[I:.*]] = stablehlo.select
// CHECK:         boost.embedding %{{.*}}, %[[I]]
func.func @computed(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %rows = stablehlo.constant dense<64> : tensor<4xi32>
  %0 = stablehlo.subtract %i, %rows : tensor<4xi32>
  %p = stablehlo.compare LT, %0, %zero : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = stablehlo.add %0, %rows : tensor<4xi32>
  %2 = stablehlo.select %p, %1, %0 : tensor<4xi1>, tensor<4xi32>
  %3 = stablehlo.reshape %2 : (tensor<4xi32>) -> tensor<4x1xi32>
  %4 = "stablehlo.gather"(%t, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// A test for padding that is an id of the table leaves the check; one for
// an id outside takes it away.
// CHECK-LABEL: func @padding_inside
// CHECK-SAME:    boost.id_limit = 64 : i64
// CHECK:         boost.embedding
func.func @padding_inside(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">}) -> (tensor<4x8xf32>, tensor<4xi1>) {
  %pad = stablehlo.constant dense<63> : tensor<4xi32>
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %2 = stablehlo.compare NE, %i, %pad : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1, %2 : tensor<4x8xf32>, tensor<4xi1>
}

// CHECK-LABEL: func @padding_outside
// CHECK-NOT:     boost.id_limit
// CHECK:         boost.embedding
func.func @padding_outside(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">}) -> (tensor<4x8xf32>, tensor<4xi1>) {
  %pad = stablehlo.constant dense<-1> : tensor<4xi32>
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %2 = stablehlo.compare GT, %i, %pad : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1, %2 : tensor<4x8xf32>, tensor<4xi1>
}

// A conversion that keeps all ids of the table is absorbed; one that does not
// stays, and says nothing about what is converted.
// CHECK-LABEL: func @narrowed
// CHECK-SAME:    tensor<4x1xi64> {boost.id_limit = 64 : i64
func.func @narrowed(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi64> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  // CHECK-NOT: stablehlo.convert
  // CHECK:     boost.embedding
  %0 = stablehlo.convert %i : (tensor<4x1xi64>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func @too_narrow
// CHECK-NOT:     boost.id_limit
// CHECK:         stablehlo.convert %{{.*}} : (tensor<4x1xi64>) -> tensor<4x1xi8>
func.func @too_narrow(%t: tensor<200x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi64> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  %0 = stablehlo.convert %i : (tensor<4x1xi64>) -> tensor<4x1xi8>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<200x8xf32>, tensor<4x1xi8>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
