// RUN: boost-opt %s --boost-expand-convolution -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Every field of a window, another number in each dimension, by value.

// Padding on each side of each dimension.
// CHECK-LABEL: func @padded(
func.func @padded(%x: tensor<2x5x6x3xf32>, %w: tensor<2x3x3x4xf32>) -> tensor<2x7x5x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 2], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf32>, tensor<2x3x3x4xf32>) -> tensor<2x7x5x4xf32>
  return %0 : tensor<2x7x5x4xf32>
}

// Padding that takes away.
// CHECK-LABEL: func @less_than_nothing(
func.func @less_than_nothing(%x: tensor<2x5x6x3xf32>, %w: tensor<2x3x3x4xf32>) -> tensor<2x3x4x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[-1, 0], [1, -1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf32>, tensor<2x3x3x4xf32>) -> tensor<2x3x4x4xf32>
  return %0 : tensor<2x3x4x4xf32>
}

// Windows that move by 2 and 3.
// CHECK-LABEL: func @moved(
func.func @moved(%x: tensor<2x7x9x3xf32>, %w: tensor<2x2x3x4xf32>) -> tensor<2x3x3x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x9x3xf32>, tensor<2x2x3x4xf32>) -> tensor<2x3x3x4xf32>
  return %0 : tensor<2x3x3x4xf32>
}

// CHECK-LABEL: func @moved_alone(
func.func @moved_alone(%x: tensor<2x7x9x3xf32>, %w: tensor<3x1x3x4xf32>) -> tensor<2x5x3x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x9x3xf32>, tensor<3x1x3x4xf32>) -> tensor<2x5x3x4xf32>
  return %0 : tensor<2x5x3x4xf32>
}

// Elements of the window 2 and 3 apart.
// CHECK-LABEL: func @dilated(
func.func @dilated(%x: tensor<2x7x9x3xf32>, %w: tensor<3x2x3x4xf32>) -> tensor<2x3x6x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {rhs_dilate = [2, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x9x3xf32>, tensor<3x2x3x4xf32>) -> tensor<2x3x6x4xf32>
  return %0 : tensor<2x3x6x4xf32>
}

// Elements of the input 3 and 2 apart.
// CHECK-LABEL: func @spread(
func.func @spread(%x: tensor<2x3x4x3xf32>, %w: tensor<2x3x3x4xf32>) -> tensor<2x6x5x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {lhs_dilate = [3, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x4x3xf32>, tensor<2x3x3x4xf32>) -> tensor<2x6x5x4xf32>
  return %0 : tensor<2x6x5x4xf32>
}

// CHECK-LABEL: func @all_at_once(
func.func @all_at_once(%x: tensor<2x4x5x3xf32>, %w: tensor<2x3x3x4xf32>) -> tensor<2x3x2x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 0], [0, 2]], lhs_dilate = [2, 1], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x5x3xf32>, tensor<2x3x3x4xf32>) -> tensor<2x3x2x4xf32>
  return %0 : tensor<2x3x2x4xf32>
}

// Windows that are read backwards in one of two dimensions, or both.
// CHECK-LABEL: func @reversed_first(
// CHECK: stablehlo.reverse %{{.*}}, dims = [0] :
func.func @reversed_first(%x: tensor<1x5x6x2xf32>, %w: tensor<2x3x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x6x2xf32>, tensor<2x3x2x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// CHECK-LABEL: func @reversed_second(
// CHECK: stablehlo.reverse %{{.*}}, dims = [1] :
func.func @reversed_second(%x: tensor<1x5x6x2xf32>, %w: tensor<2x3x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x6x2xf32>, tensor<2x3x2x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// CHECK-LABEL: func @reversed_both(
// CHECK: stablehlo.reverse %{{.*}}, dims = [0, 1] :
func.func @reversed_both(%x: tensor<1x5x6x2xf32>, %w: tensor<2x3x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x6x2xf32>, tensor<2x3x2x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// CHECK-LABEL: func @not_reversed(
// CHECK-NOT: stablehlo.reverse
// CHECK: return
func.func @not_reversed(%x: tensor<1x5x6x2xf32>, %w: tensor<2x3x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x6x2xf32>, tensor<2x3x2x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// Dimensions in other orders.
// CHECK-LABEL: func @other_orders(
func.func @other_orders(%x: tensor<3x6x2x5xf32>, %w: tensor<4x3x2x2xf32>) -> tensor<4x4x5x2xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [f, 1, b, 0]x[o, i, 1, 0]->[0, f, 1, b], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x6x2x5xf32>, tensor<4x3x2x2xf32>) -> tensor<4x4x5x2xf32>
  return %0 : tensor<4x4x5x2xf32>
}

// Channels apart, in two dimensions, each given twice.
// CHECK-LABEL: func @channels_apart(
// CHECK-NOT: stablehlo.dot_general
// CHECK: return
func.func @channels_apart(%x: tensor<2x5x7x3xf32>, %w: tensor<2x3x1x6xf32>) -> tensor<2x2x3x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], rhs_dilate = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<2x5x7x3xf32>, tensor<2x3x1x6xf32>) -> tensor<2x2x3x6xf32>
  return %0 : tensor<2x2x3x6xf32>
}

