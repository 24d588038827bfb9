// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Convolutions, choices in windows and systems that do not fit are refused.

func.func @conv_c1(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xbf16>) {
  // expected-error@+1 {{expects operands of one element type, but got 'f32' and 'bf16'}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xbf16>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_c2(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects 'b', 'f' and numbers, each once, but got 'o'}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, o]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_letter_twice(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects 'b', 'f' and numbers, each once, but got 'b'}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, b, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_letter_missing(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects 'b' and 'f'}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_number_missing(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects the numbers from 0 to 0, each once}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 1, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_number_counts(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects as many window dimensions of the kernel and the result as of the input, 1}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, 1, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_rank(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects an input of rank 4 by the dimension numbers, but got 'tensor<2x10x6xf32>'}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_kernel_rank(%x: tensor<2x10x6xf32>, %w: tensor<3x6xf32>) {
  // expected-error@+1 {{expects a kernel of rank 3 by the dimension numbers, but got 'tensor<3x6xf32>'}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_strides(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects a positive entry of 'window_strides' in dimension 0, but got 0}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_dilation(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects one entry of 'rhs_dilation' per dimension, but got 2 for rank 1}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_base_dilation(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects a positive entry of 'lhs_dilation' in dimension 0, but got -1}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [-1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_padding(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects padding of shape 1x2, but got 'tensor<2x2xi64>'}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_reversal(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects one entry of 'window_reversal' per dimension, but got 0 for rank 1}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_reversal_word(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects 'true' or 'false'}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_window_key(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{'turn' is nothing that a window has}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], turn = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_empty_kernel(%x: tensor<2x10x6xf32>, %w: tensor<0x6x4xf32>) {
  // expected-error@+1 {{expects a kernel of at least one element along window dimension 0, but got 'tensor<0x6x4xf32>'}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<0x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_overflow(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects a window and a padded input of fewer than 2^63 elements in dimension 0}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[9223372036854775807, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_groups(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects positive group counts, one of them 1, but got 2 groups of features and 2 of the batch}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_no_batch_group(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects positive group counts, one of them 1, but got 1 groups of features and 0 of the batch}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 0 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_no_group(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects positive group counts, one of them 1, but got 0 groups of features and 1 of the batch}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 0 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_features(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects a kernel that takes 6 / 2 features, but got 6}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

// Two groups of 7 features: one would be left over.
func.func @conv_features_left_over(%x: tensor<2x10x7xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error@+1 {{expects a kernel that takes 7 / 2 features, but got 3}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x10x7xf32>, tensor<3x3x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_made(%x: tensor<2x10x6xf32>, %w: tensor<3x2x4xf32>) {
  // expected-error@+1 {{expects a kernel that gives a multiple of 3 features, but got 4}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<2x10x6xf32>, tensor<3x2x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_batch(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects a batch that is a multiple of 4, but got 2}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @conv_result(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects a result of type 'tensor<2x8x4xf32>', but got 'tensor<2x10x4xf32>'}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x10x4xf32>
  return
}

// -----

func.func @conv_kinds(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects floats of floats and integers of integers, but got 'i32' of 'f32'}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xi32>
  return
}

// -----

func.func @conv_precision(%x: tensor<2x10x6xf32>, %w: tensor<3x6x4xf32>) {
  // expected-error@+1 {{expects a precision for each of 2 operands, but got 1}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>]} : (tensor<2x10x6xf32>, tensor<3x6x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @select_window(%x: tensor<4x8xf32>, %s: tensor<4x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{expects a positive entry of 'window_dimensions' in dimension 1, but got 0}}
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 1, 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @select_strides(%x: tensor<4x8xf32>, %s: tensor<4x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{expects one entry of 'window_strides' per dimension, but got 1 for rank 2}}
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @select_padding(%x: tensor<4x8xf32>, %s: tensor<4x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{expects padding of shape 2x2, but got 'tensor<1x2xi64>'}}
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) <{padding = dense<0> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @select_source(%x: tensor<4x8xf32>, %s: tensor<4x8xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{expects a source of type 'tensor<4x4xf32>', but got 'tensor<4x8xf32>'}}
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @select_init(%x: tensor<4x8xf32>, %s: tensor<4x4xf32>, %z: tensor<i32>) {
  // expected-error@+1 {{expects an initial value of type 'tensor<f32>', but got 'tensor<i32>'}}
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<i32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @select_result(%x: tensor<4x8xf32>, %s: tensor<4x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{expects a result of type 'tensor<4x8xf32>', but got 'tensor<4x4xf32>'}}
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @select_selection(%x: tensor<4x8xf32>, %s: tensor<4x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{expects the selection to return ('tensor<i1>'), but got ('tensor<f32>')}}
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-note@+1 {{returned here}}
    stablehlo.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @select_combination(%x: tensor<4x8xf32>, %s: tensor<4x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{expects the combination to take ('tensor<f32>', 'tensor<f32>'), but got ('tensor<f32>')}}
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @solve_types(%a: tensor<4x4xf32>, %b: tensor<4x3xf64>) {
  // expected-error@+1 {{expects operands of one element type, but got 'f32' and 'f64'}}
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf64>) -> tensor<4x3xf64>
  return
}

// -----

func.func @solve_square(%a: tensor<4x5xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+1 {{expects square matrices, but got 'tensor<4x5xf32>'}}
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x5xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @solve_rank(%a: tensor<4xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+1 {{expects square matrices, but got 'tensor<4xf32>'}}
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @solve_batch(%a: tensor<2x4x4xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+1 {{expects right sides with the batch of 'tensor<2x4x4xf32>', but got 'tensor<4x3xf32>'}}
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @solve_rows(%a: tensor<4x4xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{expects 4 rows on the right side, but got 3}}
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @solve_columns(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+1 {{expects 4 columns on the right side, but got 3}}
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @solve_transpose(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+1 {{expects 'transpose_a' to be NO_TRANSPOSE, TRANSPOSE or ADJOINT, but got TRANSPOSE_INVALID}}
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}
