// RUN: boost-eval %s --function=order | FileCheck %s --check-prefix=ORDER
// RUN: boost-eval %s --function=parts | FileCheck %s --check-prefix=PARTS
// RUN: boost-eval %s --function=pad | FileCheck %s --check-prefix=PAD
// RUN: boost-eval %s --function=dynamic | FileCheck %s --check-prefix=DYNAMIC
// RUN: boost-eval %s --function=gather | FileCheck %s --check-prefix=GATHER
// RUN: boost-eval %s --function=scatter | FileCheck %s --check-prefix=SCATTER
// Where each element comes from, written out by hand.

// ORDER: out0 {{.*}} [0, 3, 1, 4, ...]
// ORDER: out1 {{.*}} [5, 4, 3, 2, ...]
// ORDER: out2 {{.*}} [2, 1, 0, 5, ...]
// ORDER: out3 {{.*}} [0, 0, 1, 1]
// ORDER: out4 {{.*}} [0, 1, 0, 1]
// ORDER: out5 {{.*}} [7, 8, 7, 8]
// ORDER: out6 {{.*}} [7, 7, 8, 8]
// ORDER: out7 {{.*}} [9, 9]
// ORDER: out8 {{.*}} [0, 1, 2, 3, ...]
func.func @order() -> (tensor<3x2xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<2xi32>, tensor<6xi32>) {
  %x = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xi32>
  %2 = stablehlo.reverse %x, dims = [1] : tensor<2x3xi32>
  %3 = stablehlo.iota dim = 0 : tensor<2x2xf32>
  %4 = stablehlo.iota dim = 1 : tensor<2x2xi32>
  %y = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %5 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<2xi32>) -> tensor<2x2xi32>
  %6 = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<2xi32>) -> tensor<2x2xi32>
  %one = stablehlo.constant dense<9> : tensor<1xi32>
  %7 = stablehlo.broadcast_in_dim %one, dims = [0] : (tensor<1xi32>) -> tensor<2xi32>
  %8 = stablehlo.reshape %x : (tensor<2x3xi32>) -> tensor<6xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<3x2xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<2xi32>, tensor<6xi32>
}

// PARTS: out0 {{.*}} [1, 3]
// PARTS: out1 {{.*}} [4, 5]
// PARTS: out2 {{.*}} [0, 2, 3, 5]
// PARTS: out3 {{.*}} [0, 1, 7, 2, ...]
// PARTS: out4 {{.*}} [0, 1, 2, 7]
func.func @parts() -> (tensor<2xi32>, tensor<1x2xi32>, tensor<2x2xi32>, tensor<2x3xi32>, tensor<4xi32>) {
  %x = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %0 = stablehlo.slice %x [1:5:2] : (tensor<5xi32>) -> tensor<2xi32>
  %y = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %1 = stablehlo.slice %y [1:2, 1:3] : (tensor<2x3xi32>) -> tensor<1x2xi32>
  %2 = stablehlo.slice %y [0:2, 0:3:2] : (tensor<2x3xi32>) -> tensor<2x2xi32>
  %a = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<[[7], [8]]> : tensor<2x1xi32>
  %3 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  %c = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %d = stablehlo.constant dense<[2]> : tensor<1xi32>
  %e = stablehlo.constant dense<[7]> : tensor<1xi32>
  %4 = stablehlo.concatenate %c, %d, %e, dim = 0 : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  return %0, %1, %2, %3, %4 : tensor<2xi32>, tensor<1x2xi32>, tensor<2x2xi32>, tensor<2x3xi32>, tensor<4xi32>
}

// Negative padding takes elements away, also of those that are spread.
// PAD: out0 {{.*}} [9, 1, 2, 3, ...]
// PAD: out1 {{.*}} [2, 3]
// PAD: out2 {{.*}} [1, 2]
// PAD: out3 {{.*}} [9, 2, 9, 3]
// PAD: out4 {{.*}} [1, 9, 2, 9]
// PAD: out5 {{.*}} [2]
func.func @pad() -> (tensor<6xi32>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<1xi32>) {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %v = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.pad %x, %v, low = [1], high = [2], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<6xi32>
  %1 = stablehlo.pad %x, %v, low = [-1], high = [0], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.pad %x, %v, low = [0], high = [-1], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>
  %3 = stablehlo.pad %x, %v, low = [-1], high = [0], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  %4 = stablehlo.pad %x, %v, low = [0], high = [-1], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  %5 = stablehlo.pad %x, %v, low = [-1], high = [-1], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<1xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<6xi32>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<1xi32>
}