// CHECK-LABEL: func @channels_apart_unequal(
// CHECK-NOT: stablehlo.dot_general
// CHECK: return
func.func @channels_apart_unequal(%x: tensor<2x6x7x3xf32>, %w: tensor<2x3x1x3xf32>) -> tensor<2x4x1x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {rhs_dilate = [2, 3]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<2x6x7x3xf32>, tensor<2x3x1x3xf32>) -> tensor<2x4x1x3xf32>
  return %0 : tensor<2x4x1x3xf32>
}

// Groups of channels, and of the batch.
// CHECK-LABEL: func @groups_of_features(
// CHECK: stablehlo.dot_general
func.func @groups_of_features(%x: tensor<2x5x6x4xf32>, %w: tensor<2x3x2x6xf32>) -> tensor<2x4x4x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x5x6x4xf32>, tensor<2x3x2x6xf32>) -> tensor<2x4x4x6xf32>
  return %0 : tensor<2x4x4x6xf32>
}

// CHECK-LABEL: func @groups_of_the_batch(
// CHECK: stablehlo.dot_general
func.func @groups_of_the_batch(%x: tensor<4x5x6x3xf32>, %w: tensor<2x3x3x4xf32>) -> tensor<2x4x4x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x5x6x3xf32>, tensor<2x3x3x4xf32>) -> tensor<2x4x4x4xf32>
  return %0 : tensor<2x4x4x4xf32>
}

// Up to 64 shifted copies are written out.
// CHECK-LABEL: func @sixty_four(
// CHECK-COUNT-64: stablehlo.multiply
// CHECK-NOT: stablehlo.multiply
// CHECK: return
func.func @sixty_four(%x: tensor<1x66x2xf32>, %w: tensor<64x1x2xf32>) -> tensor<1x3x2xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x66x2xf32>, tensor<64x1x2xf32>) -> tensor<1x3x2xf32>
  return %0 : tensor<1x3x2xf32>
}

// CHECK-LABEL: func @sixty_five(
// CHECK-NOT: stablehlo.multiply
// CHECK: stablehlo.dot_general
func.func @sixty_five(%x: tensor<1x67x2xf32>, %w: tensor<65x1x2xf32>) -> tensor<1x3x2xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x67x2xf32>, tensor<65x1x2xf32>) -> tensor<1x3x2xf32>
  return %0 : tensor<1x3x2xf32>
}

// CHECK-LABEL: func @eight_by_eight(
// CHECK-COUNT-64: stablehlo.multiply
// CHECK-NOT: stablehlo.multiply
// CHECK: return
func.func @eight_by_eight(%x: tensor<1x9x9x2xf32>, %w: tensor<8x8x1x2xf32>) -> tensor<1x2x2x2xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x9x9x2xf32>, tensor<8x8x1x2xf32>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}

// CHECK-LABEL: func @nine_by_eight(
// CHECK-NOT: stablehlo.multiply
// CHECK: stablehlo.dot_general
func.func @nine_by_eight(%x: tensor<1x10x9x2xf32>, %w: tensor<9x8x1x2xf32>) -> tensor<1x2x2x2xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x10x9x2xf32>, tensor<9x8x1x2xf32>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}

// The same of windows; more are gathered.
// CHECK-LABEL: func @sixty_four_windows(
// CHECK-NOT: stablehlo.gather
// CHECK: stablehlo.concatenate
// CHECK: return
func.func @sixty_four_windows(%x: tensor<1x127x2xf32>, %w: tensor<64x2x3xf32>) -> tensor<1x64x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x127x2xf32>, tensor<64x2x3xf32>) -> tensor<1x64x3xf32>
  return %0 : tensor<1x64x3xf32>
}

// CHECK-LABEL: func @sixty_five_windows(
// CHECK: stablehlo.gather
// CHECK: return
func.func @sixty_five_windows(%x: tensor<1x129x2xf32>, %w: tensor<65x2x3xf32>) -> tensor<1x65x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x129x2xf32>, tensor<65x2x3xf32>) -> tensor<1x65x3xf32>
  return %0 : tensor<1x65x3xf32>
}

