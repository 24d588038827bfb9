// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Operands are all tensors, with a result for every out, or all dense memrefs.

func.func @both(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expects either tensors or memrefs, but got both}}
  boostrt.copy ins(%x : tensor<4xf32>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @no_result(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{expects 1 results, but got 0}}
  boostrt.copy ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>)
  return
}

// -----

func.func @result_of_memref(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expects 0 results on memrefs, but got 1}}
  %0 = boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @result_type(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{expects a result of its out's type 'tensor<4xf32>', but got 'tensor<2x2xf32>'}}
  %0 = boostrt.copy ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @gaps(%x: memref<2x2xf32, strided<[4, 1]>>, %y: memref<2x2xf32>) {
  // expected-error @below {{expects dense row-major buffers, but got 'memref<2x2xf32, strided<[4, 1]>>'}}
  boostrt.copy ins(%x : memref<2x2xf32, strided<[4, 1]>>) outs(%y : memref<2x2xf32>)
  return
}

// -----

func.func @column_major(%x: memref<2x2xf32, strided<[1, 2]>>, %y: memref<2x2xf32>) {
  // expected-error @below {{expects dense row-major buffers, but got 'memref<2x2xf32, strided<[1, 2]>>'}}
  boostrt.copy ins(%x : memref<2x2xf32, strided<[1, 2]>>) outs(%y : memref<2x2xf32>)
  return
}

// -----

func.func @dynamic_stride(%x: memref<2x2xf32, strided<[?, 1]>>, %y: memref<2x2xf32>) {
  // expected-error @below {{expects static strides, but got 'memref<2x2xf32, strided<[?, 1]>>'}}
  boostrt.copy ins(%x : memref<2x2xf32, strided<[?, 1]>>) outs(%y : memref<2x2xf32>)
  return
}

// -----

func.func @one_buffer(%x: memref<4xf32>) {
  // expected-error @below {{expects outs that share no memory with other operands, but operands 0 and 1 are one buffer}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// -----

func.func @no_outs() {
  // expected-error @below {{expects one out or more, but got none}}
  "boostrt.all_reduce"() <{reduction = #boost<reduction sum>, group = 1 : i32}> : () -> ()
  return
}

// -----

// A product may leave gaps in its result if it says how that lies.
func.func @gaps_in_a_factor(%a: memref<4x8xf32, strided<[16, 1]>>, %b: memref<8x2xf32>, %c: memref<4x2xf32>) {
  // expected-error @below {{expects dense row-major buffers, but got 'memref<4x8xf32, strided<[16, 1]>>'}}
  boostrt.gemm ins(%a, %b : memref<4x8xf32, strided<[16, 1]>>, memref<8x2xf32>) outs(%c : memref<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8, layout_c = array<i64: 0, 0, 2>}
  return
}

// -----

func.func @gaps_in_a_result(%a: memref<4x8xf32>, %b: memref<8x2xf32>, %c: memref<4x2xf32, strided<[4, 1]>>) {
  // expected-error @below {{expects dense row-major buffers, but got 'memref<4x2xf32, strided<[4, 1]>>'}}
  boostrt.gemm ins(%a, %b : memref<4x8xf32>, memref<8x2xf32>) outs(%c : memref<4x2xf32, strided<[4, 1]>>) {batch = 1, m = 4, n = 2, k = 8}
  return
}
