// RUN: boost-eval %s --function=gather | FileCheck %s --check-prefix=GATHER
// RUN: boost-eval %s --function=scatter | FileCheck %s --check-prefix=SCATTER
// RUN: boost-eval %s --function=scatter_batched | FileCheck %s --check-prefix=BATCHED
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
