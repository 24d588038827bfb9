// RUN: boost-opt %s --boostrt-bufferize | FileCheck %s
// Nothing and next to nothing: of elements, of rows, of results.

#id = affine_map<(i) -> (i)>
#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// A kernel without iterations is no call: its result is what it would have added to.
// CHECK-LABEL: func.func @sum_of_nothing(
// CHECK-SAME:    boostrt.results = [array<i64: 1, [[N:[0-9]+]]>]
// CHECK:         linalg.fill {{.*}}boostrt.writes = [array<i64: [[N]]>]
// CHECK-NEXT:    return
func.func @sum_of_nothing(%x: tensor<4x0xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x0xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.addf %a, %o : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// CHECK-LABEL: func.func @no_elements(
// CHECK-NOT:     linalg
// CHECK:         return
func.func @no_elements(%x: tensor<0xf32>) -> tensor<0xf32> {
  %e = tensor.empty() : tensor<0xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<0xf32>) outs(%e : tensor<0xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<0xf32>
  return %s : tensor<0xf32>
}

// CHECK-LABEL: func.func @no_results(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<4xf32>) attributes
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @no_results(%x: tensor<4xf32>) {
  return
}

// Operands of products: one row, one column, and no matrices, rows or columns.
// CHECK-LABEL: func.func @small_product_inputs(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<4x24xf32>, %[[Y:[a-z0-9]+]]: memref<4x1xf32>
// CHECK:         %[[ROW:.*]] = memref.reinterpret_cast %[[X]] to offset: [8], sizes: [4], strides: [1]
// CHECK:         boostrt.gemm ins(%[[ROW]], {{.*}}boostrt.reads = [array<i64: 0>, array<i64: 2>, array<i64>]{{.*}} layout_a = array<i64: 0, 96, 24>
// CHECK:         %[[COLUMN:.*]] = memref.reinterpret_cast %[[X]] to offset: [5], sizes: [73], strides: [1]
// CHECK:         boostrt.gemm ins(%[[Y]], %[[COLUMN]] : {{.*}} layout_b = array<i64: 0, 96, 24>
// CHECK-COUNT-3: memref.reinterpret_cast %[[X]] to offset: [8], sizes: [0], strides: [1]
func.func @small_product_inputs(%x: tensor<4x24xf32>, %y: tensor<4x1xf32>, %w: tensor<4x2xf32>, %u: tensor<0x4x2xf32>, %v: tensor<0x2xf32>)
    -> (tensor<1x2xf32>, tensor<1x1xf32>, tensor<0x3x2xf32>, tensor<0x2xf32>, tensor<3x2xf32>) {
  %e0 = tensor.empty() : tensor<1x2xf32>
  %0 = boostrt.gemm ins(%x, %w : tensor<4x24xf32>, tensor<4x2xf32>) outs(%e0 : tensor<1x2xf32>) {batch = 1, m = 1, n = 2, k = 4, layout_a = array<i64: 8, 96, 24>} -> tensor<1x2xf32>
  %e1 = tensor.empty() : tensor<1x1xf32>
  %1 = boostrt.gemm ins(%y, %x : tensor<4x1xf32>, tensor<4x24xf32>) outs(%e1 : tensor<1x1xf32>) {batch = 1, m = 1, n = 1, k = 4, transpose_a, layout_b = array<i64: 5, 96, 24>} -> tensor<1x1xf32>
  %e2 = tensor.empty() : tensor<0x3x2xf32>
  %2 = boostrt.gemm ins(%x, %u : tensor<4x24xf32>, tensor<0x4x2xf32>) outs(%e2 : tensor<0x3x2xf32>) {batch = 0, m = 3, n = 2, k = 4, layout_a = array<i64: 8, 96, 24>} -> tensor<0x3x2xf32>
  %e3 = tensor.empty() : tensor<0x2xf32>
  %3 = boostrt.gemm ins(%x, %w : tensor<4x24xf32>, tensor<4x2xf32>) outs(%e3 : tensor<0x2xf32>) {batch = 1, m = 0, n = 2, k = 4, layout_a = array<i64: 8, 96, 24>} -> tensor<0x2xf32>
  %e4 = tensor.empty() : tensor<3x2xf32>
  %4 = boostrt.gemm ins(%x, %v : tensor<4x24xf32>, tensor<0x2xf32>) outs(%e4 : tensor<3x2xf32>) {batch = 1, m = 3, n = 2, k = 0, layout_a = array<i64: 8, 96, 24>} -> tensor<3x2xf32>
  return %0, %1, %2, %3, %4 : tensor<1x2xf32>, tensor<1x1xf32>, tensor<0x3x2xf32>, tensor<0x2xf32>, tensor<3x2xf32>
}

// What is overwritten unread is not recorded as read.
// CHECK-LABEL: func.func @overwritten(
// CHECK:         linalg.exp {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 2>]}
func.func @overwritten(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Two readers of a part share its view.
// CHECK-LABEL: func.func @shared_view(
// CHECK-COUNT-1: memref.reinterpret_cast
// CHECK-NOT:     memref.reinterpret_cast
// CHECK:         return
func.func @shared_view(%x: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.extract_slice %x[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.tanh ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// One value is two results: the first is its memory, the second a copy of that.
// CHECK-LABEL: func.func @same_result(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<8xf32>, %[[R:[a-z0-9]+]]: memref<8xf32>, %[[S:[a-z0-9]+]]: memref<8xf32>)
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.exp {{.*}} outs(%[[R]] :
// CHECK-NEXT:    boostrt.copy ins(%[[R]] : memref<8xf32>) outs(%[[S]] :
// CHECK-NEXT:    return
func.func @same_result(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0, %0 : tensor<8xf32>, tensor<8xf32>
}

// Arithmetic on scalars stays; a large constant that is only returned is filled once.
// CHECK-LABEL: func.func @scalars(
// CHECK-NOT:     memref.alloc
// CHECK:         %[[S:.*]] = arith.addf
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.fill {{.*}} ins(%[[S]] :
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.fill
// CHECK-NOT:     linalg.fill
// CHECK:         return
func.func @scalars() -> (tensor<4xf32>, tensor<512xf32>) {
  %a = arith.constant 1.0 : f32
  %b = arith.constant 2.0 : f32
  %s = arith.addf %a, %b : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = arith.constant dense<0.5> : tensor<512xf32>
  return %f, %c : tensor<4xf32>, tensor<512xf32>
}

// A result with the name of an input, but of another type, has memory of its own.
// CHECK-LABEL: func.func @another_type(
// CHECK-SAME:    %[[P:[a-z0-9]+]]: memref<8xf32> {{{[^}]*}}}, %[[R:[a-z0-9]+]]: memref<4xf32>
// CHECK:         boostrt.copy ins({{.*}}) outs(%[[R]] :
func.func @another_type(%p: tensor<8xf32> {boost.tensor = #boost.tensor<param "p">}) -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "p">}) {
  %0 = tensor.extract_slice %p[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
