// RUN: boost-opt %s -boost-rematerialize | FileCheck %s
// What costs nothing to compute again, in bytes that the backward pass keeps: 64 of %0 alone, or more. Of each case
// the nearest that is not free stands beside it.

// A part of what is kept.
// CHECK-LABEL: func.func @slices
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64>
func.func @slices(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<2x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.slice %0 [0:2, 0:4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<2x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<2x4xf32>
}

// The same in another shape.
// CHECK-LABEL: func.func @reshapes
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64>
func.func @reshapes(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<f32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x4xf32>) -> tensor<16xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.dot_general %1, %1, contracting_dims = [0] x [0] : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
  return %2, %3 : tensor<4x4xf32>, tensor<f32>
}

// Moved, where a product reads it.
// CHECK-LABEL: func.func @transposes
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 128>
func.func @transposes(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// A function of it, where passes over memory read it.
// CHECK-LABEL: func.func @functions
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64>
func.func @functions(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.tanh %0 : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// Where a product reads it, it is kept.
// CHECK-LABEL: func.func @functions_in_products
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 128>
func.func @functions_in_products(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.tanh %0 : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// Of two readers one is a product.
// CHECK-LABEL: func.func @functions_in_both
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 128>
func.func @functions_in_both(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.tanh %0 : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<4x4xf32>
  %4 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Behind a reshape passes over memory read it, or a product.
// CHECK-LABEL: func.func @functions_reshaped
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64>
func.func @functions_reshaped(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<16xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.tanh %0 : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %r = stablehlo.reshape %1 : (tensor<4x4xf32>) -> tensor<16xf32>
  %3 = stablehlo.multiply %r, %r : tensor<16xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<16xf32>
}

// CHECK-LABEL: func.func @functions_reshaped_in_products
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 128>
func.func @functions_reshaped_in_products(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<f32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.tanh %0 : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %r = stablehlo.reshape %1 : (tensor<4x4xf32>) -> tensor<16xf32>
  %3 = stablehlo.dot_general %r, %r, contracting_dims = [0] x [0] : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
  return %2, %3 : tensor<4x4xf32>, tensor<f32>
}

// What the forward pass does with it does not count.
// CHECK-LABEL: func.func @functions_in_forward_products
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64>
func.func @functions_in_forward_products(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.tanh %0 : tensor<4x4xf32>
  %p = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<4x4xf32>
  return %2, %3, %p : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Of the same value twice.
// CHECK-LABEL: func.func @twice_the_same
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64>
func.func @twice_the_same(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// Of two values.
// CHECK-LABEL: func.func @of_two
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 192>
func.func @of_two(%x: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %y = stablehlo.optimization_barrier %z : tensor<4x4xf32>
  %1 = stablehlo.multiply %0, %y : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<4x4xf32>
  %4 = stablehlo.multiply %y, %y : tensor<4x4xf32>
  return %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Of constants beside it, and of counts that are compared.
// CHECK-LABEL: func.func @of_a_constant
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64>
func.func @of_a_constant(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %c = stablehlo.constant dense<2.0> : tensor<4x4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x4xf32>
  %n = stablehlo.add %i, %c : tensor<4x4xf32>
  %m = stablehlo.compare GT, %n, %c : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
  %1 = stablehlo.select %m, %0, %c : tensor<4x4xi1>, tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// A table of sines is no count: it is a second value.
// CHECK-LABEL: func.func @of_a_table
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 128>
func.func @of_a_table(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x4xf32>
  %s = stablehlo.sine %i : tensor<4x4xf32>
  %1 = stablehlo.multiply %0, %s : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// What is repeated 16 times along it is read for nothing.
// CHECK-LABEL: func.func @repeated_16
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 272>
func.func @repeated_16(%x: tensor<16x4xf32>, %v: tensor<4xf32>) -> (tensor<16x4xf32>, tensor<16x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<16x4xf32>
  %g = stablehlo.optimization_barrier %v : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<4xf32>) -> tensor<16x4xf32>
  %1 = stablehlo.multiply %0, %b : tensor<16x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<16x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<16x4xf32>
  return %2, %3 : tensor<16x4xf32>, tensor<16x4xf32>
}

// 15 times are too few.
// CHECK-LABEL: func.func @repeated_15
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 480>
func.func @repeated_15(%x: tensor<15x4xf32>, %v: tensor<4xf32>) -> (tensor<15x4xf32>, tensor<15x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<15x4xf32>
  %g = stablehlo.optimization_barrier %v : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<4xf32>) -> tensor<15x4xf32>
  %1 = stablehlo.multiply %0, %b : tensor<15x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<15x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<15x4xf32>
  return %2, %3 : tensor<15x4xf32>, tensor<15x4xf32>
}

// Of a value and a function of it, in either order, as silu is.
// CHECK-LABEL: func.func @of_functions_of_one
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64>
func.func @of_functions_of_one(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %s = stablehlo.logistic %0 : tensor<4x4xf32>
  %1 = stablehlo.multiply %0, %s : tensor<4x4xf32>
  %n = stablehlo.negate %s : tensor<4x4xf32>
  %5 = stablehlo.add %n, %1 : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<4x4xf32>
  %4 = stablehlo.multiply %5, %5 : tensor<4x4xf32>
  return %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Of functions of two values.
// CHECK-LABEL: func.func @of_functions_of_two
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 192>
func.func @of_functions_of_two(%x: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %y = stablehlo.optimization_barrier %z : tensor<4x4xf32>
  %s = stablehlo.logistic %y : tensor<4x4xf32>
  %1 = stablehlo.multiply %0, %s : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<4x4xf32>
  %4 = stablehlo.multiply %y, %y : tensor<4x4xf32>
  return %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
