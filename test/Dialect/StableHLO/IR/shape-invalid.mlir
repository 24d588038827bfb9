// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Shapes, bounds and dimension lists that do not fit are refused with numbers.

func.func @iota_dimension() {
  // expected-error@+1 {{expects 'iota_dimension' below rank 1, but got 1}}
  %0 = stablehlo.iota dim = 1 : tensor<4xi32>
  return
}

// -----

func.func @iota_negative_dimension() {
  // expected-error@+1 {{expects 'iota_dimension' below rank 1, but got -1}}
  %0 = stablehlo.iota dim = -1 : tensor<4xi32>
  return
}

// -----

func.func @constant_type() {
  // expected-error@+1 {{failed to verify that all of {value, output} have same type}}
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<4xf32>}> : () -> tensor<8xf32>
  return
}

// -----

func.func @broadcast_count(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expects one broadcast dimension per operand dimension, but got 1 for rank 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_range(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects broadcast dimensions below rank 2, but got 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [2] : (tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_twice(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{expects different broadcast dimensions, but got 0 twice}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_size(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects operand dimension 0 to be 1 or the size of result dimension 1, 8, but got 4}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @reshape_elements(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expects a result of 32 elements, but got 'tensor<31xf32>'}}
  %0 = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<31xf32>
  return
}

// -----

func.func @bitcast_narrower(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects elements of 'i16' in the shape 'tensor<4x2xi16>' that those of 'tensor<4xf32>' take, but got 'tensor<4xi16>'}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi16>
  return
}

// -----

func.func @bitcast_wider(%x: tensor<4x2xi8>) {
  // expected-error@+1 {{expects elements of 'i8' in the shape 'tensor<4x4xi8>' that those of 'tensor<4xf32>' take, but got 'tensor<4x2xi8>'}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4x2xi8>) -> tensor<4xf32>
  return
}

// -----

func.func @bitcast_boolean(%x: tensor<4xi1>) {
  // expected-error@+1 {{expects booleans to stay booleans, but got 'i1' and 'i8'}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4xi1>) -> tensor<4xi8>
  return
}

// -----

func.func @transpose_permutation(%x: tensor<4x8xf32>) {
  // expected-error@+2 {{expects 'permutation' to name each of the 2 dimensions once, but got [0, 0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @transpose_result(%x: tensor<4x8xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<8x4xf32>' are incompatible}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @reverse_dimensions(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects different dimensions below rank 1, but got 1}}
  %0 = stablehlo.reverse %x, dims = [1] : tensor<4xf32>
  return
}

// -----

func.func @slice_bounds(%x: tensor<4xf32>) {
  // expected-error@+2 {{expects 0 <= start <= limit <= 4 in dimension 0, but got 2:5}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.slice %x [2:5] : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @slice_stride(%x: tensor<4xf32>) {
  // expected-error@+2 {{expects a positive stride in dimension 0, but got 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.slice %x [0:4:0] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_rank(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{expects one entry of 'start_indices' per dimension, but got 1 for rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.slice %x [0:4] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @concatenate_inputs(%x: tensor<4x8xf32>, %y: tensor<4x9xf32>) {
  // expected-error@+2 {{expects inputs that differ only in dimension 0, but got 'tensor<4x8xf32>' and 'tensor<4x9xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @concatenate_dimension(%x: tensor<4xf32>) {
  // expected-error@+2 {{expects 'dimension' below rank 1, but got 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @pad_value(%x: tensor<4xf32>, %v: tensor<i32>) {
  // expected-error@+2 {{expects a scalar padding value of type 'f32', but got 'tensor<i32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %x, %v, low = [0], high = [1], interior = [0] : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @pad_negative(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+2 {{expects a result of size at least 0 in dimension 0, but got -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %x, %v, low = [-5], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @dynamic_slice_size(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{expects a slice size of at most 4 in dimension 0, but got 5}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [5] : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @dynamic_slice_starts(%x: tensor<4x4xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{expects one entry of the start indices per dimension, but got 1 for rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1, 4] : (tensor<4x4xf32>, tensor<i32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_update(%x: tensor<4xf32>, %u: tensor<5xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{expects an update of at most 4 in dimension 0, but got 5}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_index_map(%t: tensor<64x8xf32>, %i: tensor<4x2xi32>) {
  // expected-error@+2 {{expects 'start_index_map' of 2 entries, the size of an index vector, but got 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x2xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_offset_dims(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'offset_dims' to be 1 increasing dimensions below rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_update(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>, %u: tensor<5x8xf32>) {
  // expected-error@+1 {{expects 4 in dimension 0 of the update, but got 5}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<64x8xf32>, tensor<4x1xi32>, tensor<5x8xf32>) -> tensor<64x8xf32>
  return
}

// -----

func.func @gather_index_map_twice(%t: tensor<4x8xf32>, %i: tensor<4x2xi32>) {
  // expected-error@+2 {{expects 'start_index_map' and 'operand_batching_dims' to be different dimensions below rank 2, but got [0, 0] and []}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_collapsed_twice(%t: tensor<4x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'collapsed_slice_dims' and 'operand_batching_dims' to be increasing and different dimensions below rank 2, but got [0] and [0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_indices_batching(%t: tensor<4x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'start_indices_batching_dims' to be different dimensions of the indices, without 'index_vector_dim', but got [7]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [7], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_batching_sizes(%t: tensor<4x8xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+2 {{expects batching dimensions of one size, but got 4 in dimension 0 of the operand and 3 in dimension 0 of the indices}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<3x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_index_map(%t: tensor<4x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error@+1 {{expects 'scatter_dims_to_operand_dims' and 'input_batching_dims' to be different dimensions below rank 2, but got [90] and []}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [90], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_inserted(%t: tensor<4x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error@+1 {{expects 'inserted_window_dims' and 'input_batching_dims' to be increasing and different dimensions below rank 2, but got [-1] and []}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [-1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_batching_number(%t: tensor<4x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error@+1 {{expects as many 'input_batching_dims' as 'scatter_indices_batching_dims', but got 0 and 1}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_batching_vector(%t: tensor<4x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error@+1 {{expects 'scatter_indices_batching_dims' to be different dimensions of the indices, without 'index_vector_dim', but got [1]}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_batching_sizes(%t: tensor<4x8xf32>, %i: tensor<3x1xi32>, %u: tensor<3x8xf32>) {
  // expected-error@+1 {{expects batching dimensions of one size, but got 4 in dimension 0 of the operand and 3 in dimension 0 of the indices}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<3x1xi32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_update_window(%t: tensor<4x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error@+1 {{expects 'update_window_dims' to be increasing dimensions below rank 2, but got [5]}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [5], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @concatenate_overflow(%x: tensor<9223372036854775807xi8>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expects a result of fewer than 2^63 elements in dimension 0}}
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<9223372036854775807xi8>, tensor<9223372036854775807xi8>) -> tensor<1xi8>
  return
}

