// RUN: boost-opt %s --boostrt-split-reductions="blocks=64 elements=256" --split-input-file | FileCheck %s
// RUN: boost-opt %s --boostrt-split-reductions="blocks=64 elements=1" --split-input-file | FileCheck %s --check-prefix=BLOCKS
// Where reductions begin to be split, and into how many chunks, on both sides of every bound.

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// A chunk is worth 256 elements: two of rows need 512.
// CHECK-LABEL: func.func @rows_of_511(
// BLOCKS-LABEL: func.func @rows_of_511(
// CHECK-NOT:     tensor.expand_shape
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @rows_of_511(%x: tensor<2x511xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x511xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// As many as are needed.
// CHECK-LABEL: func.func @rows_of_512(
// BLOCKS-LABEL: func.func @rows_of_512(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [2, 2, 256]
// CHECK:         return
// BLOCKS:         tensor.expand_shape %{{.*}} output_shape [2, 32, 16]
// BLOCKS:         return
func.func @rows_of_512(%x: tensor<2x512xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x512xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// Four chunks of a row.
// CHECK-LABEL: func.func @rows_of_1024(
// BLOCKS-LABEL: func.func @rows_of_1024(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [2, 4, 256]
// CHECK:         return
func.func @rows_of_1024(%x: tensor<2x1024xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x1024xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// 32 rows leave two blocks for each.
// CHECK-LABEL: func.func @of_32_rows(
// BLOCKS-LABEL: func.func @of_32_rows(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [32, 2, 512]
// CHECK:         return
func.func @of_32_rows(%x: tensor<32x1024xf32>, %init: tensor<32xf32>) -> tensor<32xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<32x1024xf32>) outs(%init : tensor<32xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// 33 do not.
// CHECK-LABEL: func.func @of_33_rows(
// BLOCKS-LABEL: func.func @of_33_rows(
// CHECK-NOT:     tensor.expand_shape
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
// BLOCKS-NOT:     tensor.expand_shape
// BLOCKS-COUNT-1: linalg.generic
// BLOCKS-NOT:     linalg.generic
// BLOCKS:         return
func.func @of_33_rows(%x: tensor<33x1024xf32>, %init: tensor<33xf32>) -> tensor<33xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<33x1024xf32>) outs(%init : tensor<33xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<33xf32>
  return %r : tensor<33xf32>
}

// Columns: 2 neighbors of 128 rows are worth a block.
// CHECK-LABEL: func.func @of_two_columns(
// BLOCKS-LABEL: func.func @of_two_columns(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [2, 128, 2]
// CHECK:         return
func.func @of_two_columns(%x: tensor<256x2xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<256x2xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// One row less is not.
// CHECK-LABEL: func.func @of_255_rows(
// BLOCKS-LABEL: func.func @of_255_rows(
// CHECK-NOT:     tensor.expand_shape
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @of_255_rows(%x: tensor<255x2xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<255x2xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// 64 neighbors: four rows are.
// CHECK-LABEL: func.func @of_8_rows(
// BLOCKS-LABEL: func.func @of_8_rows(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [2, 4, 64]
// CHECK:         return
// BLOCKS:         linalg.generic
// BLOCKS:         ins(%{{.*}} : tensor<8x64xf32>) outs(%{{.*}} : tensor<8x64xf32>)
func.func @of_8_rows(%x: tensor<8x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<8x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// 65 columns are two blocks: 32 chunks of rows are left.
// CHECK-LABEL: func.func @of_65_columns(
// BLOCKS-LABEL: func.func @of_65_columns(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [16, 4, 65]
// CHECK:         return
// BLOCKS:         tensor.expand_shape %{{.*}} output_shape [32, 2, 65]
// BLOCKS:         return
func.func @of_65_columns(%x: tensor<64x65xf32>, %init: tensor<65xf32>) -> tensor<65xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<64x65xf32>) outs(%init : tensor<65xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<65xf32>
  return %r : tensor<65xf32>
}

// A divisor that is half of what is wanted is taken, though nothing is left over by 31 chunks of 19.
// CHECK-LABEL: func.func @half_as_many(
// BLOCKS-LABEL: func.func @half_as_many(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [16, 37, 100]
// CHECK:         return
func.func @half_as_many(%x: tensor<592x100xf32>, %init: tensor<100xf32>) -> tensor<100xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<592x100xf32>) outs(%init : tensor<100xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<100xf32>
  return %r : tensor<100xf32>
}

// One that is less is not.
// CHECK-LABEL: func.func @less_than_half(
// BLOCKS-LABEL: func.func @less_than_half(
// CHECK:         tensor.extract_slice %{{.*}}[0, 0] [589, 100]
// CHECK:         tensor.expand_shape %{{.*}} output_shape [31, 19, 100]
// CHECK:         tensor.extract_slice %{{.*}}[589, 0] [1, 100]
// CHECK:         return
func.func @less_than_half(%x: tensor<590x100xf32>, %init: tensor<100xf32>) -> tensor<100xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<590x100xf32>) outs(%init : tensor<100xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<100xf32>
  return %r : tensor<100xf32>
}

// The first loop is kept, a part of the second is left.
// CHECK-LABEL: func.func @kept_and_split(
// BLOCKS-LABEL: func.func @kept_and_split(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [4, 16, 4, 64]
// CHECK:         return
func.func @kept_and_split(%x: tensor<4x64x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k)>], iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%x : tensor<4x64x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// As many iterations as chunks are wanted: the loop is kept, and the next stays.
// CHECK-LABEL: func.func @kept_alone(
// BLOCKS-LABEL: func.func @kept_alone(
// CHECK-NOT:     tensor.expand_shape
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME:      outs(%{{.*}} : tensor<64x64xf32>)
// CHECK:         return
func.func @kept_alone(%x: tensor<64x4x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k)>], iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%x : tensor<64x4x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// A loop of one iteration is neither.
// CHECK-LABEL: func.func @of_one(
// BLOCKS-LABEL: func.func @of_one(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [1, 64, 8, 64]
// CHECK:         linalg.fill {{.*}}outs(%{{.*}} : tensor<64x64xf32>)
// CHECK:         return
func.func @of_one(%x: tensor<1x512x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k)>], iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%x : tensor<1x512x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// The loop that walks through memory the slowest is split, wherever it stands.
// CHECK-LABEL: func.func @slowest_first(
// BLOCKS-LABEL: func.func @slowest_first(
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.*}} : tensor<64xf32>)
// CHECK:         return
func.func @slowest_first(%x: tensor<64x512xf32>, %init: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<64x512xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// Integers of any width are exact.
// CHECK-LABEL: func.func @bytes(
// BLOCKS-LABEL: func.func @bytes(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [2, 4, 64]
// CHECK:         return
func.func @bytes(%x: tensor<8x64xi8>, %init: tensor<64xi8>) -> tensor<64xi8> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<8x64xi8>) outs(%init : tensor<64xi8>) {
  ^bb0(%in: i8, %acc: i8):
    %n = arith.addi %acc, %in : i8
    linalg.yield %n : i8
  } -> tensor<64xi8>
  return %r : tensor<64xi8>
}

