// RUN: boost-eval %s --function=reduce | FileCheck %s --check-prefix=REDUCE
// RUN: boost-eval %s --function=windows | FileCheck %s --check-prefix=WINDOWS
// RUN: boost-eval %s --function=select | FileCheck %s --check-prefix=SELECT
// RUN: boost-eval %s --function=sort | FileCheck %s --check-prefix=SORT
// RUN: boost-eval %s --function=top | FileCheck %s --check-prefix=TOP
// RUN: boost-eval %s --function=products | FileCheck %s --check-prefix=PRODUCTS
// RUN: boost-eval %s --function=convolve | FileCheck %s --check-prefix=CONVOLVE
// RUN: boost-eval %s --function=solve | FileCheck %s --check-prefix=SOLVE
// RUN: boost-eval %s --function=optimize | FileCheck %s --check-prefix=OPTIMIZE
// Reductions, windows, sorts and products of a few elements, by hand.

// Each kind of floats with an initial value; of columns, of all, of integers,
// and the largest element with its place.
// REDUCE: out0 {{.*}} [15, 17, 19]
// REDUCE: out1 {{.*}} [60, 1200]
// REDUCE: out2 {{.*}} [5]
// REDUCE: out3 {{.*}} [0]
// REDUCE: out4 {{.*}} [{{-?}}nan]
// REDUCE: out5 {{.*}} [7, 16]
// REDUCE: out6 {{.*}} [5]
// REDUCE: out7 {{.*}} [1]
func.func @reduce() -> (tensor<3xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xi32>, tensor<f32>, tensor<i32>) {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %ten = stablehlo.constant dense<10.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %ten) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%x init: %ten) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %y = stablehlo.constant dense<[5.0, 0.0, -3.0]> : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%y init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %z = stablehlo.constant dense<[5.0, 2.0, 3.0]> : tensor<3xf32>
  %3 = stablehlo.reduce(%z init: %zero) applies stablehlo.minimum across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<[5.0, 0x7fc00000, 3.0]> : tensor<3xf32>
  %4 = stablehlo.reduce(%n init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %i = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %5 = stablehlo.reduce(%i init: %one) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  %least = stablehlo.constant dense<0xff800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %places = stablehlo.iota dim = 0 : tensor<3xi32>
  %w = stablehlo.constant dense<[2.0, 5.0, 5.0]> : tensor<3xf32>
  %6:2 = stablehlo.reduce(%w init: %least), (%places init: %none) across dimensions = [0] : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %7 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %a, %b : tensor<i1>, tensor<f32>
    %9 = stablehlo.select %7, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %8, %9 : tensor<f32>, tensor<i32>
  }
  return %0, %1, %2, %3, %4, %5, %6#0, %6#1 : tensor<3xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xi32>, tensor<f32>, tensor<i32>
}