// -----

func.func @pad_overflow(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expects a result of fewer than 2^63 elements in dimension 0}}
  %0 = stablehlo.pad %x, %s, low = [0], high = [0], interior = [4611686018427387904] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_negative(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects broadcast dimensions below rank 2, but got -1}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [-1] : (tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @reverse_negative(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expects different dimensions below rank 2, but got -1}}
  %0 = stablehlo.reverse %x, dims = [-1] : tensor<4x8xf32>
  return
}

// -----

func.func @reverse_twice(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expects different dimensions below rank 2, but got 1}}
  %0 = stablehlo.reverse %x, dims = [1, 1] : tensor<4x8xf32>
  return
}

// -----

func.func @bitcast_last(%x: tensor<4x8xi8>) {
  // expected-error@+1 {{in the shape 'tensor<4x8x4xi8>' that those of 'tensor<4x8xf32>' take, but got 'tensor<4x8xi8>'}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4x8xi8>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dynamic_update_slice_element(%x: tensor<4xf32>, %u: tensor<2xf64>, %i: tensor<i32>) {
  // expected-error@+1 {{expects an update of the element type and rank of 'tensor<4xf32>', but got 'tensor<2xf64>'}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4xf32>, tensor<2xf64>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_rank(%x: tensor<4x8xf32>, %u: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{expects an update of the element type and rank of 'tensor<4x8xf32>', but got 'tensor<2xf32>'}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x8xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dynamic_update_slice_starts(%x: tensor<4x8xf32>, %u: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{expects one start index per dimension, but got 1 for rank 2}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_element(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf64>) {
  // expected-error@+1 {{expects updates of the element type of the inputs, but got 'tensor<4x8xf64>' for 'tensor<64x8xf32>'}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<64x8xf32>, tensor<4x1xi32>, tensor<4x8xf64>) -> tensor<64x8xf32>
  return
}

