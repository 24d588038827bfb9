// RUN: boost-opt %s --boost-expand-convolution -split-input-file -verify-diagnostics
// RUN: not boost-opt %s --boost-expand-convolution -split-input-file > /dev/null 2>&1
// Windows that no memory holds are refused before they are written out.

func.func @windows(%x: tensor<1x1125899906842624x1xi8>, %w: tensor<1048576x1x1xi8>) {
  // expected-error@+2 {{expects a padded input and windows of at most 2^53 bytes}}
  // expected-note@+1 {{convolve in parts}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1125899906842624x1xi8>, tensor<1048576x1x1xi8>) -> tensor<1x1125899905794049x1xi8>
  return
}

// -----

func.func @padding(%x: tensor<1x2x1xi8>, %w: tensor<1x1x1xi8>) {
  // expected-error@+2 {{expects a padded input and windows of at most 2^53 bytes}}
  // expected-note@+1 {{convolve in parts}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [4611686018427387904], pad = [[4611686018427387904, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xi8>, tensor<1x1x1xi8>) -> tensor<1x2x1xi8>
  return
}

// -----

func.func @spread(%x: tensor<1x3x1xi8>, %w: tensor<1x1x1xi8>) {
  // expected-error@+2 {{expects a padded input and windows of at most 2^53 bytes}}
  // expected-note@+1 {{convolve in parts}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1152921504606846976], lhs_dilate = [1152921504606846976]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xi8>, tensor<1x1x1xi8>) -> tensor<1x3x1xi8>
  return
}

// -----

func.func @padding_of_one_window(%x: tensor<1x1x1xi8>, %w: tensor<1x1x1xi8>) {
  // expected-error@+2 {{expects a padded input and windows of at most 2^53 bytes}}
  // expected-note@+1 {{convolve in parts}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2305843009213693952], pad = [[1152921504606846976, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x1xi8>, tensor<1x1x1xi8>) -> tensor<1x1x1xi8>
  return
}

// -----

// 2^50 elements of 64 bits are not too many.
func.func @largest(%x: tensor<1x1125899906842624x1xi8>, %w: tensor<1x1x1xi8>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1125899906842624x1xi8>, tensor<1x1x1xi8>) -> tensor<1x1125899906842624x1xi8>
  return
}

// -----

func.func @too_large(%x: tensor<1x1125899906842624x1xi8>, %w: tensor<1x1x1xi8>) {
  // expected-error@+2 {{expects a padded input and windows of at most 2^53 bytes}}
  // expected-note@+1 {{convolve in parts}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1125899906842624x1xi8>, tensor<1x1x1xi8>) -> tensor<1x1125899906842625x1xi8>
  return
}

// -----

// Windows of nothing are not written out.
func.func @nothing(%x: tensor<0x1125899906842624x1xi8>, %w: tensor<1048576x1x1xi8>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<0x1125899906842624x1xi8>, tensor<1048576x1x1xi8>) -> tensor<0x1125899905794049x1xi8>
  return
}
