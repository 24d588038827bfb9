// RUN: boost-opt %s -split-input-file -boostrt-bufferize | FileCheck %s

// Parts of a joined tensor are computed where they belong if none writes where
// another one does.

#scalar = affine_map<(d0, d1) -> ()>
#id = affine_map<(d0, d1) -> (d0, d1)>

// Four parts around a fifth: no dimension keeps them all apart, each pair is.

// CHECK-LABEL: func.func @pinwheel(
// CHECK-NOT:     memref.alloc
// CHECK-COUNT-5: linalg.generic {{.*}} outs(%reinterpret_cast
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @pinwheel(%x: tensor<f32>) -> tensor<3x3xf32> {
  %ae = tensor.empty() : tensor<1x2xf32>
  %a = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<f32>) outs(%ae : tensor<1x2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.exp %i : f32
    linalg.yield %0 : f32
  } -> tensor<1x2xf32>
  %be = tensor.empty() : tensor<2x1xf32>
  %b = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<f32>) outs(%be : tensor<2x1xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.sin %i : f32
    linalg.yield %0 : f32
  } -> tensor<2x1xf32>
  %ce = tensor.empty() : tensor<1x2xf32>
  %c = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<f32>) outs(%ce : tensor<1x2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.cos %i : f32
    linalg.yield %0 : f32
  } -> tensor<1x2xf32>
  %de = tensor.empty() : tensor<2x1xf32>
  %d = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<f32>) outs(%de : tensor<2x1xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.tanh %i : f32
    linalg.yield %0 : f32
  } -> tensor<2x1xf32>
  %ee = tensor.empty() : tensor<1x1xf32>
  %e = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<f32>) outs(%ee : tensor<1x1xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.log %i : f32
    linalg.yield %0 : f32
  } -> tensor<1x1xf32>
  %w0 = tensor.empty() : tensor<3x3xf32>
  %w1 = tensor.insert_slice %a into %w0[0, 0] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<3x3xf32>
  %w2 = tensor.insert_slice %b into %w1[0, 2] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<3x3xf32>
  %w3 = tensor.insert_slice %c into %w2[2, 1] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<3x3xf32>
  %w4 = tensor.insert_slice %d into %w3[1, 0] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<3x3xf32>
  %w5 = tensor.insert_slice %e into %w4[1, 1] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<3x3xf32>
  return %w5 : tensor<3x3xf32>
}

// -----

// The third part is written over the end of the first and the begin of the
// second: it is computed elsewhere, and copied once they are there.

#scalar = affine_map<(d0, d1) -> ()>
#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @written_over(
// CHECK-COUNT-2: linalg.generic {{.*}} outs(%reinterpret_cast
// CHECK:         %[[THIRD:.*]] = memref.alloc() : memref<1x2xf32>
// CHECK:         linalg.generic {{.*}} outs(%[[THIRD]] :
// CHECK:           math.cos
// CHECK:         boostrt.copy ins(%[[THIRD]] :
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @written_over(%x: tensor<f32>) -> tensor<1x4xf32> {
  %ae = tensor.empty() : tensor<1x2xf32>
  %a = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<f32>) outs(%ae : tensor<1x2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.exp %i : f32
    linalg.yield %0 : f32
  } -> tensor<1x2xf32>
  %be = tensor.empty() : tensor<1x2xf32>
  %b = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<f32>) outs(%be : tensor<1x2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.sin %i : f32
    linalg.yield %0 : f32
  } -> tensor<1x2xf32>
  %ce = tensor.empty() : tensor<1x2xf32>
  %c = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<f32>) outs(%ce : tensor<1x2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.cos %i : f32
    linalg.yield %0 : f32
  } -> tensor<1x2xf32>
  %w0 = tensor.empty() : tensor<1x4xf32>
  %w1 = tensor.insert_slice %a into %w0[0, 0] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<1x4xf32>
  %w2 = tensor.insert_slice %b into %w1[0, 2] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<1x4xf32>
  %w3 = tensor.insert_slice %c into %w2[0, 1] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<1x4xf32>
  return %w3 : tensor<1x4xf32>
}

// -----

// Two joined tensors with equal first parts: each has parts of its own, so that
// none is copied from one that is not complete.

// CHECK-LABEL: func.func @equal_first_parts(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>, %[[Z:.*]]: memref<4xf32>, %[[A:.*]]: memref<12xf32>, %[[B:.*]]: memref<12xf32>, %[[C:.*]]: memref<12xf32>)
// CHECK-NOT:     memref<12xf32>)
// CHECK:         return
func.func @equal_first_parts(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>)
    -> (tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) {
  %e = tensor.empty() : tensor<12xf32>
  %0 = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<12xf32>
  %1 = tensor.insert_slice %y into %0[4] [4] [1] : tensor<4xf32> into tensor<12xf32>
  %2 = tensor.insert_slice %z into %0[4] [4] [1] : tensor<4xf32> into tensor<12xf32>
  %a = tensor.insert_slice %y into %1[8] [4] [1] : tensor<4xf32> into tensor<12xf32>
  %b = tensor.insert_slice %z into %1[8] [4] [1] : tensor<4xf32> into tensor<12xf32>
  %c = tensor.insert_slice %z into %2[8] [4] [1] : tensor<4xf32> into tensor<12xf32>
  return %a, %b, %c : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
}

// -----

// What is complete is copied where it is read again after parts of it are
// replaced.

// CHECK-LABEL: func.func @replaced_part(
// CHECK-SAME:    %{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>, %[[A:.*]]: memref<8xf32>, %[[B:.*]]: memref<8xf32>)
// CHECK:         boostrt.copy ins(%[[A]] : memref<8xf32>) outs(%[[B]] : memref<8xf32>)
// CHECK:         return
func.func @replaced_part(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %y into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %2 = tensor.insert_slice %x into %1[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A part that ranks sum up is summed where it belongs, too: nothing is copied.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @sums(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     boostrt.copy
// CHECK:         boostrt.all_reduce sum group 1
// CHECK-NOT:     boostrt.copy
// CHECK:         boostrt.all_reduce sum group 1
// CHECK-NOT:     boostrt.copy
// CHECK:         return
func.func @sums(%x: tensor<1x4xf32>) -> tensor<2x4xf32> {
  %ae = tensor.empty() : tensor<1x4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x4xf32>) outs(%ae : tensor<1x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.exp %i : f32
    linalg.yield %0 : f32
  } -> tensor<1x4xf32>
  %be = tensor.empty() : tensor<1x4xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x4xf32>) outs(%be : tensor<1x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.sin %i : f32
    linalg.yield %0 : f32
  } -> tensor<1x4xf32>
  %as = boostrt.all_reduce sum group 1 outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
  %bs = boostrt.all_reduce sum group 1 outs(%b : tensor<1x4xf32>) -> tensor<1x4xf32>
  %w0 = tensor.empty() : tensor<2x4xf32>
  %w1 = tensor.insert_slice %as into %w0[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
  %w2 = tensor.insert_slice %bs into %w1[1, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
  return %w2 : tensor<2x4xf32>
}