// -----

func.func @scatter_result(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error@+1 {{expects results of the types of the inputs}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<64x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<64x9xf32>
  return
}

// -----

func.func @scatter_rank(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8x1xf32>) {
  // expected-error@+1 {{expects an update of rank 2 with 1 window dimensions, but got 'tensor<4x8x1xf32>' with 1}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<64x8xf32>, tensor<4x1xi32>, tensor<4x8x1xf32>) -> tensor<64x8xf32>
  return
}

// -----

func.func @scatter_windows(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error@+1 {{expects an update of rank 2 with 1 window dimensions, but got 'tensor<4x8xf32>' with 0}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<64x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<64x8xf32>
  return
}

// -----

func.func @scatter_window_size(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x9xf32>) {
  // expected-error@+1 {{expects at most 8 in dimension 1 of the update, but got 9}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<64x8xf32>, tensor<4x1xi32>, tensor<4x9xf32>) -> tensor<64x8xf32>
  return
}

// -----

func.func @transpose_range(%x: tensor<4x8xf32>) {
  // expected-error@+2 {{expects 'permutation' to name each of the 2 dimensions once, but got [0, 2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.transpose %x, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @transpose_negative(%x: tensor<4x8xf32>) {
  // expected-error@+2 {{expects 'permutation' to name each of the 2 dimensions once, but got [0, -1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.transpose %x, dims = [0, -1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @transpose_length(%x: tensor<4x8xf32>) {
  // expected-error@+2 {{expects one entry of 'permutation' per dimension, but got 1 for rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.transpose %x, dims = [0] : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_negative(%x: tensor<4xf32>) {
  // expected-error@+2 {{expects 0 <= start <= limit <= 4 in dimension 0, but got -1:3}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%x) <{start_indices = array<i64: -1>, limit_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_backwards(%x: tensor<4xf32>) {
  // expected-error@+2 {{expects 0 <= start <= limit <= 4 in dimension 0, but got 3:2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.slice %x [3:2] : (tensor<4xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @slice_limits(%x: tensor<4xf32>) {
  // expected-error@+2 {{expects one entry of 'limit_indices' per dimension, but got 2 for rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%x) <{start_indices = array<i64: 0>, limit_indices = array<i64: 3, 3>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @slice_strides(%x: tensor<4xf32>) {
  // expected-error@+2 {{expects one entry of 'strides' per dimension, but got 0 for rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%x) <{start_indices = array<i64: 0>, limit_indices = array<i64: 3>, strides = array<i64>}> : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @concatenate_negative(%x: tensor<4xf32>) {
  // expected-error@+2 {{expects 'dimension' below rank 1, but got -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.concatenate %x, %x, dim = -1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @concatenate_element(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error@+2 {{expects inputs that differ only in dimension 0, but got 'tensor<4xf32>' and 'tensor<4xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<4xf32>, tensor<4xf64>) -> tensor<8xf32>
  return
}

// -----

func.func @concatenate_rank(%x: tensor<4x8xf32>, %y: tensor<4xf32>) {
  // expected-error@+2 {{expects inputs that differ only in dimension 0, but got 'tensor<4x8xf32>' and 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @concatenate_nothing() {
  // expected-error@+2 {{expects at least one input}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<8xf32>
  return
}

// -----

func.func @pad_value_rank(%x: tensor<4xf32>) {
  // expected-error@+2 {{expects a scalar padding value of type 'f32', but got 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %x, %x, low = [0], high = [1], interior = [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @pad_interior(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+2 {{expects interior padding of at least 0 in dimension 0, but got -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %x, %v, low = [0], high = [0], interior = [-1] : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad_low_count(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+2 {{expects one entry of 'edge_padding_low' per dimension, but got 2 for rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %x, %v, low = [0, 0], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_high_count(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+2 {{expects one entry of 'edge_padding_high' per dimension, but got 2 for rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %x, %v, low = [0], high = [0, 0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_interior_count(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+2 {{expects one entry of 'interior_padding' per dimension, but got 2 for rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %x, %v, low = [0], high = [0], interior = [0, 0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_slice_negative(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{expects a slice size of at most 4 in dimension 0, but got -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [-1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
  return
}

// -----

func.func @dynamic_slice_sizes(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{expects one entry of 'slice_sizes' per dimension, but got 2 for rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1, 1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
  return
}

// -----

func.func @gather_vector_beyond(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'index_vector_dim' of at most 2, but got 3}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_vector_negative(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'index_vector_dim' of at most 2, but got -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = -1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_slice_sizes(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects one entry of 'slice_sizes' per dimension, but got 1 for rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_slice_size(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects a slice size of at most 8 in dimension 1, but got 9}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 9>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_negative_size(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects a slice size of at most 8 in dimension 1, but got -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, -1>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_collapsed_size(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects a slice size of 1 in collapsed or batching dimension 0, but got 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_collapsed_order(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'collapsed_slice_dims' and 'operand_batching_dims' to be increasing and different dimensions below rank 2, but got [1, 0] and []}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_collapsed_twice(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'collapsed_slice_dims' and 'operand_batching_dims' to be increasing and different dimensions below rank 2, but got [0, 0] and []}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_batching_range(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'collapsed_slice_dims' and 'operand_batching_dims' to be increasing and different dimensions below rank 2, but got [] and [2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [2], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_map_range(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'start_index_map' and 'operand_batching_dims' to be different dimensions below rank 2, but got [2] and []}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_map_batching(%t: tensor<4x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'start_index_map' and 'operand_batching_dims' to be different dimensions below rank 2, but got [0] and [0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_offset_range(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'offset_dims' to be 1 increasing dimensions below rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_batching_twice(%t: tensor<4x4xf32>, %i: tensor<4x0xi32>) {
  // expected-error@+2 {{expects 'start_indices_batching_dims' to be different dimensions of the indices, without 'index_vector_dim', but got [0, 0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0], start_index_map = [], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x4xf32>, tensor<4x0xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_offset_negative(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'offset_dims' to be 1 increasing dimensions below rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [-1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_offset_twice(%t: tensor<64x8x2xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'offset_dims' to be 2 increasing dimensions below rank 3}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8, 2>}> : (tensor<64x8x2xf32>, tensor<4x1xi32>) -> tensor<4x8x2xf32>
  return
}

// -----

func.func @gather_map_negative(%t: tensor<64x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+2 {{expects 'start_index_map' and 'operand_batching_dims' to be different dimensions below rank 2, but got [-1] and []}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [-1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_batching_order(%t: tensor<4x8xf32>, %i: tensor<8x4x0xi32>) {
  // expected-error@+2 {{expects 'collapsed_slice_dims' and 'operand_batching_dims' to be increasing and different dimensions below rank 2, but got [] and [1, 0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], start_index_map = [], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<8x4x0xi32>) -> tensor<8x4xf32>
  return
}
