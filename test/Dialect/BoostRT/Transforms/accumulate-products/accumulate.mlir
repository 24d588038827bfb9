// RUN: boost-opt %s -boostrt-accumulate-products -split-input-file | FileCheck %s
// RUN: boost-opt %s -boostrt-accumulate-products -boostrt-bufferize -split-input-file | FileCheck %s --check-prefix=MEMORY
// Sums of products that nothing has to be copied for.

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// The residual stream is not read behind the sum.

// CHECK-LABEL: func @residual
// CHECK:         %[[Y:.*]] = linalg.exp
// CHECK-NEXT:    linalg.exp ins(%[[Y]] :
// CHECK-NEXT:    %[[S:.*]] = boostrt.gemm ins(%{{[^ ]*}}, %{{[^ ]*}} :
// CHECK-SAME:      outs(%[[Y]] : tensor<4x4xf32>) {accumulate, batch = 1 : i64, boost.component = "forward", k = 4 : i64
// CHECK-NEXT:    linalg.exp ins(%[[S]] :
// CHECK-NOT:     linalg.generic
// MEMORY-LABEL: func @residual
// MEMORY:         linalg.exp {{.*}} outs(%[[M:.*]] :
// MEMORY:         boostrt.gemm {{.*}} outs(%[[M]] :
// MEMORY-NOT:     boostrt.copy
func.func @residual(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %h = linalg.exp ins(%y : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%h, %w : !t, !t) outs(%e : !t)
      {batch = 1, m = 4, n = 4, k = 4, boost.component = "forward"} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  %r = linalg.exp ins(%s : !t) outs(%e : !t) -> !t
  return %r : !t
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>
!b = tensor<4x4xbf16>

// Gradients are added where they are to be, in f32.

// CHECK-LABEL: func @gradients
// CHECK-SAME:    %[[ACC:[a-z0-9]*]]: tensor<4x4xf32> {boost.tensor = #boost.tensor<accumulator
// CHECK:         %[[S:.*]] = boostrt.gemm ins(%{{[^ ]*}}, %{{[^ ]*}} : tensor<4x4xbf16>, tensor<4x4xbf16>)
// CHECK-SAME:      outs(%[[ACC]] : tensor<4x4xf32>) {accumulate, {{.*}}transpose_a} -> tensor<4x4xf32>
// CHECK-NEXT:    return %[[S]]
// MEMORY-LABEL: func @gradients
// MEMORY-SAME:    %[[ACC:[a-z0-9]*]]: memref<4x4xf32> {boost.tensor = #boost.tensor<accumulator
// MEMORY-NEXT:    boostrt.gemm {{.*}} outs(%[[ACC]] : memref<4x4xf32>) {accumulate, {{.*}}boostrt.reads = [array<i64: 1>, array<i64: 2>, array<i64: 0>]
// MEMORY-NEXT:    return
func.func @gradients(%acc: !t {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}, %x: !b, %dy: !b)
    -> (!t {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
  %e = tensor.empty() : !t
  %f = tensor.empty() : !b
  %p = boostrt.gemm ins(%x, %dy : !b, !b) outs(%f : !b) {batch = 1, m = 4, n = 4, k = 4, transpose_a} -> !b
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%acc, %p : !t, !b) outs(%e : !t) {
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

// Of products alone the first one in the program begins, by whatever shape the sum reads them.

// CHECK-LABEL: func @products
// CHECK-SAME:    %[[X:.*]]: tensor<4x4xf32>, %[[Y:.*]]: tensor<4x4xf32>, %[[Z:.*]]: tensor<4x4xf32>
// CHECK:         %[[P:.*]] = boostrt.gemm ins(%[[X]], %[[X]] :
// CHECK-NOT:     accumulate
// CHECK:         %[[WIDE:.*]] = tensor.collapse_shape %[[P]]
// CHECK:         %[[Q:.*]] = boostrt.gemm ins(%[[Y]], %[[Y]] : tensor<4x4xf32>, tensor<4x4xf32>) outs(%[[WIDE]] : tensor<16x1xf32>) {accumulate
// CHECK-NEXT:    %[[R:.*]] = boostrt.gemm ins(%[[Z]], %[[Z]] : tensor<4x4xf32>, tensor<4x4xf32>) outs(%[[Q]] : tensor<16x1xf32>) {accumulate
// CHECK-NEXT:    return %[[R]]
// MEMORY-LABEL: func @products
// MEMORY-COUNT-3: boostrt.gemm
// MEMORY-NOT:     boostrt.copy
func.func @products(%x: !t, %y: !t, %z: !t) -> (tensor<16x1xf32> {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : tensor<4x4x1xf32>
  %f = tensor.empty() : tensor<16x1xf32>
  %p = boostrt.gemm ins(%x, %x : !t, !t) outs(%e : tensor<4x4x1xf32>) {batch = 1, m = 4, n = 4, k = 4} -> tensor<4x4x1xf32>
  %pc = tensor.collapse_shape %p [[0, 1], [2]] : tensor<4x4x1xf32> into tensor<16x1xf32>
  %q = boostrt.gemm ins(%y, %y : !t, !t) outs(%f : tensor<16x1xf32>) {batch = 1, m = 4, n = 4, k = 4} -> tensor<16x1xf32>
  %r = boostrt.gemm ins(%z, %z : !t, !t) outs(%e : tensor<4x4x1xf32>) {batch = 1, m = 4, n = 4, k = 4} -> tensor<4x4x1xf32>
  %rc = tensor.collapse_shape %r [[0, 1], [2]] : tensor<4x4x1xf32> into tensor<16x1xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rc, %pc, %q : tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x1xf32>) outs(%f : tensor<16x1xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %ab = arith.addf %a, %b : f32
    %sum = arith.addf %ab, %c : f32
    linalg.yield %sum : f32
  } -> tensor<16x1xf32>
  return %s : tensor<16x1xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!t = tensor<4x4xf32>

// A sum that a sum adds to.

// CHECK-LABEL: func @sums
// CHECK:         %[[Y:.*]] = linalg.exp
// CHECK:         %[[S:.*]] = boostrt.gemm {{.*}} outs(%[[Y]] : tensor<4x4xf32>) {accumulate
// CHECK:         %[[Q:.*]] = boostrt.gemm ins(%[[S]], %{{.*}} {batch
// CHECK:         %[[T:.*]] = boostrt.gemm {{.*}} outs(%[[Q]] : tensor<4x4xf32>) {accumulate
// CHECK-NEXT:    return %[[T]]
// MEMORY-LABEL: func @sums
// MEMORY-NOT:     boostrt.copy
func.func @sums(%x: !t, %w: !t) -> (!t {boost.tensor = #boost.tensor<output "s">}) {
  %e = tensor.empty() : !t
  %y = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %p = boostrt.gemm ins(%x, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  %q = boostrt.gemm ins(%s, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %h = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %r = boostrt.gemm ins(%h, %w : !t, !t) outs(%e : !t) {batch = 1, m = 4, n = 4, k = 4} -> !t
  %v = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q, %r : !t, !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !t
  return %v : !t
}
