// RUN: boost-opt %s -boost-raise-rms-norm | FileCheck %s --implicit-check-not=boost.rms_norm
// Centered, missing eps or taken over another dimension: not this norm.

// CHECK-LABEL: func @layer_norm
func.func @layer_norm(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xf32> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xf32> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4x16x1xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %2 = stablehlo.divide %1, %cst_0 : tensor<4x16x1xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %4 = stablehlo.subtract %arg0, %3 : tensor<4x16x64xf32>
  %5 = stablehlo.multiply %4, %4 : tensor<4x16x64xf32>
  %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %8 = stablehlo.divide %7, %cst_0 : tensor<4x16x1xf32>
  %9 = stablehlo.add %8, %cst : tensor<4x16x1xf32>
  %10 = stablehlo.rsqrt %9 : tensor<4x16x1xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %12 = stablehlo.multiply %arg0, %11 : tensor<4x16x64xf32>
  %13 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<64xf32>) -> tensor<4x16x64xf32>
  %14 = stablehlo.multiply %12, %13 : tensor<4x16x64xf32>
  return %14 : tensor<4x16x64xf32>
}

// CHECK-LABEL: func @first_dimension
func.func @first_dimension(%arg0: tensor<64x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xf32> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<64x64xf32> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<1x64xf32>
  %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<1x64xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<64x64xf32>
  %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
  %3 = stablehlo.divide %2, %cst_0 : tensor<1x64xf32>
  %4 = stablehlo.add %3, %cst : tensor<1x64xf32>
  %5 = stablehlo.rsqrt %4 : tensor<1x64xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<64x64xf32>
  %7 = stablehlo.multiply %arg0, %6 : tensor<64x64xf32>
  %8 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
  %9 = stablehlo.multiply %7, %8 : tensor<64x64xf32>
  return %9 : tensor<64x64xf32>
}

// CHECK-LABEL: func @sum_instead_of_mean
func.func @sum_instead_of_mean(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xf32> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xf32> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x16x64xf32>
  %1 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %3 = stablehlo.add %2, %cst : tensor<4x16x1xf32>
  %4 = stablehlo.rsqrt %3 : tensor<4x16x1xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %6 = stablehlo.multiply %arg0, %5 : tensor<4x16x64xf32>
  %7 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<64xf32>) -> tensor<4x16x64xf32>
  %8 = stablehlo.multiply %6, %7 : tensor<4x16x64xf32>
  return %8 : tensor<4x16x64xf32>
}

// x * (1 / rsqrt(mean + eps)) * gamma multiplies by the root.
// CHECK-LABEL: func @reciprocal_of_rsqrt
func.func @reciprocal_of_rsqrt(%x: tensor<4x8xf32>, %gamma: tensor<8xf32>) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<4x1xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<4x1xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x1xf32>
  %squares = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  %mean = stablehlo.divide %sums, %size : tensor<4x1xf32>
  %inner = stablehlo.add %mean, %eps : tensor<4x1xf32>
  %root = stablehlo.rsqrt %inner : tensor<4x1xf32>
  %inverse = stablehlo.divide %one, %root : tensor<4x1xf32>
  %factors = stablehlo.broadcast_in_dim %inverse, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %normed = stablehlo.multiply %x, %factors : tensor<4x8xf32>
  %gammas = stablehlo.broadcast_in_dim %gamma, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %y = stablehlo.multiply %normed, %gammas : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Not every function of a scalar is looked through.
// CHECK-LABEL: func @count_by_a_function
func.func @count_by_a_function(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xf32> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xf32> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %log = stablehlo.constant dense<4.15888309> : tensor<f32>
  %n = stablehlo.exponential %log : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x16x64xf32>
  %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %count = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
  %3 = stablehlo.divide %2, %count : tensor<4x16x1xf32>
  %4 = stablehlo.add %3, %cst : tensor<4x16x1xf32>
  %5 = stablehlo.sqrt %4 : tensor<4x16x1xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %7 = stablehlo.divide %arg0, %6 : tensor<4x16x64xf32>
  %8 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<64xf32>) -> tensor<4x16x64xf32>
  %9 = stablehlo.multiply %7, %8 : tensor<4x16x64xf32>
  return %9 : tensor<4x16x64xf32>
}

// Another power of the mean, or on the other side.
// CHECK-LABEL: func @times_root
func.func @times_root(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.sqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @by_inverse_root
func.func @by_inverse_root(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.divide %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @fourth_root
func.func @fourth_root(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %h = stablehlo.constant dense<-0.25> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.power %i, %h : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @by_inverse_power
func.func @by_inverse_power(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %h = stablehlo.constant dense<-0.5> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.power %i, %h : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.divide %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @two_by_root
func.func @two_by_root(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %two = stablehlo.constant dense<2.0> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %s = stablehlo.sqrt %i : tensor<8xf32>
  %r = stablehlo.divide %two, %s : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// No mean of squares, or not the one of the input.
// CHECK-LABEL: func @no_eps
func.func @no_eps(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.abs %m : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @inverse_mean
func.func @inverse_mean(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %size, %t : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @no_mean
func.func @no_mean(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.abs %t : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @one_too_many
func.func @one_too_many(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<9.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @at_least_one
func.func @at_least_one(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %h = stablehlo.maximum %m, %one : tensor<8xf32>
  %i = stablehlo.add %h, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @at_most_zero
func.func @at_most_zero(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %none = stablehlo.constant dense<0.0> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %h = stablehlo.minimum %m, %none : tensor<8xf32>
  %i = stablehlo.add %h, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @products
func.func @products(%x: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %o : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @cubes
func.func @cubes(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %three = stablehlo.constant dense<3.0> : tensor<8x8xf32>
  %q = stablehlo.power %x, %three : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @greatest_square
func.func @greatest_square(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @from_one
func.func @from_one(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %one) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @of_columns
func.func @of_columns(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @of_other_rows
func.func @of_other_rows(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @of_others
func.func @of_others(%x: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %o, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @squares_of_others
func.func @squares_of_others(%x: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %o, %o : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// A factor more, or one that is no gamma.
// CHECK-LABEL: func @input_twice
func.func @input_twice(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %w = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %y = stablehlo.multiply %w, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @without_input
func.func @without_input(%x: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %u, %o : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @by_input
func.func @by_input(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.divide %u, %x : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @count_beyond_rounding
func.func @count_beyond_rounding(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0001> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