// CHECK-LABEL: func @many_dilated(
// CHECK: stablehlo.gather
// CHECK: return
func.func @many_dilated(%x: tensor<1x265x2xf32>, %w: tensor<66x2x3xf32>) -> tensor<1x68x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x265x2xf32>, tensor<66x2x3xf32>) -> tensor<1x68x3xf32>
  return %0 : tensor<1x68x3xf32>
}

// CHECK-LABEL: func @many_in_the_second(
// CHECK: stablehlo.gather
// CHECK: return
func.func @many_in_the_second(%x: tensor<1x3x265x2xf32>, %w: tensor<2x66x2x3xf32>) -> tensor<1x2x68x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x265x2xf32>, tensor<2x66x2x3xf32>) -> tensor<1x2x68x3xf32>
  return %0 : tensor<1x2x68x3xf32>
}

// Windows side by side, with a rest behind them.
// CHECK-LABEL: func @patches(
// CHECK-NOT: stablehlo.concatenate
// CHECK: return
func.func @patches(%x: tensor<1x8x2xf32>, %w: tensor<3x2x3xf32>) -> tensor<1x2x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x2xf32>, tensor<3x2x3xf32>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}

// CHECK-LABEL: func @patches_dilated(
// CHECK: stablehlo.concatenate
// CHECK: return
func.func @patches_dilated(%x: tensor<1x11x2xf32>, %w: tensor<3x2x3xf32>) -> tensor<1x3x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x11x2xf32>, tensor<3x2x3xf32>) -> tensor<1x3x3xf32>
  return %0 : tensor<1x3x3xf32>
}

// CHECK-LABEL: func @one_window(
// CHECK-NOT: stablehlo.concatenate
// CHECK: return
func.func @one_window(%x: tensor<1x3x2xf32>, %w: tensor<3x2x3xf32>) -> tensor<1x1x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x2xf32>, tensor<3x2x3xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

// Nothing is summed, or there is nothing.
// CHECK-LABEL: func @nothing_taken(
// CHECK: stablehlo.constant dense<0.000000e+00>
// CHECK: return
func.func @nothing_taken(%x: tensor<1x3x0xf32>, %w: tensor<2x0x3xf32>) -> tensor<1x2x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x0xf32>, tensor<2x0x3xf32>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}

// One element has nothing between it and the next, however far that is.
// CHECK-LABEL: func @one_element_spread(
// CHECK: return
func.func @one_element_spread(%x: tensor<2x1x3xf32>, %w: tensor<1x3x4xf32>) -> tensor<2x1x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [1152921504606846976]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x1x3xf32>, tensor<1x3x4xf32>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

// A result of one element, and one of none.
// CHECK-LABEL: func @one_result(
// CHECK: stablehlo.dot_general
func.func @one_result(%x: tensor<1x3x2xf32>, %w: tensor<3x2x1xf32>) -> tensor<1x1x1xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x2xf32>, tensor<3x2x1xf32>) -> tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}

// CHECK-LABEL: func @no_result(
// CHECK-NEXT: stablehlo.constant
// CHECK-NEXT: return
func.func @no_result(%x: tensor<1x2x2xf32>, %w: tensor<3x2x1xf32>) -> tensor<1x0x1xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2xf32>, tensor<3x2x1xf32>) -> tensor<1x0x1xf32>
  return %0 : tensor<1x0x1xf32>
}

// Padding on one side only.
// CHECK-LABEL: func @padded_behind(
// CHECK: stablehlo.pad %{{.*}}, low = [0, 0, 0], high = [0, 2, 0]
func.func @padded_behind(%x: tensor<2x5x3xf32>, %w: tensor<3x3x4xf32>) -> tensor<2x5x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[0, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x3xf32>, tensor<3x3x4xf32>) -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}

// As many windows as each has elements: a slice for every element.
// CHECK-LABEL: func @three_by_three(
// CHECK-COUNT-3: stablehlo.slice
// CHECK: stablehlo.concatenate {{.*}} dim = 2 :
func.func @three_by_three(%x: tensor<2x5x3xf32>, %w: tensor<3x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x3xf32>, tensor<3x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// The only place that a window of one element can take, whatever it moves by.
// CHECK-LABEL: func @one_place(
// CHECK-NOT: stablehlo.slice
// CHECK: return
func.func @one_place(%x: tensor<2x1x3xf32>, %w: tensor<1x3x4xf32>) -> tensor<2x1x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x1x3xf32>, tensor<1x3x4xf32>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}
