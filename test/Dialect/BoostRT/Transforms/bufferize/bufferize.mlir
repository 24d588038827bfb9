// RUN: boost-opt %s --boostrt-bufferize --split-input-file | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// The result that replaces an input is updated in place, the other one is
// computed straight into its argument.

// CHECK-LABEL: func.func @update(
// CHECK-SAME: %[[P:[a-z0-9]+]]: memref<8xf32> {boost.tensor = #boost.tensor<param "p">}
// CHECK-SAME: %[[G:[a-z0-9]+]]: memref<8xf32>
// CHECK-SAME: %[[S:[a-z0-9]+]]: memref<8xf32> {boost.tensor = #boost.tensor<output "sum">})
// CHECK-SAME: attributes {boost.inputs = ["p", "g"], boost.outputs = ["p", "sum"], boostrt.results = [array<i64: 0, 3>, array<i64: 2, 2>]}
func.func @update(%p: tensor<8xf32> {boost.tensor = #boost.tensor<param "p">},
                  %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "g">})
    -> (tensor<8xf32> {boost.tensor = #boost.tensor<param "p">}, tensor<8xf32> {boost.tensor = #boost.tensor<output "sum">}) {
  // CHECK-NOT: alloc
  // CHECK: linalg.generic {{.*}} ins(%[[P]], %[[G]] : {{.*}}) outs(%[[S]] :
  %e = tensor.empty() : tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%p, %g : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  // CHECK: boostrt.all_reduce sum group 1 outs(%[[P]] : memref<8xf32>)
  // CHECK-NEXT: return
  %r = boostrt.all_reduce sum group 1 outs(%p : tensor<8xf32>) -> tensor<8xf32>
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// The old value is read after the update: it may not be overwritten.

// CHECK-LABEL: func.func @read_later(
// CHECK-SAME: %[[P:[a-z0-9]+]]: memref<8xf32> {boost.tensor = #boost.tensor<param "p">}
// CHECK-SAME: %[[S:[a-z0-9]+]]: memref<8xf32>
func.func @read_later(%p: tensor<8xf32> {boost.tensor = #boost.tensor<param "p">})
    -> (tensor<8xf32> {boost.tensor = #boost.tensor<param "p">}, tensor<8xf32> {boost.tensor = #boost.tensor<output "sum">}) {
  // CHECK: %[[R:.*]] = memref.alloc() : memref<8xf32>
  // CHECK: boostrt.copy ins(%[[P]] : memref<8xf32>) outs(%[[R]] : memref<8xf32>)
  // CHECK: boostrt.all_reduce sum group 1 outs(%[[R]] : memref<8xf32>)
  %r = boostrt.all_reduce sum group 1 outs(%p : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: linalg.generic {{.*}} ins(%[[P]], %[[R]] : {{.*}}) outs(%[[S]] :
  %e = tensor.empty() : tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%p, %r : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  // CHECK: boostrt.copy ins(%[[R]] : memref<8xf32>) outs(%[[P]] : memref<8xf32>)
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}

// -----

// Results that swap their inputs go through a copy.

// CHECK-LABEL: func.func @swap(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4xf32> {boost.tensor = #boost.tensor<param "a">}
// CHECK-SAME: %[[B:[a-z0-9]+]]: memref<4xf32> {boost.tensor = #boost.tensor<param "b">})
func.func @swap(%a: tensor<4xf32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<4xf32> {boost.tensor = #boost.tensor<param "b">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "b">}, tensor<4xf32> {boost.tensor = #boost.tensor<param "a">}) {
  // CHECK: %[[SA:.*]] = memref.alloc
  // CHECK: boostrt.copy ins(%[[A]] : {{.*}}) outs(%[[SA]] :
  // CHECK: %[[SB:.*]] = memref.alloc
  // CHECK: boostrt.copy ins(%[[B]] : {{.*}}) outs(%[[SB]] :
  // CHECK: boostrt.copy ins(%[[SA]] : {{.*}}) outs(%[[B]] :
  // CHECK: boostrt.copy ins(%[[SB]] : {{.*}}) outs(%[[A]] :
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A concatenation: both parts are computed in place, with strides.

// CHECK-LABEL: func.func @join(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x8xf32>
// CHECK-SAME: %[[R:[a-z0-9]+]]: memref<4x16xf32>
func.func @join(%a: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  // CHECK: %[[LOW:.*]] = memref.reinterpret_cast %[[R]] to offset: [0], sizes: [4, 8], strides: [16, 1]
  // CHECK: linalg.generic {{.*}} ins(%[[A]] : memref<4x8xf32>) outs(%[[LOW]] : memref<4x8xf32, strided<[16, 1]>>)
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.exp %i : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  // CHECK: %[[HIGH:.*]] = memref.reinterpret_cast %[[R]] to offset: [8], sizes: [4, 8], strides: [16, 1]
  // CHECK: linalg.generic {{.*}} outs(%[[HIGH]] : memref<4x8xf32, strided<[16, 1], offset: 8>>)
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.sin %i : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  // CHECK: math.sin
  // CHECK-NEXT: linalg.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  %w = tensor.empty() : tensor<4x16xf32>
  %0 = tensor.insert_slice %x into %w[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  %1 = tensor.insert_slice %y into %0[0, 8] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}

// -----

// A call of the runtime writes a part without gaps where it belongs, also by
// another shape, and also one that is put together itself.

// CHECK-LABEL: func.func @dense_parts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4x4xf32>, {{.*}}, %[[R:[a-z0-9]+]]: memref<2x4x4xf32>
func.func @dense_parts(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %v: tensor<4x2xf32>) -> tensor<2x4x4xf32> {
  // CHECK-NOT: boostrt.copy
  // CHECK: %[[LOW:.*]] = memref.reinterpret_cast %[[R]] to offset: [0], sizes: [4, 4], strides: [4, 1]
  // CHECK: boostrt.gemm ins({{.*}}) outs(%[[LOW]] :
  %e = tensor.empty() : tensor<4x4xf32>
  %a = boostrt.gemm ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {batch = 1, m = 4, n = 4, k = 4} -> tensor<4x4xf32>
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<4x2xf32, strided<[4, 1], offset: 16>>)
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<4x2xf32, strided<[4, 1], offset: 18>>)
  // CHECK-NOT: boostrt.copy
  // CHECK: return
  %h = tensor.empty() : tensor<4x2xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<4x2xf32>) outs(%h : tensor<4x2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.sin %i : f32
    linalg.yield %0 : f32
  } -> tensor<4x2xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<4x2xf32>) outs(%h : tensor<4x2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.cos %i : f32
    linalg.yield %0 : f32
  } -> tensor<4x2xf32>
  %f = tensor.empty() : tensor<4x4xf32>
  %f0 = tensor.insert_slice %s into %f[0, 0] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x4xf32>
  %f1 = tensor.insert_slice %c into %f0[0, 2] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x4xf32>
  %a1 = tensor.expand_shape %a [[0, 1], [2]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
  %b1 = tensor.expand_shape %f1 [[0, 1], [2]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
  %w0 = tensor.empty() : tensor<2x4x4xf32>
  %w1 = tensor.insert_slice %a1 into %w0[0, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<1x4x4xf32> into tensor<2x4x4xf32>
  %w2 = tensor.insert_slice %b1 into %w1[1, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<1x4x4xf32> into tensor<2x4x4xf32>
  return %w2 : tensor<2x4x4xf32>
}

// -----

// A product writes a part with gaps if each of its rows, or of its matrices side
// by side, lies in one piece of it; also by another shape.

// CHECK-LABEL: func.func @product_parts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4x8xf32>, {{.*}}, %[[R:[a-z0-9]+]]: memref<4x9xf32>
func.func @product_parts(%x: tensor<4x8xf32>, %w: tensor<8x3xf32>, %y: tensor<2x4x8xf32>, %v: tensor<2x8x2xf32>, %u: tensor<8x4xf32>) -> tensor<4x9xf32> {
  // CHECK-NOT: alloc
  // CHECK: boostrt.gemm ins(%[[X]], {{.*}}) outs(%{{.*}} : memref<4x3xf32, strided<[9, 1]>>) {{.*}}layout_c = array<i64: 0, 36, 9>
  // CHECK: boostrt.gemm ins({{.*}}) outs(%{{.*}} : memref<4x2x2xf32, strided<[9, 2, 1], offset: 3>>) {{.*}}layout_c = array<i64: 0, 2, 9>
  %e = tensor.empty() : tensor<4x3xf32>
  %a = boostrt.gemm ins(%x, %w : tensor<4x8xf32>, tensor<8x3xf32>) outs(%e : tensor<4x3xf32>) {batch = 1, m = 4, n = 3, k = 8} -> tensor<4x3xf32>
  %f = tensor.empty() : tensor<4x2x2xf32>
  %b = boostrt.gemm ins(%y, %v : tensor<2x4x8xf32>, tensor<2x8x2xf32>) outs(%f : tensor<4x2x2xf32>) {batch = 2, m = 4, n = 2, k = 8, layout_c = array<i64: 0, 2, 4>} -> tensor<4x2x2xf32>
  %b1 = tensor.collapse_shape %b [[0], [1, 2]] : tensor<4x2x2xf32> into tensor<4x4xf32>
  // Rows of four are two pieces of two: copied.
  // CHECK: %[[ROWS:.*]] = memref.alloc() : memref<2x4xf32>
  // CHECK: boostrt.gemm ins({{.*}}) outs(%[[ROWS]] :
  %g = tensor.empty() : tensor<2x4xf32>
  %x2 = tensor.extract_slice %x[0, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %c = boostrt.gemm ins(%x2, %u : tensor<2x8xf32>, tensor<8x4xf32>) outs(%g : tensor<2x4xf32>) {batch = 1, m = 2, n = 4, k = 8} -> tensor<2x4xf32>
  %c1 = tensor.expand_shape %c [[0], [1, 2]] output_shape [2, 2, 2] : tensor<2x4xf32> into tensor<2x2x2xf32>
  %c2 = tensor.collapse_shape %c1 [[0, 1], [2]] : tensor<2x2x2xf32> into tensor<4x2xf32>
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<4x2xf32, strided<[9, 1], offset: 7>>)
  // CHECK: return
  %w0 = tensor.empty() : tensor<4x9xf32>
  %w1 = tensor.insert_slice %a into %w0[0, 0] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x9xf32>
  %w2 = tensor.insert_slice %b1 into %w1[0, 3] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x9xf32>
  %w3 = tensor.insert_slice %c2 into %w2[0, 7] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x9xf32>
  return %w3 : tensor<4x9xf32>
}

// -----

// A part with gaps between rows and more between matrices: copied.

// CHECK-LABEL: func.func @product_with_two_gaps(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<2x3x8xf32>
func.func @product_with_two_gaps(%x: tensor<2x3x8xf32>, %w: tensor<2x8x4xf32>) -> tensor<2x5x6xf32> {
  // CHECK: %[[ROWS:.*]] = memref.alloc() : memref<2x3x4xf32>
  // CHECK: boostrt.gemm ins(%[[X]], {{.*}}) outs(%[[ROWS]] :
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<2x3x4xf32, strided<[30, 6, 1], offset: 7>>)
  // CHECK: return
  %e = tensor.empty() : tensor<2x3x4xf32>
  %a = boostrt.gemm ins(%x, %w : tensor<2x3x8xf32>, tensor<2x8x4xf32>) outs(%e : tensor<2x3x4xf32>) {batch = 2, m = 3, n = 4, k = 8} -> tensor<2x3x4xf32>
  %f = tensor.empty() : tensor<2x5x6xf32>
  %b = tensor.insert_slice %a into %f[0, 1, 1] [2, 3, 4] [1, 1, 1] : tensor<2x3x4xf32> into tensor<2x5x6xf32>
  return %b : tensor<2x5x6xf32>
}

// -----

#in = affine_map<(d0, d1) -> (d0, d1)>
#out = affine_map<(d0, d1) -> (d0)>

// Accumulators are initialized where they are; a start value with two readers
// is filled twice instead of copied.

// CHECK-LABEL: func.func @accumulators(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x8xf32>, %[[R0:[a-z0-9]+]]: memref<4xf32>{{.*}}, %[[R1:[a-z0-9]+]]: memref<4xf32>
// CHECK-NOT: alloc
func.func @accumulators(%a: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.fill {{.*}} outs(%[[R0]] : memref<4xf32>)
  // CHECK: linalg.generic {{.*}} outs(%[[R0]] : memref<4xf32>)
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  // CHECK: linalg.fill {{.*}} outs(%[[R1]] : memref<4xf32>)
  // CHECK: linalg.generic {{.*}} outs(%[[R1]] : memref<4xf32>)
  %1 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.maximumf %i, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

#in = affine_map<(d0, d1) -> (d0, d1)>
#out = affine_map<(d0, d1) -> (d0)>

// So are those that become parts, once.

// CHECK-LABEL: func.func @accumulated_part(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x8xf32>, %[[B:[a-z0-9]+]]: memref<4xf32>, %[[R:[a-z0-9]+]]: memref<2x4xf32>
func.func @accumulated_part(%a: tensor<4x8xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK-NOT: alloc
  // CHECK: linalg.fill {{.*}} outs(%{{.*}} : memref<4xf32, strided<[1], offset: 4>>)
  // CHECK-NOT: fill
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<4xf32, strided<[1], offset: 4>>)
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  // CHECK: boostrt.copy ins(%[[B]] :
  // CHECK-NEXT: return
  %w = tensor.empty() : tensor<2x4xf32>
  %1 = tensor.insert_slice %b into %w[0, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<2x4xf32>
  %2 = tensor.insert_slice %0 into %1[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// Runtime calls take dense operands: the slice with gaps is copied, the one
// without is a view.

// CHECK-LABEL: func.func @slices(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x8xf32>
func.func @slices(%a: tensor<4x8xf32>) -> (tensor<f32>, tensor<f32>) {
  %e = tensor.empty() : tensor<f32>
  // CHECK: %[[ROWS:.*]] = memref.reinterpret_cast %[[A]] to offset: [16], sizes: [2, 8], strides: [8, 1]
  // CHECK: boostrt.sum_of_squares ins(%[[ROWS]] :
  %0 = tensor.extract_slice %a[2, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %1 = boostrt.sum_of_squares ins(%0 : tensor<2x8xf32>) outs(%e : tensor<f32>) -> tensor<f32>
  // CHECK: %[[COPY:.*]] = memref.alloc() : memref<4x2xf32>
  // CHECK: linalg.generic {{.*}} outs(%[[COPY]] :
  // CHECK: boostrt.sum_of_squares ins(%[[COPY]] :
  %2 = tensor.extract_slice %a[0, 2] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
  %3 = boostrt.sum_of_squares ins(%2 : tensor<4x2xf32>) outs(%e : tensor<f32>) -> tensor<f32>
  return %1, %3 : tensor<f32>, tensor<f32>
}

// -----

// CHECK: memref.global "private" constant @[[$C:.*]] : memref<3xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// CHECK-LABEL: func.func @constants(
// CHECK-SAME: %[[R0:[a-z0-9]+]]: memref<3xf32>{{.*}}, %[[R1:[a-z0-9]+]]: memref<512xf32>
func.func @constants() -> (tensor<3xf32>, tensor<512xf32>) {
  %0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = arith.constant dense<2.0> : tensor<512xf32>
  // CHECK-NOT: alloc
  // CHECK: %[[G:.*]] = memref.get_global @[[$C]]
  // CHECK: boostrt.copy ins(%[[G]] : {{.*}}) outs(%[[R0]] :
  // CHECK: linalg.fill {{.*}} outs(%[[R1]] :
  return %0, %1 : tensor<3xf32>, tensor<512xf32>
}

// -----

// One element of a matrix is dense, whatever the strides of the matrix.

// CHECK-LABEL: func.func @one_element(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4x6xf32>
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [1, 1], strides: [1, 1] : memref<4x6xf32> to memref<1x1xf32>
func.func @one_element(%x: tensor<4x6xf32> {boost.tensor = #boost.tensor<param "x">})
    -> (tensor<1x1xf32> {boost.tensor = #boost.tensor<output "y">}) {
  %0 = tensor.extract_slice %x[0, 0] [1, 1] [1, 1] : tensor<4x6xf32> to tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// -----

// A product that adds to its destination updates it in place, or a copy if it is read again.

// CHECK-LABEL: func.func @added_product(
// CHECK-SAME:    %[[X:.*]]: memref<4x4xf32>, %[[S:.*]]: memref<4x4xf32>, %[[T:.*]]: memref<4x4xf32>)
// CHECK:         linalg.exp {{.*}} outs(%[[T]] :
// CHECK-NEXT:    boostrt.copy ins(%[[T]] : memref<4x4xf32>) outs(%[[S]] : memref<4x4xf32>)
// CHECK-NEXT:    boostrt.gemm ins(%[[X]], %[[X]] : {{.*}}) outs(%[[S]] : memref<4x4xf32>) {accumulate,
// CHECK-SAME:      boostrt.reads = [array<i64: 0>, array<i64: 0>, array<i64: 1>], boostrt.writes = [array<i64: 2>]
// CHECK-NEXT:    boostrt.gemm ins(%[[X]], %[[X]] : {{.*}}) outs(%[[T]] : memref<4x4xf32>) {accumulate,
// CHECK-SAME:      boostrt.reads = [array<i64: 0>, array<i64: 0>, array<i64: 1>], boostrt.writes = [array<i64: 3>]
func.func @added_product(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %y = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = boostrt.gemm ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>)
      {accumulate, batch = 1, m = 4, n = 4, k = 4} -> tensor<4x4xf32>
  %t = boostrt.gemm ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>)
      {accumulate, batch = 1, m = 4, n = 4, k = 4} -> tensor<4x4xf32>
  return %s, %t : tensor<4x4xf32>, tensor<4x4xf32>
}
