// RUN: boost-opt %s -boost-raise-embedding | FileCheck %s
// RUN: boost-opt %s -boost-raise-embedding -o %t.values && boost-eval --compare --every-function %s %t.values
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

// Comparisons of ids with a number, one result each: of those that are alike
// for all ids of the table one says that there are ids outside.
// CHECK-LABEL: func @inside
// CHECK-SAME:    boost.id_limit = 64 : i64
func.func @inside(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">})
    -> (tensor<4x8xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %first = stablehlo.constant dense<0> : tensor<4xi32>
  %second = stablehlo.constant dense<1> : tensor<4xi32>
  %middle = stablehlo.constant dense<5> : tensor<4xi32>
  %last = stablehlo.constant dense<63> : tensor<4xi32>
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %a = stablehlo.compare EQ, %i, %middle : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %b = stablehlo.compare NE, %i, %first : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %c = stablehlo.compare GE, %i, %second : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %d = stablehlo.compare GT, %i, %first : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %e = stablehlo.compare LT, %i, %last : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %f = stablehlo.compare LE, %last, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %g = stablehlo.compare LT, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1, %a, %b, %c, %d, %e, %f, %g : tensor<4x8xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// CHECK-LABEL: func @equal_outside
// CHECK-NOT:     boost.id_limit
// CHECK:         boost.embedding
func.func @equal_outside(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">}) -> (tensor<4x8xf32>, tensor<4xi1>) {
  %pad = stablehlo.constant dense<64> : tensor<4xi32>
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %2 = stablehlo.compare EQ, %i, %pad : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1, %2 : tensor<4x8xf32>, tensor<4xi1>
}

// CHECK-LABEL: func @less_than_first
// CHECK-NOT:     boost.id_limit
// CHECK:         boost.embedding
func.func @less_than_first(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">}) -> (tensor<4x8xf32>, tensor<4xi1>) {
  %first = stablehlo.constant dense<0> : tensor<4xi32>
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %2 = stablehlo.compare LT, %i, %first : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1, %2 : tensor<4x8xf32>, tensor<4xi1>
}

// CHECK-LABEL: func @last_is_at_most
// CHECK-NOT:     boost.id_limit
// CHECK:         boost.embedding
func.func @last_is_at_most(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">}) -> (tensor<4x8xf32>, tensor<4xi1>) {
  %last = stablehlo.constant dense<63> : tensor<4xi32>
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %2 = stablehlo.compare GE, %last, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1, %2 : tensor<4x8xf32>, tensor<4xi1>
}

// Rows outside that are something else than NaN are what the program asks for.
// CHECK-LABEL: func @filled_with_zeros
// CHECK-NOT:     boost.id_limit
// CHECK:         boost.embedding
// CHECK:         stablehlo.select
func.func @filled_with_zeros(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  %first = stablehlo.constant dense<0> : tensor<4xi32>
  %fill = stablehlo.constant dense<0.0> : tensor<4x8xf32>
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %2 = stablehlo.compare GE, %i, %first : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xi1>) -> tensor<4x8xi1>
  %4 = stablehlo.select %3, %1, %fill : tensor<4x8xi1>, tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// NaN where ids are inside of the table, and where other ids are outside.
// CHECK-LABEL: func @other_bound
// CHECK:         boost.embedding
// CHECK:         stablehlo.select
func.func @other_bound(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  %last = stablehlo.constant dense<62> : tensor<4xi32>
  %fill = stablehlo.constant dense<0x7FC00000> : tensor<4x8xf32>
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %2 = stablehlo.compare LE, %i, %last : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xi1>) -> tensor<4x8xi1>
  %4 = stablehlo.select %3, %1, %fill : tensor<4x8xi1>, tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// CHECK-LABEL: func @other_ids
// CHECK:         boost.embedding
// CHECK:         stablehlo.select
func.func @other_ids(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">},
                     %j: tensor<4xi32> {boost.tensor = #boost.tensor<batch "j">}) -> tensor<4x8xf32> {
  %first = stablehlo.constant dense<0> : tensor<4xi32>
  %fill = stablehlo.constant dense<0x7FC00000> : tensor<4x8xf32>
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %2 = stablehlo.compare GE, %j, %first : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xi1>) -> tensor<4x8xi1>
  %4 = stablehlo.select %3, %1, %fill : tensor<4x8xi1>, tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// Computed ids outside of the table are NaN, as the program says.
// CHECK-LABEL: func @computed_and_filled
// CHECK:         boost.embedding
// CHECK:         stablehlo.select
func.func @computed_and_filled(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x8xf32> {
  %first = stablehlo.constant dense<0> : tensor<4xi32>
  %one = stablehlo.constant dense<1> : tensor<4xi32>
  %fill = stablehlo.constant dense<0x7FC00000> : tensor<4x8xf32>
  %c = stablehlo.subtract %i, %one : tensor<4xi32>
  %0 = stablehlo.reshape %c : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %2 = stablehlo.compare GE, %c, %first : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xi1>) -> tensor<4x8xi1>
  %4 = stablehlo.select %3, %1, %fill : tensor<4x8xi1>, tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// What looks like the fix of negative ids and is not: the other comparison,
// another bound, other ids.
// CHECK-LABEL: func @no_negative_fix
// CHECK-NOT:     boost.id_limit
// CHECK-COUNT-4: stablehlo.select
func.func @no_negative_fix(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">},
                           %j: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "j">}, %s: tensor<4x1xi32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<4x1xi32>
  %two = stablehlo.constant dense<2> : tensor<4x1xi32>
  %rows = stablehlo.constant dense<64> : tensor<4x1xi32>
  %less = stablehlo.compare LT, %i, %zero : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
  %most = stablehlo.compare LE, %i, %zero : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
  %below = stablehlo.compare LT, %i, %two : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
  %add = stablehlo.add %i, %rows : tensor<4x1xi32>
  %add_other = stablehlo.add %j, %rows : tensor<4x1xi32>
  %add_input = stablehlo.add %i, %s : tensor<4x1xi32>
  %a = stablehlo.select %most, %add, %i : tensor<4x1xi1>, tensor<4x1xi32>
  %b = stablehlo.select %below, %add, %i : tensor<4x1xi1>, tensor<4x1xi32>
  %c = stablehlo.select %less, %add_other, %i : tensor<4x1xi1>, tensor<4x1xi32>
  %d = stablehlo.select %less, %add_input, %i : tensor<4x1xi1>, tensor<4x1xi32>
  %0 = "stablehlo.gather"(%t, %a) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %1 = "stablehlo.gather"(%t, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %2 = "stablehlo.gather"(%t, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %3 = "stablehlo.gather"(%t, %d) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// Ids in another order are computed; those of an argument without a role are
// not checked.
// CHECK-LABEL: func @reordered
// CHECK-NOT:     boost.id_limit
// CHECK:         stablehlo.broadcast_in_dim
// CHECK:         boost.embedding
func.func @reordered(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<3x2x8xf32> {
  %0 = stablehlo.broadcast_in_dim %i, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<3x2x1xi32>) -> tensor<3x2x8xf32>
  return %1 : tensor<3x2x8xf32>
}

// CHECK-LABEL: func @repeated
// CHECK-NOT:     boost.id_limit
// CHECK:         stablehlo.broadcast_in_dim
// CHECK:         boost.embedding
func.func @repeated(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<3xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<2x3x8xf32> {
  %0 = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<3xi32>) -> tensor<2x3x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8xf32>
  return %1 : tensor<2x3x8xf32>
}

// CHECK-LABEL: func @no_role
// CHECK-NOT:     boost.id_limit
// CHECK:         boost.embedding
func.func @no_role(%t: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "t">}, %i: tensor<4x1xi32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// No id is beyond those that the type has, with its sign.

// CHECK-LABEL: func @ids_of_short_types
// CHECK-SAME:    tensor<4x1xi8> {boost.id_limit = 128 : i64
// CHECK-SAME:    tensor<4x1xui8> {boost.id_limit = 256 : i64
func.func @ids_of_short_types(%t: tensor<300x8xf32> {boost.tensor = #boost.tensor<param "t">},
                              %i: tensor<4x1xi8> {boost.tensor = #boost.tensor<batch "i">},
                              %j: tensor<4x1xui8> {boost.tensor = #boost.tensor<batch "j">}) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = stablehlo.convert %i : (tensor<4x1xi8>) -> tensor<4x1xi32>
  %0 = "stablehlo.gather"(%t, %a) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<300x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %b = stablehlo.convert %j : (tensor<4x1xui8>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<300x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
