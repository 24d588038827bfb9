// RUN: boost-opt %s --boost-expand-scans | FileCheck %s
// RUN: boost-opt %s --boost-expand-scans -o %t
// RUN: boost-eval --compare %s %t --function product | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function product_reversed | FileCheck %s --check-prefix=EQUAL
// Cumulative windows without a gradient of their own become steps of powers of
// two.

// EQUAL: results equal

// CHECK-LABEL: func @product
// CHECK-SAME:    %[[X:.*]]: tensor<3x5xf32>
// CHECK:         %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:    %[[A:.*]] = stablehlo.pad %[[X]], %[[ONE]], low = [0, 1], high = [0, -1], interior = [0, 0]
// CHECK-NEXT:    %[[B:.*]] = stablehlo.multiply %[[A]], %[[X]]
// CHECK-NEXT:    %[[C:.*]] = stablehlo.pad %[[B]], %[[ONE]], low = [0, 2], high = [0, -2], interior = [0, 0]
// CHECK-NEXT:    %[[D:.*]] = stablehlo.multiply %[[C]], %[[B]]
// CHECK-NEXT:    %[[E:.*]] = stablehlo.pad %[[D]], %[[ONE]], low = [0, 4], high = [0, -4], interior = [0, 0]
// CHECK-NEXT:    %[[F:.*]] = stablehlo.multiply %[[E]], %[[D]]
// CHECK-NEXT:    return %[[F]]
func.func @product(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %one) <{padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 5>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// From the end, values move the other way and come second. Constants of the body
// are repeated.
// CHECK-LABEL: func @product_reversed
// CHECK-SAME:    %[[X:.*]]: tensor<2xf32>
// CHECK:         %[[A:.*]] = stablehlo.pad %[[X]], %{{.*}}, low = [-1], high = [1], interior = [0]
// CHECK:         %[[H:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT:    %[[M:.*]] = stablehlo.multiply %[[X]], %[[H]]
// CHECK-NEXT:    stablehlo.multiply %[[M]], %[[A]]
func.func @product_reversed(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %one) <{padding = dense<[[0, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %one_inside = stablehlo.constant dense<1.0> : tensor<f32>
    %m = stablehlo.multiply %a, %one_inside : tensor<f32>
    %s = stablehlo.multiply %m, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A sum has a gradient of its own, integers have none, and a window that is not
// cumulative, or so in two dimensions, has no steps.
// CHECK-LABEL: func @keeps_others
// CHECK-COUNT-4: stablehlo.reduce_window
// CHECK-NOT: stablehlo.pad
func.func @keeps_others(%x: tensor<5xf32>, %i: tensor<5xi32>, %m: tensor<3x5xf32>) -> (tensor<5xf32>, tensor<5xi32>, tensor<4xf32>, tensor<3x5xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 5>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = "stablehlo.reduce_window"(%i, %one) <{padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 5>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
  %2 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = "stablehlo.reduce_window"(%m, %zero) <{padding = dense<[[2, 0], [4, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 5>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
  return %0, %1, %2, %3 : tensor<5xf32>, tensor<5xi32>, tensor<4xf32>, tensor<3x5xf32>
}
