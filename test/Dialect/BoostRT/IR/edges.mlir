// RUN: boost-opt %s | FileCheck %s
// What lies just within what the operations require: extents of 0, layouts that
// begin at element 0 and end at the last, scores that are repeated.

// CHECK-LABEL: func @nothing
func.func @nothing(%a: tensor<0x8xf32>, %b: tensor<8x2xf32>, %c: tensor<0x2xf32>, %d: tensor<4x0xf32>, %e: tensor<0x2xf32>, %f: tensor<4x2xf32>, %g: tensor<8x0xf32>, %h: tensor<4x8xf32>) {
  // CHECK: m = 0
  %0 = boostrt.gemm ins(%a, %b : tensor<0x8xf32>, tensor<8x2xf32>) outs(%c : tensor<0x2xf32>) {batch = 1, m = 0, n = 2, k = 8, layout_a = array<i64: 0, 0, 8>, layout_c = array<i64: 0, 0, 2>} -> tensor<0x2xf32>
  // CHECK: k = 0
  %1 = boostrt.gemm ins(%d, %e : tensor<4x0xf32>, tensor<0x2xf32>) outs(%f : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 0, layout_a = array<i64: 3, 0, 0>, layout_b = array<i64: 9, 0, 2>} -> tensor<4x2xf32>
  // CHECK: n = 0
  %2 = boostrt.gemm ins(%h, %g : tensor<4x8xf32>, tensor<8x0xf32>) outs(%d : tensor<4x0xf32>) {batch = 1, m = 4, n = 0, k = 8, layout_c = array<i64: -1, -1, -1>} -> tensor<4x0xf32>
  // CHECK: batch = 0
  %3 = boostrt.gemm ins(%a, %g : tensor<0x8xf32>, tensor<8x0xf32>) outs(%d : tensor<4x0xf32>) {batch = 0, m = 4, n = 2, k = 8, layout_b = array<i64: 1, 0, 2>} -> tensor<4x0xf32>
  return
}

// CHECK-LABEL: func @whole_layouts
func.func @whole_layouts(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>, %c: tensor<3x4x2xf32>, %d: tensor<24xf32>) {
  // CHECK: layout_a = array<i64: 0, 32, 8>, layout_b = array<i64: 0, 16, 2>, layout_c = array<i64: 0, 8, 2>
  %0 = boostrt.gemm ins(%a, %b : tensor<3x4x8xf32>, tensor<3x8x2xf32>) outs(%c : tensor<3x4x2xf32>) {batch = 3, m = 4, n = 2, k = 8, layout_a = array<i64: 0, 32, 8>, layout_b = array<i64: 0, 16, 2>, layout_c = array<i64: 0, 8, 2>} -> tensor<3x4x2xf32>
  // The second columns of every third row.
  // CHECK: layout_a = array<i64: 1, 8, 24>
  %1 = boostrt.gemm ins(%a, %b : tensor<3x4x8xf32>, tensor<3x8x2xf32>) outs(%d : tensor<24xf32>) {batch = 3, m = 4, n = 2, k = 7, layout_a = array<i64: 1, 8, 24>, layout_b = array<i64: 2, 16, 2>} -> tensor<24xf32>
  return
}

// CHECK-LABEL: func @gap_in_the_result
func.func @gap_in_the_result(%a: memref<4x8xf32>, %b: memref<8x2xf32>, %c: memref<4x2xf32, strided<[6, 1]>>) {
  // CHECK: layout_c = array<i64: 0, 0, 6>
  boostrt.gemm ins(%a, %b : memref<4x8xf32>, memref<8x2xf32>) outs(%c : memref<4x2xf32, strided<[6, 1]>>) {batch = 1, m = 4, n = 2, k = 8, layout_c = array<i64: 0, 0, 6>}
  return
}

// CHECK-LABEL: func @repeated_scores
func.func @repeated_scores(%q: tensor<2x8x4x16xf64>, %k: tensor<2x6x4x16xf64>, %b: tensor<1x4x1x6xf64>, %m: tensor<2x1x8x1xi1>, %o: tensor<2x8x4x16xf64>, %l: tensor<2x4x8xf64>) {
  // CHECK: soft_cap = 1.0{{.*}}e-01
  %0:2 = boostrt.attention_forward ins(%q, %k, %k : tensor<2x8x4x16xf64>, tensor<2x6x4x16xf64>, tensor<2x6x4x16xf64>) bias(%b : tensor<1x4x1x6xf64>) mask(%m : tensor<2x1x8x1xi1>)
      outs(%o, %l : tensor<2x8x4x16xf64>, tensor<2x4x8xf64>) {scale = 0.25 : f64, soft_cap = 0.1 : f64} -> tensor<2x8x4x16xf64>, tensor<2x4x8xf64>
  return
}

