// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Extents, element types and layouts of a product against its buffers.

func.func @negative(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects k of at least 0, but got -8}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = -8} -> tensor<4x2xf32>
  return
}

// -----

func.func @batch(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects a of 2 x 4 x 8 elements, but got 'tensor<4x8xf32>'}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 2, m = 4, n = 2, k = 8} -> tensor<4x2xf32>
  return
}

// -----

func.func @rows(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects a of 1 x 3 x 8 elements, but got 'tensor<4x8xf32>'}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 3, n = 2, k = 8} -> tensor<4x2xf32>
  return
}

// -----

func.func @columns(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects b of 1 x 8 x 3 elements, but got 'tensor<8x2xf32>'}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 3, k = 8} -> tensor<4x2xf32>
  return
}

// -----

func.func @depth(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects a of 1 x 4 x 7 elements, but got 'tensor<4x8xf32>'}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 7} -> tensor<4x2xf32>
  return
}

// -----

func.func @transposed(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects b of 1 x 2 x 8 elements, but got 'tensor<8x3xf32>'}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x3xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, transpose_b} -> tensor<4x2xf32>
  return
}

// -----

func.func @result(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x3xf32>) {
  // expected-error @below {{expects the result of 1 x 4 x 2 elements, but got 'tensor<4x3xf32>'}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x3xf32>) {batch = 1, m = 4, n = 2, k = 8} -> tensor<4x3xf32>
  return
}

// -----

func.func @overflow(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects a of 4611686018427387904 x 4 x 8 elements, but got}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 4611686018427387904, m = 4, n = 2, k = 8} -> tensor<4x2xf32>
  return
}

// -----

func.func @integers(%a: tensor<4x8xi32>, %b: tensor<8x2xi32>, %c: tensor<4x2xi32>) {
  // expected-error @below {{expects a factor of f32, bf16, f16 or f64, but got 'tensor<4x8xi32>'}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xi32>, tensor<8x2xi32>) outs(%c : tensor<4x2xi32>) {batch = 1, m = 4, n = 2, k = 8} -> tensor<4x2xi32>
  return
}

// -----

func.func @mixed(%a: tensor<4x8xbf16>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects a second factor of element type 'bf16', but got 'tensor<8x2xf32>'}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xbf16>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8} -> tensor<4x2xf32>
  return
}

// -----

func.func @result_type(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xi32>) {
  // expected-error @below {{expects a result of f32, bf16, f16 or f64, but got 'tensor<4x2xi32>'}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xi32>) {batch = 1, m = 4, n = 2, k = 8} -> tensor<4x2xi32>
  return
}

// -----

func.func @short_rows(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects a layout of a with a begin and a next matrix of at least 0 and rows at least 8 apart, but got [0, 0, 7]}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_a = array<i64: 0, 0, 7>} -> tensor<4x2xf32>
  return
}

// -----

func.func @negative_begin(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects a layout of b with a begin and a next matrix of at least 0 and rows at least 2 apart, but got [-1, 0, 2]}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_b = array<i64: -1, 0, 2>} -> tensor<4x2xf32>
  return
}

// -----

func.func @beyond(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects the layout of a to reach at most to element 31, but it reaches to 32}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_a = array<i64: 1, 0, 8>} -> tensor<4x2xf32>
  return
}

// -----

func.func @far_beyond(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects the layout of a to reach at most to element 31, but it reaches to beyond 2^63}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_a = array<i64: 0, 0, 9223372036854775807>} -> tensor<4x2xf32>
  return
}

// -----

func.func @not_exact(%a: memref<40xf32>, %b: memref<8x2xf32>, %c: memref<4x2xf32>) {
  // expected-error @below {{expects the layout of a to reach from element 0 to element 39, but it reaches from 0 to 37}}
  boostrt.gemm ins(%a, %b : memref<40xf32>, memref<8x2xf32>) outs(%c : memref<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_a = array<i64: 0, 0, 10>}
  return
}

// -----

