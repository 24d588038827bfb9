// RUN: boost-opt %s --boost-unroll-while --canonicalize | FileCheck %s
// RUN: boost-opt %s -boost-unroll-while -o %t.values && boost-eval --compare --every-function %s %t.values
// A scan over stacked parameters with stacked outputs becomes straight-line
// code: reads are slices, the outputs one concatenation.

// CHECK-LABEL: func @scan
// CHECK-SAME:    %[[W:.*]]: tensor<2x4xf32>, %[[X:.*]]: tensor<4xf32>
func.func @scan(%w: tensor<2x4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>) {
  // CHECK-NOT:  stablehlo.while
  // CHECK:      %[[S0:.*]] = stablehlo.slice %[[W]] [0:1, 0:4]
  // CHECK-NEXT: %[[W0:.*]] = stablehlo.reshape %[[S0]]
  // CHECK-NEXT: %[[X1:.*]] = stablehlo.multiply %[[X]], %[[W0]]
  // CHECK-NEXT: %[[Y0:.*]] = stablehlo.reshape %[[X]]
  // CHECK-NEXT: %[[S1:.*]] = stablehlo.slice %[[W]] [1:2, 0:4]
  // CHECK-NEXT: %[[W1:.*]] = stablehlo.reshape %[[S1]]
  // CHECK-NEXT: %[[X2:.*]] = stablehlo.multiply %[[X1]], %[[W1]]
  // CHECK-NEXT: %[[Y1:.*]] = stablehlo.reshape %[[X1]]
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.concatenate %[[Y0]], %[[Y1]], dim = 0
  // CHECK-NEXT: return %[[X2]], %[[Y]]
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<2x4xf32>
  %r:4 = stablehlo.while(%a = %w, %i = %c0, %b = %x, %y = %zeros) : tensor<2x4xf32>, tensor<i32>, tensor<4xf32>, tensor<2x4xf32>
  cond {
    %c2 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.compare LT, %i, %c2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    // The negative-index correction of dynamic_index_in_dim folds away.
    %c2 = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %c0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.add %i, %c2 : tensor<i32>
    %3 = stablehlo.select %1, %2, %i : tensor<i1>, tensor<i32>
    %4 = stablehlo.dynamic_slice %a, %3, %c0, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x4xf32>) -> tensor<4xf32>
    %6 = stablehlo.multiply %b, %5 : tensor<4xf32>
    %7 = stablehlo.reshape %b : (tensor<4xf32>) -> tensor<1x4xf32>
    %8 = stablehlo.dynamic_update_slice %y, %7, %i, %c0 : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %9 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %a, %9, %6, %8 : tensor<2x4xf32>, tensor<i32>, tensor<4xf32>, tensor<2x4xf32>
  }
  return %r#2, %r#3 : tensor<4xf32>, tensor<2x4xf32>
}
