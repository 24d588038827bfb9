// RUN: boost-opt %s --boostrt-split-reductions | FileCheck %s
// Sums of columns beside kernels that work on the rows.

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// A kernel scales the rows, whose columns are summed: there is a sum for each of 512 chunks of 8 rows, so that a block of
// threads can do both. The second stage, and what needs it, come after the kernel, before the next call.
// CHECK-LABEL: func.func @beside_a_kernel(
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [512, 8, 256]
// CHECK:         linalg.generic {{.*}}["parallel", "parallel", "reduction"]{{.*}} outs(%{{.*}} : tensor<512x256xf32>)
// CHECK:         arith.mulf
// CHECK:         -> tensor<4096x256xf32>
// CHECK:         linalg.generic {{.*}}["reduction", "parallel"]{{.*}} ins(%{{.*}} : tensor<512x256xf32>)
// CHECK:         arith.truncf
// CHECK:         boostrt.all_reduce
func.func @beside_a_kernel(%x: tensor<4096x256xf32>, %r: tensor<4096xf32>, %init: tensor<256xf32>)
    -> (tensor<256xbf16>, tensor<4096x256xf32>) {
  %b = tensor.empty() : tensor<256xbf16>
  %e = tensor.empty() : tensor<4096x256xf32>
  %s = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4096x256xf32>) outs(%init : tensor<256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.addf %a, %o : f32
    linalg.yield %v : f32
  } -> tensor<256xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> (j)>], iterator_types = ["parallel"]} ins(%s : tensor<256xf32>) outs(%b : tensor<256xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %v = arith.truncf %a : f32 to bf16
    linalg.yield %v : bf16
  } -> tensor<256xbf16>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %r : tensor<4096x256xf32>, tensor<4096xf32>) outs(%e : tensor<4096x256xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %v = arith.mulf %a, %c : f32
    linalg.yield %v : f32
  } -> tensor<4096x256xf32>
  %z = boostrt.all_reduce sum group 2 outs(%y : tensor<4096x256xf32>) -> tensor<4096x256xf32>
  return %n, %z : tensor<256xbf16>, tensor<4096x256xf32>
}

// Nothing else reads the rows: there are as many partial sums as occupy the GPU.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT:     512
// CHECK:         return
func.func @alone(%x: tensor<4096x256xf32>, %init: tensor<256xf32>) -> tensor<256xf32> {
  %s = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4096x256xf32>) outs(%init : tensor<256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.addf %a, %o : f32
    linalg.yield %v : f32
  } -> tensor<256xf32>
  return %s : tensor<256xf32>
}

// Another phase has the kernel.
// CHECK-LABEL: func.func @phases(
// CHECK-NOT:     512
// CHECK:         return
func.func @phases(%x: tensor<4096x256xf32>, %r: tensor<4096xf32>, %init: tensor<256xf32>)
    -> (tensor<256xf32>, tensor<4096x256xf32>) {
  %e = tensor.empty() : tensor<4096x256xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %r : tensor<4096x256xf32>, tensor<4096xf32>) outs(%e : tensor<4096x256xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %v = arith.mulf %a, %c : f32
    linalg.yield %v : f32
  } -> tensor<4096x256xf32>
  boost.phase backward
  %s = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4096x256xf32>) outs(%init : tensor<256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.addf %a, %o : f32
    linalg.yield %v : f32
  } -> tensor<256xf32>
  return %s, %y : tensor<256xf32>, tensor<4096x256xf32>
}

// With 1,024 rows, too few blocks of threads would have some.
// CHECK-LABEL: func.func @few_rows(
// CHECK-NOT:     [128, 8, 256]
// CHECK:         return
func.func @few_rows(%x: tensor<1024x256xf32>, %r: tensor<1024xf32>, %init: tensor<256xf32>)
    -> (tensor<256xf32>, tensor<1024x256xf32>) {
  %e = tensor.empty() : tensor<1024x256xf32>
  %s = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<1024x256xf32>) outs(%init : tensor<256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.addf %a, %o : f32
    linalg.yield %v : f32
  } -> tensor<256xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %r : tensor<1024x256xf32>, tensor<1024xf32>) outs(%e : tensor<1024x256xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %v = arith.mulf %a, %c : f32
    linalg.yield %v : f32
  } -> tensor<1024x256xf32>
  return %s, %y : tensor<256xf32>, tensor<1024x256xf32>
}