// Strides, dilation of the window, of the base, and padding on either side.
// WINDOWS: out0 {{.*}} [1, 5, 9]
// WINDOWS: out1 {{.*}} [4, 6, 8]
// WINDOWS: out2 {{.*}} [3, 5, 4]
// WINDOWS: out3 {{.*}} [1, 2, 2, 3]
// WINDOWS: out4 {{.*}} [12, 16]
func.func @windows() -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<4xi32>, tensor<1x2xi32>) {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>,
      padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>
  %1 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>, window_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>
  %y = stablehlo.constant dense<[1, 2, 3, 1]> : tensor<4xi32>
  %2 = "stablehlo.reduce_window"(%y, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  %z = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %3 = "stablehlo.reduce_window"(%z, %zero) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  %m = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %4 = "stablehlo.reduce_window"(%m, %zero) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<1x2xi32>
  return %0, %1, %2, %3, %4 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<4xi32>, tensor<1x2xi32>
}

// The first of two that are equal is chosen, and what is there already added;
// nothing where a window has no element.
// SELECT: out0 {{.*}} [0, 0, 30, 0]
// SELECT: out1 {{.*}} [15, 5, 25, 5]
func.func @select() -> (tensor<4xi32>, tensor<4xi32>) {
  %x = stablehlo.constant dense<[1, 2, 7, 3]> : tensor<4xi32>
  %s = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  %same = stablehlo.constant dense<4> : tensor<4xi32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %t = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %1 = "stablehlo.select_and_scatter"(%same, %t, %five) <{window_dimensions = array<i64: 2>,
      window_strides = array<i64: 2>, padding = dense<[[0, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<4xi32>, tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// Downward, by the first operand, in the order in which equal ones stood; of
// columns.
// SORT: out0 {{.*}} [3, 2, 2, 1]
// SORT: out1 {{.*}} [30, 20, 21, 10]
// SORT: out2 {{.*}} [1, 2, 3, 9]
func.func @sort() -> (tensor<4xi32>, tensor<4xi32>, tensor<2x2xi32>) {
  %k = stablehlo.constant dense<[2, 3, 2, 1]> : tensor<4xi32>
  %v = stablehlo.constant dense<[20, 30, 21, 10]> : tensor<4xi32>
  %0:2 = "stablehlo.sort"(%k, %v) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  %m = stablehlo.constant dense<[[3, 2], [1, 9]]> : tensor<2x2xi32>
  %1 = "stablehlo.sort"(%m) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0#0, %0#1, %1 : tensor<4xi32>, tensor<4xi32>, tensor<2x2xi32>
}

// TOP: out0 {{.*}} [5, 5, 7, 0]
// TOP: out1 {{.*}} [1, 2, 0, 1]
// TOP: out2 {{.*}} [200, 100]
// TOP: out3 {{.*}} [1, 2]
func.func @top() -> (tensor<2x2xf32>, tensor<2x2xi32>, tensor<2xui8>, tensor<2xi32>) {
  %x = stablehlo.constant dense<[[1.0, 5.0, 5.0], [7.0, 0.0, -0.0]]> : tensor<2x3xf32>
  %0:2 = chlo.top_k(%x, k = 2) : tensor<2x3xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  %u = stablehlo.constant dense<[1, 200, 100]> : tensor<3xui8>
  %1:2 = chlo.top_k(%u, k = 2) : tensor<3xui8> -> (tensor<2xui8>, tensor<2xi32>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<2x2xf32>, tensor<2x2xi32>, tensor<2xui8>, tensor<2xi32>
}

// With a batch, the contracted dimensions in either place; of integers, which
// wrap; a weight as it is and transposed.
// PRODUCTS: out0 {{.*}} [50, 122]
// PRODUCTS: out1 {{.*}} [17, 39]
// PRODUCTS: out2 {{.*}} [-126]
// PRODUCTS: out3 {{.*}} [19, 22, 43, 50]
// PRODUCTS: out4 {{.*}} [17, 23, 39, 53]
func.func @products() -> (tensor<2x1x1xf32>, tensor<2xf32>, tensor<i8>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %x = stablehlo.constant dense<[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]> : tensor<2x1x3xf32>
  %y = stablehlo.constant dense<[[[7.0, 8.0, 9.0]], [[7.0, 8.0, 9.0]]]> : tensor<2x1x3xf32>
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x1xf32>
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %v = stablehlo.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %1 = stablehlo.dot_general %v, %a, contracting_dims = [0] x [1] : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %i = stablehlo.constant dense<[100, 15]> : tensor<2xi8>
  %j = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %2 = stablehlo.dot_general %i, %j, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>
  %w = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %3 = boost.linear %a, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = boost.linear %a, %w transposed : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2, %3, %4 : tensor<2x1x1xf32>, tensor<2xf32>, tensor<i8>, tensor<2x2xf32>, tensor<2x2xf32>
}

// Of one feature; of two groups of features; of two groups of a batch; with a
// reversed window; of integers.
// CONVOLVE: out0 {{.*}} [12, 23, 34]
// CONVOLVE: out1 {{.*}} [21, 32, 43]
// CONVOLVE: out2 {{.*}} [2, 15]
// CONVOLVE: out3 {{.*}} [2, 15]
// CONVOLVE: out4 {{.*}} [12, 23, 34]
func.func @convolve() -> (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x3x1xi32>) {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0], [4.0]]]> : tensor<1x4x1xf32>
  %k = stablehlo.constant dense<[[[10.0]], [[1.0]]]> : tensor<2x1x1xf32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  %y = stablehlo.constant dense<[[[1.0, 3.0]]]> : tensor<1x1x2xf32>
  %l = stablehlo.constant dense<[[[2.0, 5.0]]]> : tensor<1x1x2xf32>
  %2 = stablehlo.convolution(%y, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  %z = stablehlo.constant dense<[[[1.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %3 = stablehlo.convolution(%z, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x1x1xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  %i = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
  %j = stablehlo.constant dense<[[[10]], [[1]]]> : tensor<2x1x1xi32>
  %4 = stablehlo.convolution(%i, %j) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>
  return %0, %1, %2, %3, %4 : tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x3x1xi32>
}

// [[2, .], [3, 4]] and its transpose, with the unknowns on either side; where
// the diagonal is one, what stands there is not read.
// SOLVE: out0 {{.*}} [1, 2]
// SOLVE: out1 {{.*}} [1, 2]
// SOLVE: out2 {{.*}} [1, 2]
// SOLVE: out3 {{.*}} [1, 2]
// SOLVE: out4 {{.*}} [2, 5]
func.func @solve() -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x1xf32>) {
  %l = stablehlo.constant dense<[[2.0, 7.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0], [11.0]]> : tensor<2x1xf32>
  %0 = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
      : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %c = stablehlo.constant dense<[[8.0], [8.0]]> : tensor<2x1xf32>
  %1 = "stablehlo.triangular_solve"(%l, %c) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}>
      : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %d = stablehlo.constant dense<[[8.0, 8.0]]> : tensor<1x2xf32>
  %2 = "stablehlo.triangular_solve"(%l, %d) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
      : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %e = stablehlo.constant dense<[[2.0, 15.0]]> : tensor<1x2xf32>
  %3 = "stablehlo.triangular_solve"(%l, %e) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
      : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %4 = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}>
      : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return %0, %1, %2, %3, %4 : tensor<2x1xf32>, tensor<2x1xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x1xf32>
}

// The first step of beta1 = 0.5, beta2 = 0.75 at p = 2, g = 4 / 2, lr = 0.25,
// eps = 1: m = 1 and v = 1, so that p loses a quarter of 2 / (2 + 1) and, where
// it decays, of 0.5 * 2. Then the second one from m = 2 and v = 4.
// OPTIMIZE: out0 {{.*}} [1.5833333333333{{[0-9]*}}]
// OPTIMIZE: out1 {{.*}} [1]
// OPTIMIZE: out2 {{.*}} [1]
// OPTIMIZE: out3 {{.*}} [1.8333333333333{{[0-9]*}}]
// OPTIMIZE: out4 {{.*}} [1.8343156668{{[0-9]*}}]
// OPTIMIZE: out5 {{.*}} [29]
func.func @optimize() -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<f32>) {
  %p = stablehlo.constant dense<2.0> : tensor<1xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<1xf32>
  %four = stablehlo.constant dense<4.0> : tensor<1xf32>
  %lr = stablehlo.constant dense<0.25> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %beta2 = stablehlo.constant dense<0.75> : tensor<f32>
  %share2 = stablehlo.constant dense<0.25> : tensor<f32>
  %root = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = boost.adamw %p, %zero, %zero, %four lr %lr step %one scale %half
      betas %half, %beta2 shares %half, %share2 eps %one, %root decay %half {decays} : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
  %1:3 = boost.adamw %p, %zero, %zero, %four lr %lr step %one scale %half
      betas %half, %beta2 shares %half, %share2 eps %one, %root decay %half : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
  %2:3 = boost.adamw %p, %p, %four, %four lr %lr step %two scale %half
      betas %half, %beta2 shares %half, %share2 eps %one, %root decay %half : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
  %x = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %3 = boost.sum_of_squares %x, %four : (tensor<2xf32>, tensor<1xf32>) -> tensor<f32>
  return %0#0, %0#1, %0#2, %1#0, %2#0, %3 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<f32>
}
