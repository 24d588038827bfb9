// RUN: boost-opt %s --boostrt-split-reductions="blocks=64 elements=256" --split-input-file | FileCheck %s --implicit-check-not=tensor.expand_shape --implicit-check-not=tensor.empty

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// As many results as keep the device busy.
// CHECK-LABEL: func.func @many(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @many(%x: tensor<512x4096xf32>, %init: tensor<4096xf32>) -> tensor<4096xf32> {
  %r = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<512x4096xf32>) outs(%init : tensor<4096xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}

// Too few elements to be worth it.
// CHECK-LABEL: func.func @few(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @few(%x: tensor<7x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<7x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// The position of a maximum: nothing joins two of them one by one.
// CHECK-LABEL: func.func @position(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @position(%x: tensor<4x4096xf32>, %v: tensor<4xf32>, %p: tensor<4xi32>) -> tensor<4xi32> {
  %r:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x4096xf32>) outs(%v, %p : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%in: f32, %best: f32, %at: i32):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i32
    %more = arith.cmpf ogt, %in, %best : f32
    %value = arith.select %more, %in, %best : f32
    %place = arith.select %more, %here, %at : i32
    linalg.yield %value, %place : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  return %r#1 : tensor<4xi32>
}

// Partial sums in bf16 would be rounded.
// CHECK-LABEL: func.func @narrow(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @narrow(%x: tensor<4096x64xbf16>, %init: tensor<64xbf16>) -> tensor<64xbf16> {
  %r = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4096x64xbf16>) outs(%init : tensor<64xbf16>) {
  ^bb0(%in: bf16, %acc: bf16):
    %n = arith.addf %acc, %in : bf16
    linalg.yield %n : bf16
  } -> tensor<64xbf16>
  return %r : tensor<64xbf16>
}

// Windows: no dimension of the input is the reduced loop.
// CHECK-LABEL: func.func @windows(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @windows(%x: tensor<4103xf32>, %w: tensor<4096xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, #row],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<4103xf32>, tensor<4096xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %weight: f32, %acc: f32):
    %p = arith.mulf %in, %weight : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// On memrefs it is too late.
// CHECK-LABEL: func.func @memrefs(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @memrefs(%x: memref<4096x64xf32>, %init: memref<64xf32>) {
  linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<4096x64xf32>) outs(%init : memref<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  }
  return
}
