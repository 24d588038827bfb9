// RUN: boost-eval %s --function=pairs | FileCheck %s --check-prefix=PAIRS
// RUN: boost-eval %s --function=rows | FileCheck %s --check-prefix=ROWS
// RUN: boost-eval %s --function=edges | FileCheck %s --check-prefix=EDGES
// Windows over two tensors at once, sorts of rows, and updates that lie partly outside.

// The largest of each two columns in each row, and its column.
// PAIRS: out0 {{.*}} [5, 5, 9, 3]
// PAIRS: out1 {{.*}} [1, 1, 0, 2]
func.func @pairs() -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  %x = stablehlo.constant dense<[[2, 5, 4], [9, 1, 3]]> : tensor<2x3xi32>
  %columns = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %least = stablehlo.constant dense<-100> : tensor<i32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = "stablehlo.reduce_window"(%x, %columns, %least, %none) <{window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<i32>, %i: tensor<i32>, %b: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i32>
    %k = stablehlo.select %p, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %v, %k : tensor<i32>, tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<2x2xi32>, tensor<2x2xi32>)
  return %0#0, %0#1 : tensor<2x2xi32>, tensor<2x2xi32>
}

// ROWS: out0 {{.*}} [1, 3, 4, 7]
// ROWS: out1 {{.*}} [20, 10, 40, 30]
func.func @rows() -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  %k = stablehlo.constant dense<[[3, 1], [4, 7]]> : tensor<2x2xi32>
  %v = stablehlo.constant dense<[[10, 20], [40, 30]]> : tensor<2x2xi32>
  %0:2 = "stablehlo.sort"(%k, %v) <{dimension = -1 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<2x2xi32>, tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>)
  return %0#0, %0#1 : tensor<2x2xi32>, tensor<2x2xi32>
}

// Of windows at -1, at 1 and at 3 the elements inside are added; a window at the largest number has none.
// EDGES: out0 {{.*}} [2, 3, 4, 5]
func.func @edges() -> tensor<4xi32> {
  %zeros = stablehlo.constant dense<0> : tensor<4xi32>
  %i = stablehlo.constant dense<[[-1], [1], [3], [9223372036854775807]]> : tensor<4x1xi64>
  %u = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  %0 = "stablehlo.scatter"(%zeros, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<4x1xi64>, tensor<4x2xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