// CHECK-LABEL: func @collectives
func.func @collectives(%x: tensor<0x8xf32>, %y: tensor<0x4xf32>, %i: tensor<8x6xi8>, %j: tensor<2x6xi8>, %h: tensor<4x12xi8>, %z: tensor<0x16xf32>) {
  // CHECK: boostrt.all_slice dim 0 group 1
  %0 = boostrt.all_slice dim 0 group 1 ins(%x : tensor<0x8xf32>) outs(%x : tensor<0x8xf32>) -> tensor<0x8xf32>
  // CHECK: boostrt.all_slice dim 1 group 1
  %1 = boostrt.all_slice dim 1 group 1 ins(%x : tensor<0x8xf32>) outs(%y : tensor<0x4xf32>) -> tensor<0x4xf32>
  // CHECK: boostrt.reduce_scatter sum dims [0] group 1 site 0
  %2 = boostrt.reduce_scatter sum dims [0] group 1 site 0 ins(%i : tensor<8x6xi8>) outs(%j : tensor<2x6xi8>) -> tensor<2x6xi8>
  // CHECK: boostrt.all_to_all split_dim 0 concat_dim 1 group 1 site 0
  %3 = boostrt.all_to_all split_dim 0 concat_dim 1 group 1 site 0 ins(%i : tensor<8x6xi8>) outs(%h : tensor<4x12xi8>) -> tensor<4x12xi8>
  // CHECK: boostrt.all_to_all split_dim 0 concat_dim 1 group 2
  %4 = boostrt.all_to_all split_dim 0 concat_dim 1 group 2 ins(%x : tensor<0x8xf32>) outs(%z : tensor<0x16xf32>) -> tensor<0x16xf32>
  return
}

// CHECK-LABEL: func @no_rows
func.func @no_rows(%x: tensor<0xf32>) {
  // CHECK: boostrt.rows 0
  %0 = boostrt.rows 0 outs(%x : tensor<0xf32>) {
  ^bb0(%row: index, %out: memref<0xf32>):
  } -> tensor<0xf32>
  return
}

// Lowered kernels take booleans as bytes, and buffers of another shape that
// have the same elements.
func.func private @kernel(%begin: index, %end: index, %x: memref<32xi8>, %y: memref<4x2xf32, strided<[8, 1]>>) attributes {boost.kernel, boostrt.extent = 0 : i64}

// CHECK-LABEL: func @launches
func.func @launches(%x: memref<4x8xi1>, %y: memref<2x2x2xf32, strided<[16, 8, 1]>>) {
  // CHECK: boostrt.launch @kernel[0]
  boostrt.launch @kernel[0] (%x, %y : memref<4x8xi1>, memref<2x2x2xf32, strided<[16, 8, 1]>>) {num_outputs = 2 : i64}
  return
}

// Gradients of the parameter's type, of f32, or narrower than f32; as many as one
// call takes.
// CHECK-LABEL: func @bf16_of_bf16
func.func @bf16_of_bf16(%g: tensor<4xbf16>, %s: tensor<f32>, %p: tensor<4xbf16>, %m: tensor<4xf32>) {
  // CHECK: boostrt.adamw
  %0:3 = boostrt.adamw grads(%g : tensor<4xbf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %m : tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: true>} -> tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>
  return
}

// CHECK-LABEL: func @f32_of_bf16
func.func @f32_of_bf16(%g: tensor<4xf32>, %s: tensor<f32>, %p: tensor<4xbf16>, %m: tensor<4xf32>) {
  // CHECK: boostrt.adamw
  %0:3 = boostrt.adamw grads(%g : tensor<4xf32>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %m : tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: true>} -> tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>
  return
}

// CHECK-LABEL: func @bf16_of_f32
func.func @bf16_of_f32(%g: tensor<4xbf16>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>) {
  // CHECK: boostrt.adamw
  %0:3 = boostrt.adamw grads(%g : tensor<4xbf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %m : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: true>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// CHECK-LABEL: func @f16_of_f32
func.func @f16_of_f32(%g: tensor<4xf16>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>) {
  // CHECK: boostrt.adamw
  %0:3 = boostrt.adamw grads(%g : tensor<4xf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %m : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: true>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// CHECK-LABEL: func @most_updates
func.func @most_updates(%g: tensor<4xf32>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>) {
  // CHECK: boostrt.adamw
  %0:192 = boostrt.adamw grads(%g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// Layouts of memrefs that reach from the first element to the last one.
// CHECK-LABEL: func @layouts_of_memrefs
func.func @layouts_of_memrefs(%a: memref<4x8xf16>, %b: memref<8x2xf16>, %c: memref<4x2xf32>) {
  // CHECK: layout_a = array<i64: 0, 0, 8>, layout_b = array<i64: 0, 0, 2>
  boostrt.gemm ins(%a, %b : memref<4x8xf16>, memref<8x2xf16>) outs(%c : memref<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_a = array<i64: 0, 0, 8>, layout_b = array<i64: 0, 0, 2>}
  return
}

// CHECK-LABEL: func @causal
func.func @causal(%q: tensor<2x8x4x16xf32>, %k: tensor<2x8x2x16xf32>, %o: tensor<2x8x4x16xf32>, %l: tensor<2x4x8xf32>) {
  // CHECK: causal
  %0:2 = boostrt.attention_forward ins(%q, %k, %k : tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>)
      outs(%o, %l : tensor<2x8x4x16xf32>, tensor<2x4x8xf32>) {causal, scale = 0.25 : f64} -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// CHECK-LABEL: func @other_shape
func.func @other_shape(%x: tensor<4x2xf32>, %y: tensor<8xf32>, %b: tensor<4xi1>) {
  // CHECK: boostrt.copy
  %0 = boostrt.copy ins(%x : tensor<4x2xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: boostrt.all_reduce
  %1 = boostrt.all_reduce max group 1 outs(%b : tensor<4xi1>) -> tensor<4xi1>
  return
}

// A kernel that does not tell its rows takes any number.
func.func private @any_rows(%begin: index, %end: index, %x: memref<32xf32>) attributes {boost.kernel}

// CHECK-LABEL: func @launches_rows
func.func @launches_rows(%x: memref<32xf32>) {
  // CHECK: boostrt.launch @any_rows[7]
  boostrt.launch @any_rows[7] (%x : memref<32xf32>) {num_outputs = 1 : i64}
  return
}
