// RUN: boost-opt %s --boostrt-fuse-elementwise | FileCheck %s
// Costly arithmetic that a sum and a kernel read is computed once: an exponential costs more than to read a number.

#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @sum_and_kernel(
// CHECK-COUNT-1: math.exp
// CHECK-NOT:     math.exp
// CHECK:         return
func.func @sum_and_kernel(%t: tensor<4x4xbf16>, %i: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x4xbf16>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %n = tensor.empty() : tensor<4x4xbf16>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xbf16>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %w = arith.extf %a : bf16 to f32
    %v = math.exp %w : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%c: f32, %o: f32):
    %v = arith.addf %c, %o : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %s : tensor<4x4xf32>, tensor<4xf32>) outs(%n : tensor<4x4xbf16>) {
  ^bb0(%c: f32, %r: f32, %o: bf16):
    %q = arith.mulf %c, %r : f32
    %v = arith.truncf %q : f32 to bf16
    linalg.yield %v : bf16
  } -> tensor<4x4xbf16>
  return %s, %d : tensor<4xf32>, tensor<4x4xbf16>
}

// A link of a chain is computed once, in one kernel with those that read it.
// CHECK-LABEL: func.func @link(
// CHECK-COUNT-1: math.exp
// CHECK-NOT:     math.exp
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @link(%t: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.sqrt %a : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %n : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.addf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}

// What is widened for several readers stays narrow in memory: the widening moves into the readers, not what it widens into
// the widening.
// CHECK-LABEL: func.func @widened_for_several(
// CHECK:         math.exp
// CHECK-NOT:     arith.extf
// CHECK:         -> tensor<4x4xbf16>
// CHECK:         arith.extf
// CHECK:         -> tensor<4xf32>
// CHECK:         arith.extf
// CHECK:         -> tensor<4x4xbf16>
// CHECK:         return
func.func @widened_for_several(%t: tensor<4x4xbf16>, %i: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x4xbf16>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %n = tensor.empty() : tensor<4x4xbf16>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xbf16>) outs(%n : tensor<4x4xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %v = math.exp %a : bf16
    linalg.yield %v : bf16
  } -> tensor<4x4xbf16>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<4x4xbf16>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %v = arith.extf %a : bf16 to f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<4x4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%c: f32, %o: f32):
    %v = arith.addf %c, %o : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<4x4xf32>, tensor<4xf32>) outs(%n : tensor<4x4xbf16>) {
  ^bb0(%c: f32, %r: f32, %o: bf16):
    %q = arith.mulf %c, %r : f32
    %v = arith.truncf %q : f32 to bf16
    linalg.yield %v : bf16
  } -> tensor<4x4xbf16>
  return %s, %d : tensor<4xf32>, tensor<4x4xbf16>
}

// With one reader, all become one kernel; a caller that wants the widened values gets them from the kernel that computes
// them.
// CHECK-LABEL: func.func @widened_for_one(
// CHECK:         math.exp
// CHECK-NEXT:    arith.extf
// CHECK:         -> (tensor<4x4xf32>, tensor<4x4xf32>)
// CHECK-NEXT:    return
func.func @widened_for_one(%t: tensor<4x4xbf16>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %n = tensor.empty() : tensor<4x4xbf16>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xbf16>) outs(%n : tensor<4x4xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %v = math.exp %a : bf16
    linalg.yield %v : bf16
  } -> tensor<4x4xbf16>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<4x4xbf16>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %v = arith.extf %a : bf16 to f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%c: f32, %o: f32):
    %v = arith.negf %c : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  return %w, %d : tensor<4x4xf32>, tensor<4x4xf32>
}
