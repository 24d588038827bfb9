// RUN: boost-opt %s --boostrt-split-reductions | FileCheck %s

// How many ranges a selection gets. A thread computes a result of it, not a block.

#all = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Too few elements for a thread to share.
// CHECK-LABEL: func.func @few(
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
func.func @few(%x: tensor<127x4xf32>, %v: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<127x4xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %less = arith.cmpf olt, %acc, %in : f32
    %n = arith.select %less, %in, %acc : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// The same with some more, which both stages have about as many of.
// CHECK-LABEL: func.func @enough(
// CHECK:         tensor.expand_shape {{.*}} output_shape [12, 12, 4]
// CHECK:         return
func.func @enough(%x: tensor<144x4xf32>, %v: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<144x4xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %less = arith.cmpf olt, %acc, %in : f32
    %n = arith.select %less, %in, %acc : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Results that keep half of the device busy make two ranges each.
// CHECK-LABEL: func.func @many(
// CHECK:         tensor.expand_shape {{.*}} output_shape [2, 2048, 32768]
// CHECK:         return
func.func @many(%x: tensor<4096x32768xf32>, %v: tensor<32768xf32>) -> tensor<32768xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%v : tensor<32768xf32>) -> tensor<32768xf32>
  %r = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4096x32768xf32>) outs(%z : tensor<32768xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %less = arith.cmpf olt, %acc, %in : f32
    %n = arith.select %less, %in, %acc : f32
    linalg.yield %n : f32
  } -> tensor<32768xf32>
  return %r : tensor<32768xf32>
}

// Two loops: the first one has partial results, though the second is the slower one in
// memory, so that the order of the elements stays.
// CHECK-LABEL: func.func @order(
// CHECK-NOT:     tensor.expand_shape
// CHECK:         tensor.empty() : tensor<32x4xf32>
// CHECK:         return
func.func @order(%x: tensor<64x32x4xf32>, %v: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, i, k)>, affine_map<(i, j, k) -> (k)>],
                       iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%x : tensor<64x32x4xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %less = arith.cmpf olt, %acc, %in : f32
    %n = arith.select %less, %in, %acc : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
