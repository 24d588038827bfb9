// RUN: boost-opt %s --boost-expand-select-and-scatter -o %t
// RUN: boost-eval %s --function=padding | FileCheck %s --check-prefix=PADDING
// RUN: boost-eval %t --function=padding | FileCheck %s --check-prefix=PADDING
// RUN: boost-eval %s --function=last | FileCheck %s --check-prefix=LAST
// RUN: boost-eval %t --function=last | FileCheck %s --check-prefix=LAST
// RUN: boost-eval %s --function=products | FileCheck %s --check-prefix=PRODUCTS
// RUN: boost-eval %t --function=products | FileCheck %s --check-prefix=PRODUCTS
// RUN: boost-eval %s --function=each | FileCheck %s --check-prefix=EACH
// RUN: boost-eval %t --function=each | FileCheck %s --check-prefix=EACH
// RUN: boost-eval %s --function=scalar | FileCheck %s --check-prefix=SCALAR
// RUN: boost-eval %t --function=scalar | FileCheck %s --check-prefix=SCALAR
// Numbers worked out by hand, for what JAX does not lower to (test_operations.py has the rest).

// Padding is never chosen, whatever is there: of the first two windows -5, of
// the third -3, and a window of padding alone puts its value nowhere.
// PADDING: [30.5, 100.5]
func.func @padding() -> tensor<2xf32> {
  %x = stablehlo.constant dense<[-5.0, -3.0]> : tensor<2xf32>
  %s = stablehlo.constant dense<[10.0, 20.0, 100.0, 1000.0]> : tensor<4xf32>
  %z = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<2xf32>, tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A selection that keeps nothing takes the last of each window, in row-major order.
// LAST: [0, 0, 0, 1]
func.func @last() -> tensor<2x2xf32> {
  %x = stablehlo.constant dense<7.0> : tensor<2x2xf32>
  %s = stablehlo.constant dense<1.0> : tensor<1x1xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<2x2xf32>, tensor<1x1xf32>, tensor<f32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// What falls on one element is multiplied, beginning with 2.
// PRODUCTS: [2, 42, 2]
func.func @products() -> tensor<3xi32> {
  %x = stablehlo.constant dense<[1, 9, 4]> : tensor<3xi32>
  %s = stablehlo.constant dense<[3, 7]> : tensor<2xi32>
  %z = stablehlo.constant dense<2> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<3xi32>, tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// Windows of one element.
// EACH: [4, 5, 6]
func.func @each() -> tensor<3xi32> {
  %x = stablehlo.constant dense<[1, 9, 4]> : tensor<3xi32>
  %s = stablehlo.constant dense<[3, 4, 5]> : tensor<3xi32>
  %z = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<3xi32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// SCALAR: [4]
func.func @scalar() -> tensor<i32> {
  %x = stablehlo.constant dense<9> : tensor<i32>
  %s = stablehlo.constant dense<3> : tensor<i32>
  %z = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
