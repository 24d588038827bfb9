// RUN: boost-opt %s -boostrt-accumulate-products -split-input-file | FileCheck %s
// Sums that stay kernels: what they add to would have to be copied, or they are not sums of products.

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// The residual stream is kept for the backward pass.

// CHECK-LABEL: func @read_later
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @read_later(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}, !t {boost.tensor = #boost.tensor<output "r">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  %r = linalg.exp ins(%y : !t) outs(%e : !t) -> !t
  return %s, %r : !t, !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// So it is by another shape, or as a part.

// CHECK-LABEL: func @part_read_later
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @part_read_later(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}, tensor<4xf32> {boost.tensor = #boost.tensor<output "r">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  %c = tensor.collapse_shape %y [[0, 1]] : !t into tensor<16xf32>
  %r = tensor.extract_slice %c[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
  return %s, %r : !t, tensor<4xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// The product reads what it would add to.

// CHECK-LABEL: func @factor
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @factor(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%y, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  return %s : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// It is computed behind the product.

// CHECK-LABEL: func @computed_later
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @computed_later(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  return %s : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// An argument that the sum does not replace.

// CHECK-LABEL: func @argument
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @argument(%x: !t, %w: !t, %y: !t {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  return %s : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// An argument that another value replaces.

// CHECK-LABEL: func @other_argument
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @other_argument(%x: !t, %w: !t, %y: !t {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) -> (!t {boost.tensor = #boost.tensor<output "s">}, !t {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
  %e = tensor.empty() : !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  return %s, %x : !t, !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// A constant.

// CHECK-LABEL: func @constant
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @constant(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %y = arith.constant dense<1.0> : !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  return %s : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// A part of a larger tensor.

// CHECK-LABEL: func @part
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @part(%x: !t, %w: !t, %large: tensor<4x8xf32>) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %f = tensor.empty() : tensor<4x8xf32>
  %z = linalg.exp ins(%large : tensor<4x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = tensor.extract_slice %z[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  return %s : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// The sum is computed in its part of a joined tensor.

// CHECK-LABEL: func @joined
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @joined(%x: !t, %w: !t) -> (tensor<4x8xf32> {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  %f = tensor.empty() : tensor<4x8xf32>
  %i = tensor.insert_slice %s into %f[0, 0] [4, 4] [1, 1] : !t into tensor<4x8xf32>
  %j = tensor.insert_slice %x into %i[0, 4] [4, 4] [1, 1] : !t into tensor<4x8xf32>
  return %j : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// Something else reads the product.

// CHECK-LABEL: func @product_read_twice
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @product_read_twice(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}, !t {boost.tensor = #boost.tensor<output "r">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  %r = linalg.exp ins(%p : !t) outs(%e : !t) -> !t
  return %s, %r : !t, !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// Two that are not products.

// CHECK-LABEL: func @two_addends
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @two_addends(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %z = linalg.exp ins(%w : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y, %z : !t, !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %ab = arith.addf %a, %b : f32
    %sum = arith.addf %ab, %c : f32
    linalg.yield %sum : f32
  } -> !t
  return %s : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// The kernel does more.

// CHECK-LABEL: func @more
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @more(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    %root = math.sqrt %sum : f32
    linalg.yield %root : f32
  } -> !t
  return %s : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// A difference.

// CHECK-LABEL: func @difference
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @difference(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.subf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  return %s : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// The product twice.

// CHECK-LABEL: func @twice
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @twice(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    %both = arith.addf %sum, %a : f32
    linalg.yield %both : f32
  } -> !t
  return %s : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// The transposed product.

// CHECK-LABEL: func @transposed
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @transposed(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  return %s : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// The sum is rounded to a narrower type than that of the product.

// CHECK-LABEL: func @narrow
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @narrow(%x: !t, %w: !t, %n: tensor<4x4xbf16>) -> (tensor<4x4xbf16> {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %f = tensor.empty() : tensor<4x4xbf16>
  %y = linalg.exp ins(%n : tensor<4x4xbf16>) outs(%f : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, tensor<4x4xbf16>) outs(%f : tensor<4x4xbf16>) {
  ^bb0(%a: f32, %b: bf16, %out: bf16):
    %wide = arith.extf %b : bf16 to f32
    %sum = arith.addf %a, %wide : f32
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<4x4xbf16>
  return %s : tensor<4x4xbf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>
!n = tensor<4x4xbf16>

// What it adds to is narrower than the sum.

// CHECK-LABEL: func @narrow_addend
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @narrow_addend(%x: !t, %w: !t, %v: !n) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %en = tensor.empty() : !n
  %y = linalg.exp ins(%v : !n) outs(%en : !n) -> !n
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !n) outs(%e : !t) {
  ^bb0(%a: f32, %b: bf16, %out: f32):
    %wide = arith.extf %b : bf16 to f32
    %sum = arith.addf %a, %wide : f32
    linalg.yield %sum : f32
  } -> !t
  return %s : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// A number that is no element of an input, in place of the second one.

// CHECK-LABEL: func @number
// CHECK-NOT:     accumulate
// CHECK:         linalg.generic
func.func @number(%c: f32, %x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %c : f32
    linalg.yield %sum : f32
  } -> !t
  return %s : !t
}
