// RUN: boost-opt %s --convert-stablehlo-to-linalg --split-input-file | FileCheck %s
// Loops that linalg cannot say are written out, once per row.

// A running value along the dimension; every other place is a row of its own.

// CHECK-LABEL: func.func @cumulative_sum
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK: boostrt.rows 4 ins(%[[X]], %{{.*}} : tensor<4x8xf32>, tensor<f32>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK-NEXT: ^bb0(%[[ROW:.*]]: index, %[[IN:.*]]: memref<4x8xf32>, %[[INIT:.*]]: memref<f32>, %[[OUT:.*]]: memref<4x8xf32>):
// CHECK: %[[START:.*]] = memref.load %[[INIT]][]
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[SUM:.*]] = %[[START]]) -> (f32)
// CHECK: %[[E:.*]] = memref.load %[[IN]][%{{.*}}, %[[I]]]
// CHECK: %[[NEXT:.*]] = arith.addf %[[SUM]], %[[E]]
// CHECK: memref.store %[[NEXT]], %[[OUT]]
// CHECK: scf.yield %[[NEXT]]
func.func @cumulative_sum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 8>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Short floats are added in f32 and rounded where they are stored.

// CHECK-LABEL: func.func @short_sum
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (f32)
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}} : f32
// CHECK: %[[SHORT:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK: memref.store %[[SHORT]]
// CHECK: scf.yield %[[SUM]] : f32
func.func @short_sum(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 8>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<8xbf16>, tensor<bf16>) -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// -----

// Other windows look at every element and leave out the padding.

// CHECK-LABEL: func.func @window
// CHECK: boostrt.rows 3
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: arith.maximumf
func.func @window(%x: tensor<4x8xf32>) -> tensor<3x4xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %low) <{padding = dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// Places are sorted; the elements are gathered by them.

// CHECK-LABEL: func.func @sort
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK: %[[ORDER:.*]]:2 = boostrt.rows 4 ins(%[[X]] : tensor<4x8xf32>) outs(%{{.*}}, %{{.*}} : tensor<4x8xi32>, tensor<4x8xi32>)
// CHECK: arith.cmpf olt
// CHECK: linalg.generic {{.*}} ins(%[[ORDER]]#0 : tensor<4x8xi32>)
// CHECK: tensor.extract %[[X]]
func.func @sort(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Total order compares bits, those of negative numbers turned around.

// CHECK-LABEL: func.func @total_order
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
// CHECK: %[[SIGN:.*]] = arith.shrsi %[[BITS]], %{{.*}}
// CHECK: %[[MASK:.*]] = arith.andi %[[SIGN]], %{{.*}}
// CHECK: arith.xori %[[BITS]], %[[MASK]]
// CHECK: arith.cmpi slt
func.func @total_order(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xi1> {
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  return %0 : tensor<8xi1>
}

// -----

// Threads share the columns, in pieces of a cache line: every element of the
// table takes its updates in the order of the ids. Ids outside are skipped.

// CHECK-LABEL: func.func @rows_of_a_table
// CHECK-SAME: %[[T:.*]]: tensor<64x40xf32>, %[[I:.*]]: tensor<5x1xi32>, %[[U:.*]]: tensor<5x40xf32>
// CHECK: boostrt.rows 3 ins(%[[I]], %[[U]] : tensor<5x1xi32>, tensor<5x40xf32>) outs(%[[T]] : tensor<64x40xf32>)
// CHECK: scf.for %[[N:.*]] =
// CHECK: memref.load %{{.*}}[%[[N]], %{{.*}}] : memref<5x1xi32>
// CHECK: scf.for
// CHECK: %[[IN:.*]] = arith.cmpi ult
// CHECK: scf.if
// CHECK: arith.addf
func.func @rows_of_a_table(%t: tensor<64x40xf32>, %i: tensor<5x1xi32>, %u: tensor<5x40xf32>) -> tensor<64x40xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x40xf32>, tensor<5x1xi32>, tensor<5x40xf32>) -> tensor<64x40xf32>
  return %0 : tensor<64x40xf32>
}

// -----

// A window that begins below 0 may reach inside: its start stays negative. An
// unsigned place is never below 0, however large.

// CHECK-LABEL: func.func @windows
// CHECK: %[[PLACE:.*]] = memref.load %{{.*}} : memref<2x1xi32>
// CHECK: %[[START:.*]] = arith.index_cast %[[PLACE]] : i32 to index
// CHECK: arith.addi %[[START]], %{{.*}} : index
func.func @windows(%t: tensor<8xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @unsigned_windows
// CHECK: %[[PLACE:.*]] = memref.load %{{.*}} : memref<2x1xi32>
// CHECK: %[[WIDE:.*]] = arith.index_castui %[[PLACE]] : i32 to index
// CHECK: %[[START:.*]] = arith.minui %[[WIDE]], %{{.*}} : index
// CHECK: arith.addi %[[START]], %{{.*}} : index
func.func @unsigned_windows(%t: tensor<8xf32>, %i: tensor<2x1xui32>, %u: tensor<2x3xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8xf32>, tensor<2x1xui32>, tensor<2x3xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Where two updates may meet in every dimension, one thread does them all.

// CHECK-LABEL: func.func @elements
// CHECK: boostrt.rows 1
func.func @elements(%t: tensor<64xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>) -> tensor<64xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<64xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Only sums and the like of short floats are computed in f32.

// CHECK-LABEL: func.func @short_difference
// CHECK-NOT: arith.extf
// CHECK: arith.subf %{{.*}} : bf16
func.func @short_difference(%x: tensor<8xbf16>) -> tensor<7xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.subtract %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<8xbf16>, tensor<bf16>) -> tensor<7xbf16>
  return %0 : tensor<7xbf16>
}

// -----

// Short integers are not widened, and constants of a window have no sign.

// CHECK-LABEL: func.func @short_integers
// CHECK: arith.addi %{{.*}} : i8
func.func @short_integers(%x: tensor<8xui8>) -> tensor<7xui8> {
  %zero = stablehlo.constant dense<0> : tensor<ui8>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %s = stablehlo.add %a, %b : tensor<ui8>
    stablehlo.return %s : tensor<ui8>
  }) : (tensor<8xui8>, tensor<ui8>) -> tensor<7xui8>
  return %0 : tensor<7xui8>
}

// CHECK-LABEL: func.func @bounded_integers
// CHECK: %[[BOUND:.*]] = arith.constant -56 : i8
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}} : i8
// CHECK: arith.minui %[[SUM]], %[[BOUND]] : i8
func.func @bounded_integers(%x: tensor<8xui8>) -> tensor<7xui8> {
  %zero = stablehlo.constant dense<0> : tensor<ui8>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %bound = stablehlo.constant dense<200> : tensor<ui8>
    %s = stablehlo.add %a, %b : tensor<ui8>
    %m = stablehlo.minimum %s, %bound : tensor<ui8>
    stablehlo.return %m : tensor<ui8>
  }) : (tensor<8xui8>, tensor<ui8>) -> tensor<7xui8>
  return %0 : tensor<7xui8>
}