// A start is moved so that all of the slice lies inside.
// DYNAMIC: out0 {{.*}} [1, 2]
// DYNAMIC: out1 {{.*}} [2, 3]
// DYNAMIC: out2 {{.*}} [0, 1]
// DYNAMIC: out3 {{.*}} [0, 7, 8, 3]
// DYNAMIC: out4 {{.*}} [0, 1, 7, 8]
// DYNAMIC: out5 {{.*}} [7, 8, 2, 3]
// DYNAMIC: out6 {{.*}} [3]
func.func @dynamic() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<1x1xi32>) {
  %x = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %u = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %minus = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %one, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %1 = stablehlo.dynamic_slice %x, %three, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.dynamic_slice %x, %minus, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %3 = stablehlo.dynamic_update_slice %x, %u, %one : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  %4 = stablehlo.dynamic_update_slice %x, %u, %three : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  %5 = stablehlo.dynamic_update_slice %x, %u, %minus : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  %y = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %6 = stablehlo.dynamic_slice %y, %one, %minus, sizes = [1, 1] : (tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<1x1xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<1x1xi32>
}

// Columns by an index without a vector; places by vectors, of which each
// component is clamped; rows of a batch, with the vector before and behind it;
// windows of one and two dimensions.
// GATHER: out0 {{.*}} [2, 0, 5, 3]
// GATHER: out1 {{.*}} [5, 1, 3]
// GATHER: out2 {{.*}} [2, 3]
// GATHER: out3 {{.*}} [2, 3]
// GATHER: out4 {{.*}} [1, 2, 3, 4, ...]
// GATHER: out5 {{.*}} [1, 2, 4, 5]
func.func @gather() -> (tensor<2x2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<3x2xi32>, tensor<1x2x2xi32>) {
  %x = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %columns = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%x, %columns) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1],
      start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1>}>
      : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  %places = stablehlo.constant dense<[[9, 9], [-1, 1], [1, -5]]> : tensor<3x2xi32>
  %1 = "stablehlo.gather"(%x, %places) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<3xi32>
  %behind = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %2 = "stablehlo.gather"(%x, %behind) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2xi32>
  %before = stablehlo.constant dense<[[2, 0]]> : tensor<1x2xi32>
  %3 = "stablehlo.gather"(%x, %before) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 0>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<1x2xi32>) -> tensor<2xi32>
  %v = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %starts = stablehlo.constant dense<[[1], [3], [9]]> : tensor<3x1xi32>
  %4 = "stablehlo.gather"(%v, %starts) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>}>
      : (tensor<5xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
  %corner = stablehlo.constant dense<[[1, 1]]> : tensor<1x2xi32>
  %5 = "stablehlo.gather"(%x, %corner) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 2>}>
      : (tensor<2x3xi32>, tensor<1x2xi32>) -> tensor<1x2x2xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<3x2xi32>, tensor<1x2x2xi32>
}

// What a window has outside is skipped, on both sides, and the rest is not; in
// the order of the indices; a row of a batch with the vector before it.
// SCATTER: out0 {{.*}} [20, 0, 0, 30]
// SCATTER: out1 {{.*}} [0, 3, 4, 0]
// SCATTER: out2 {{.*}} [0, 5, 6, 0]
// SCATTER: out3 {{.*}} [11, 100, 0, 0]
// SCATTER: out4 {{.*}} [4, 3, 1, 1]
func.func @scatter() -> (tensor<4xi32>, tensor<4xi32>, tensor<2x2xi32>, tensor<4xi32>, tensor<4xi32>) {
  %zeros = stablehlo.constant dense<0> : tensor<4xi32>
  %i = stablehlo.constant dense<[[-1], [3], [4], [-9]]> : tensor<4x1xi32>
  %u = stablehlo.constant dense<[[10, 20], [30, 40], [50, 60], [70, 80]]> : tensor<4x2xi32>
  %0 = "stablehlo.scatter"(%zeros, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4xi32>, tensor<4x1xi32>, tensor<4x2xi32>) -> tensor<4xi32>
  %j = stablehlo.constant dense<[1, 1, 2, 4]> : tensor<4xi32>
  %w = stablehlo.constant dense<[2, 3, 4, 5]> : tensor<4xi32>
  %2 = "stablehlo.scatter"(%zeros, %j, %w) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %square = stablehlo.constant dense<0> : tensor<2x2xi32>
  %k = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %v = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
  %3 = "stablehlo.scatter"(%square, %k, %v) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  // Of two inputs the sum of one and the product of the other.
  %ones = stablehlo.constant dense<1> : tensor<4xi32>
  %m = stablehlo.constant dense<[[0], [1], [0]]> : tensor<3x1xi32>
  %p = stablehlo.constant dense<[4, 100, 7]> : tensor<3xi32>
  %q = stablehlo.constant dense<[4, 3, 1]> : tensor<3xi32>
  %4:2 = "stablehlo.scatter"(%zeros, %ones, %m, %p, %q) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %5 = stablehlo.add %a, %c : tensor<i32>
    %6 = stablehlo.multiply %b, %d : tensor<i32>
    stablehlo.return %5, %6 : tensor<i32>, tensor<i32>
  }) : (tensor<4xi32>, tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>, tensor<3xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  return %0, %2, %3, %4#0, %4#1 : tensor<4xi32>, tensor<4xi32>, tensor<2x2xi32>, tensor<4xi32>, tensor<4xi32>
}
