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

// The position of a maximum that begins from nobody knows what: ranges cannot
// begin from there.
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

// The last element of which a condition holds, as a scatter has it: whether it
// is chosen does not follow from it.
// CHECK-LABEL: func.func @condition(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @condition(%x: tensor<4x4096xf32>, %c: tensor<4x4096xi1>, %v: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %c : tensor<4x4096xf32>, tensor<4x4096xi1>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %is: i1, %acc: f32):
    %n = arith.select %is, %in, %acc : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// The same, of which the position says so.
// CHECK-LABEL: func.func @every_other(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @every_other(%x: tensor<4x4096xf32>, %v: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %z = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x4096xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %j = linalg.index 1 : index
    %bit = arith.andi %j, %one : index
    %is = arith.cmpi eq, %bit, %one : index
    %n = arith.select %is, %in, %acc : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// What an output may become depends on what it is.
// CHECK-LABEL: func.func @growing(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @growing(%x: tensor<4x4096xf32>, %v: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x4096xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %grown = arith.addf %acc, %in : f32
    %less = arith.cmpf olt, %grown, %acc : f32
    %n = arith.select %less, %acc, %grown : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Two outputs become the same element: which of them a condition means, nobody knows.
// CHECK-LABEL: func.func @same_element(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @same_element(%x: tensor<4x4096xf32>, %v: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x4096xf32>) outs(%z, %z : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %most: f32, %least: f32):
    %more = arith.cmpf ogt, %in, %most : f32
    %less = arith.cmpf olt, %in, %least : f32
    %a = arith.select %more, %in, %most : f32
    %b = arith.select %less, %in, %least : f32
    linalg.yield %a, %b : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// A constant that a condition reads too: as the element, or as the number that it is.
// CHECK-LABEL: func.func @constant(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @constant(%x: tensor<4x4096xf32>, %v: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x4096xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %three = arith.constant 3.0 : f32
    %less = arith.cmpf olt, %acc, %three : f32
    %n = arith.select %less, %acc, %three : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A prime number of elements: what is behind the ranges would come first.
// CHECK-LABEL: func.func @prime_choices(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @prime_choices(%x: tensor<509x4xf32>, %v: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<509x4xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %less = arith.cmpf olt, %acc, %in : f32
    %n = arith.select %less, %in, %acc : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
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

// -----

// So few elements that not even one range is worth its while.
// CHECK-LABEL: func.func @three_rows(
// CHECK-NOT:     tensor.expand_shape
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @three_rows(%x: tensor<3x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
                       iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<3x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
