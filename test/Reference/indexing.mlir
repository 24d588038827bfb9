// RUN: boost-eval %s --function=gather | FileCheck %s --check-prefix=GATHER
// RUN: boost-eval %s --function=scatter | FileCheck %s --check-prefix=SCATTER
// RUN: boost-eval %s --function=scatter_batched | FileCheck %s --check-prefix=BATCHED
// RUN: boost-eval %s --function=vectors_first | FileCheck %s --check-prefix=FIRST
// RUN: boost-eval %s --function=bits | FileCheck %s --check-prefix=BITS
// RUN: boost-eval %s --function=precision | FileCheck %s --check-prefix=PRECISION
// A gather clamps its indices, a scatter skips what lies outside and combines
// what meets at one place.

// GATHER: out0 : tensor<3xf32> norm {{.*}} [1, 3, 1]
func.func @gather() -> tensor<3xf32> {
  %x = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %i = stablehlo.constant dense<[[1], [9], [1]]> : tensor<3x1xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
      : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// SCATTER: out0 : tensor<4xf32> norm {{.*}} [0, 31, 2, 3]
func.func @scatter() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %i = stablehlo.constant dense<[[1], [9], [1]]> : tensor<3x1xi32>
  %u = stablehlo.constant dense<[10.0, 100.0, 20.0]> : tensor<3xf32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Row i of the operand takes the update at its own index; windows of two.
// BATCHED: out0 : tensor<2x2xf32> norm {{.*}} [7, 8, 5, 6]
func.func @scatter_batched() -> tensor<2x2xf32> {
  %x = stablehlo.constant dense<0.0> : tensor<2x2xf32>
  %i = stablehlo.constant dense<[[0], [0]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[[7.0, 8.0], [5.0, 6.0]]> : tensor<2x2xf32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<2x2xf32>, tensor<2x1xi32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// Index vectors stand in the first dimension, their batches in the last one and
// in the middle of the operand. x[a, b, c] is 100 a + 10 b + c; windows lie
// along c, and some of them partly outside. Returned is how far the
// results are from those by hand.
// FIRST: out0 : tensor<3x2x2xf32> norm 0 [0, 0, 0, 0, ...]
// FIRST: out1 : tensor<3x2x2xf32> norm 0 [0, 0, 0, 0, ...]
// FIRST: out2 : tensor<3x2x4xf32> norm 0 [0, 0, 0, 0, ...]
func.func @vectors_first() -> (tensor<3x2x2xf32>, tensor<3x2x2xf32>, tensor<3x2x4xf32>) {
  %x = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [10.0, 11.0, 12.0, 13.0]],
                                 [[100.0, 101.0, 102.0, 103.0], [110.0, 111.0, 112.0, 113.0]],
                                 [[200.0, 201.0, 202.0, 203.0], [210.0, 211.0, 212.0, 213.0]]]> : tensor<3x2x4xf32>
  %i = stablehlo.constant dense<[[[0, 1], [2, 3], [-1, 9]], [[2, 0], [1, 2], [1, -4]]]> : tensor<2x3x2xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      operand_batching_dims = [1], start_indices_batching_dims = [2], start_index_map = [2, 0], index_vector_dim = 0>,
      slice_sizes = array<i64: 1, 1, 2>}> : (tensor<3x2x4xf32>, tensor<2x3x2xi32>) -> tensor<3x2x2xf32>
  %by_hand = stablehlo.constant dense<[[[200.0, 11.0], [201.0, 12.0]], [[102.0, 212.0], [103.0, 213.0]], [[100.0, 12.0], [101.0, 13.0]]]> : tensor<3x2x2xf32>
  %1 = stablehlo.subtract %0, %by_hand : tensor<3x2x2xf32>

  // Without a dimension of vectors.
  %j = stablehlo.constant dense<[[0, 1], [2, 3], [-1, 9]]> : tensor<3x2xi32>
  %2 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      operand_batching_dims = [1], start_indices_batching_dims = [1], start_index_map = [2], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1, 2>}> : (tensor<3x2x4xf32>, tensor<3x2xi32>) -> tensor<3x2x2xf32>
  %scalar_by_hand = stablehlo.constant dense<[[[0.0, 11.0], [1.0, 12.0]], [[2.0, 12.0], [3.0, 13.0]], [[0.0, 12.0], [1.0, 13.0]]]> : tensor<3x2x2xf32>
  %3 = stablehlo.subtract %2, %scalar_by_hand : tensor<3x2x2xf32>

  %zeros = stablehlo.constant dense<0.0> : tensor<3x2x4xf32>
  %u = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]]> : tensor<3x2x2xf32>
  %4 = "stablehlo.scatter"(%zeros, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [1],
      scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [2, 0], index_vector_dim = 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x2x4xf32>, tensor<2x3x2xi32>, tensor<3x2x2xf32>) -> tensor<3x2x4xf32>
  %sums_by_hand = stablehlo.constant dense<[[[0.0, 0.0, 0.0, 0.0], [0.0, 2.0, 4.0, 0.0]],
                                            [[11.0, 0.0, 5.0, 7.0], [0.0, 0.0, 0.0, 0.0]],
                                            [[1.0, 3.0, 0.0, 0.0], [0.0, 0.0, 0.0, 6.0]]]> : tensor<3x2x4xf32>
  %5 = stablehlo.subtract %4, %sums_by_hand : tensor<3x2x4xf32>
  return %1, %3, %5 : tensor<3x2x2xf32>, tensor<3x2x2xf32>, tensor<3x2x4xf32>
}

// Shifts by the width and more, and the bits of floats.
// BITS: out0 : tensor<3xi32> norm {{.*}} [-2, -2147483648, 0]
// BITS: out1 : tensor<3xi32> norm {{.*}} [-1, -1, -1]
// BITS: out2 : tensor<3xi32> norm {{.*}} [2147483647, 1, 0]
// BITS: out3 : tensor<f32> norm {{.*}} [1.5]
func.func @bits() -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<f32>) {
  %x = stablehlo.constant dense<-1> : tensor<3xi32>
  %n = stablehlo.constant dense<[1, 31, 32]> : tensor<3xi32>
  %0 = stablehlo.shift_left %x, %n : tensor<3xi32>
  %1 = stablehlo.shift_right_arithmetic %x, %n : tensor<3xi32>
  %2 = stablehlo.shift_right_logical %x, %n : tensor<3xi32>
  %f = stablehlo.constant dense<1069547520> : tensor<i32>
  %3 = stablehlo.bitcast_convert %f : (tensor<i32>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<f32>
}

// To bf16 and back: nearest even, infinity above, no subnormals.
// PRECISION: out0 : tensor<4xf32> norm {{.*}} [1, 1.015625, inf, 0]
func.func @precision() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[1.00390625, 1.01171875, 3.4e38, 1.0e-39]> : tensor<4xf32>
  %0 = stablehlo.reduce_precision %x, format = e8m7 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
