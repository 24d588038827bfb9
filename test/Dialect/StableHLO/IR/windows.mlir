// RUN: boost-opt %s | FileCheck %s
// RUN: boost-opt %s --mlir-print-op-generic | boost-opt | FileCheck %s
// Sorts and windows print as they parse, and as JAX prints them.

// CHECK-LABEL: func @sort
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[I:.*]]: tensor<4x8xi32>
func.func @sort(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>) {
  // CHECK-NEXT: "stablehlo.sort"(%[[X]], %[[I]]) <{dimension = -1 : i64, is_stable = true}> ({
  // CHECK-NEXT: ^bb0(%[[L:.*]]: tensor<f32>, %[[R:.*]]: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>):
  // CHECK-NEXT:   stablehlo.compare LT, %[[L]], %[[R]], TOTALORDER
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>, %j: tensor<i32>, %k: tensor<i32>):
    %p = stablehlo.compare LT, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}

// CHECK-LABEL: func @reduce_window
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[S:.*]]: tensor<f32>
func.func @reduce_window(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // CHECK-NEXT: "stablehlo.reduce_window"(%[[X]], %[[S]])
  // CHECK-SAME:   base_dilations = array<i64: 1, 2>, padding = dense<{{\[\[}}0, 0], [-1, 2]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 3>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>
  %0 = "stablehlo.reduce_window"(%x, %s) <{base_dilations = array<i64: 1, 2>, padding = dense<[[0, 0], [-1, 2]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 3>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x13xf32>
  // What is left out is 1, or no padding.
  // CHECK:      "stablehlo.reduce_window"(%[[X]], %[[S]]) <{window_dimensions = array<i64: 2, 3>}>
  %1 = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}

// CHECK-LABEL: func @chlo
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
func.func @chlo(%x: tensor<4x8xf32>) {
  // CHECK-NEXT: chlo.top_k(%[[X]], k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  // CHECK-NEXT: chlo.top_k(%[[X]], k = 8) : tensor<4x8xf32> -> (tensor<4x8xf32>, tensor<4x8xi32>)
  %3:2 = chlo.top_k(%x, k = 8) : tensor<4x8xf32> -> (tensor<4x8xf32>, tensor<4x8xi32>)
  // CHECK-NEXT: chlo.erf_inv %[[X]] : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = chlo.erf_inv %x : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: chlo.next_after %[[X]], %[[X]] : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = chlo.next_after %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @elementary
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>, %[[I:.*]]: tensor<8xui8>
func.func @elementary(%x: tensor<8xf32>, %i: tensor<8xui8>) {
  // CHECK-NEXT: stablehlo.atan2 %[[X]], %[[X]] : tensor<8xf32>
  %0 = stablehlo.atan2 %x, %x : tensor<8xf32>
  // CHECK-NEXT: stablehlo.cbrt %[[X]] : tensor<8xf32>
  %1 = stablehlo.cbrt %x : tensor<8xf32>
  // CHECK-NEXT: stablehlo.tan %[[X]] : tensor<8xf32>
  %2 = stablehlo.tan %x : tensor<8xf32>
  // CHECK-NEXT: stablehlo.round_nearest_afz %[[X]] : tensor<8xf32>
  %3 = stablehlo.round_nearest_afz %x : tensor<8xf32>
  // CHECK-NEXT: stablehlo.round_nearest_even %[[X]] : tensor<8xf32>
  %4 = stablehlo.round_nearest_even %x : tensor<8xf32>
  // CHECK-NEXT: stablehlo.popcnt %[[I]] : tensor<8xui8>
  %5 = stablehlo.popcnt %i : tensor<8xui8>
  // CHECK-NEXT: stablehlo.count_leading_zeros %[[I]] : tensor<8xui8>
  %6 = stablehlo.count_leading_zeros %i : tensor<8xui8>
  // CHECK-NEXT: stablehlo.exponential %[[X]] {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<8xf32>
  %7 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<8xf32>
  return
}