// Floats of 16 bits are not.
// CHECK-LABEL: func.func @halves(
// BLOCKS-LABEL: func.func @halves(
// CHECK-NOT:     tensor.expand_shape
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @halves(%x: tensor<8x64xf16>, %init: tensor<64xf16>) -> tensor<64xf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<8x64xf16>) outs(%init : tensor<64xf16>) {
  ^bb0(%in: f16, %acc: f16):
    %n = arith.addf %acc, %in : f16
    linalg.yield %n : f16
  } -> tensor<64xf16>
  return %r : tensor<64xf16>
}

// Those of 64 are as exact as the result.
// CHECK-LABEL: func.func @doubles(
// BLOCKS-LABEL: func.func @doubles(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [2, 4, 64]
// CHECK:         return
func.func @doubles(%x: tensor<8x64xf64>, %init: tensor<64xf64>) -> tensor<64xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<8x64xf64>) outs(%init : tensor<64xf64>) {
  ^bb0(%in: f64, %acc: f64):
    %n = arith.addf %acc, %in : f64
    linalg.yield %n : f64
  } -> tensor<64xf64>
  return %r : tensor<64xf64>
}

// No elements.
// CHECK-LABEL: func.func @nothing(
// BLOCKS-LABEL: func.func @nothing(
// CHECK-NOT:     tensor.expand_shape
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @nothing(%x: tensor<0x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<0x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// No results.
// CHECK-LABEL: func.func @no_results(
// BLOCKS-LABEL: func.func @no_results(
// CHECK-NOT:     tensor.expand_shape
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @no_results(%x: tensor<4096x0xf32>, %init: tensor<0xf32>) -> tensor<0xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4096x0xf32>) outs(%init : tensor<0xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// The loop is two dimensions of the input at once.
// CHECK-LABEL: func.func @diagonal(
// BLOCKS-LABEL: func.func @diagonal(
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
func.func @diagonal(%x: tensor<1024x1024xf32>, %init: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<1024x1024xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// Of several inputs the one counts that a loop walks through the slowest: elements of a row of the first are nearest.
// CHECK-LABEL: func.func @transposed(
// BLOCKS-LABEL: func.func @transposed(
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
func.func @transposed(%x: tensor<64x1024xf32>, %y: tensor<1024x64xf32>, %s: f32, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [#all, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> ()>, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y, %s : tensor<64x1024xf32>, tensor<1024x64xf32>, f32) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %other: f32, %scale: f32, %acc: f32):
    %p = arith.mulf %in, %other : f32
    %q = arith.mulf %p, %scale : f32
    %n = arith.addf %acc, %q : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