func.func @not_from_zero(%a: memref<39xf32>, %b: memref<8x2xf32>, %c: memref<4x2xf32>) {
  // expected-error @below {{expects the layout of a to reach from element 0 to element 38, but it reaches from 1 to 38}}
  boostrt.gemm ins(%a, %b : memref<39xf32>, memref<8x2xf32>) outs(%c : memref<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_a = array<i64: 1, 0, 10>}
  return
}

// -----

func.func @overlapping_result(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects a layout of the result that writes every element of 'tensor<4x2xf32>' once, but got [0, 0, 1]}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_c = array<i64: 0, 0, 1>} -> tensor<4x2xf32>
  return
}

// -----

func.func @missed_result(%a: memref<4x8xf32>, %b: memref<8x2xf32>, %c: memref<4x2xf32, strided<[8, 1]>>) {
  // expected-error @below {{expects a layout of the result that writes every element of 'memref<4x2xf32, strided<[8, 1]>>' once, but got [0, 0, 6]}}
  boostrt.gemm ins(%a, %b : memref<4x8xf32>, memref<8x2xf32>) outs(%c : memref<4x2xf32, strided<[8, 1]>>) {batch = 1, m = 4, n = 2, k = 8, layout_c = array<i64: 0, 0, 6>}
  return
}

// -----

func.func @negative_batch(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects batch of at least 0, but got -1}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = -1, m = 4, n = 2, k = 8} -> tensor<4x2xf32>
  return
}

// -----

func.func @negative_m(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects m of at least 0, but got -1}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = -1, n = 2, k = 8} -> tensor<4x2xf32>
  return
}

// -----

func.func @negative_n(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{expects n of at least 0, but got -1}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = -1, k = 8} -> tensor<4x2xf32>
  return
}

// -----

func.func @negative_next_matrix(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{rows at least 8 apart, but got [0, -1, 8]}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_a = array<i64: 0, -1, 8>} -> tensor<4x2xf32>
  return
}

// -----

func.func @negative_result_begin(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{writes every element of 'tensor<4x2xf32>' once, but got [-1, 0, 2]}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_c = array<i64: -1, 0, 2>} -> tensor<4x2xf32>
  return
}

// -----

func.func @negative_next_result(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{writes every element of 'tensor<4x2xf32>' once, but got [0, -8, 2]}}
  %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_c = array<i64: 0, -8, 2>} -> tensor<4x2xf32>
  return
}

// -----

func.func @matrices_beyond(%a: tensor<3x4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<3x4x2xf32>) {
  // expected-error @below {{expects the layout of a to reach at most to element 95, but it reaches to 97}}
  %0 = boostrt.gemm ins(%a, %b : tensor<3x4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<3x4x2xf32>) {batch = 3, m = 4, n = 2, k = 8, layout_a = array<i64: 0, 33, 8>, layout_b = array<i64: 0, 0, 2>} -> tensor<3x4x2xf32>
  return
}

// -----

func.func @crossing_results(%a: memref<2x4x8xf32>, %b: memref<2x8x2xf32>, %c: memref<2x4x2xf32>) {
  // expected-error @below {{writes every element of 'memref<2x4x2xf32>' once, but got [0, 0, 2]}}
  boostrt.gemm ins(%a, %b : memref<2x4x8xf32>, memref<2x8x2xf32>) outs(%c : memref<2x4x2xf32>) {batch = 2, m = 4, n = 2, k = 8, layout_c = array<i64: 0, 0, 2>}
  return
}

// -----

func.func @nothing_is_read(%a: memref<32xf32>, %b: memref<16xf32>, %c: memref<4x2xf32>) {
  // expected-error @below {{expects a without elements, as none is read, but got 'memref<32xf32>'}}
  boostrt.gemm ins(%a, %b : memref<32xf32>, memref<16xf32>) outs(%c : memref<4x2xf32>) {batch = 1, m = 4, n = 2, k = 0, layout_a = array<i64: 0, 0, 8>, layout_b = array<i64: 0, 0, 2>}
  return
}
