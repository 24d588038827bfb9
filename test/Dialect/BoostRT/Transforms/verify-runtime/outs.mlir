// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// Outs of kernels that share memory with other operands, products that add to theirs, and where results are.

// Elements are read where they are written, but of memory that is shifted by one element.
#id = affine_map<(i) -> (i)>
func.func private @negate(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  }
  return
}

func.func @shifted(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 32>, array<i64: 64, 32>, array<i64: 128, 32>]} {
  %oa = arith.constant 64 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<5xf32>
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<5xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 68 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 1, 4>} : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%x : memref<5xf32>) outs(%a : memref<5xf32>)
  // expected-error @below {{expects outs that share no memory with other operands, but operands 0 and 1 do}}
  boostrt.launch @negate[4] (%y, %z : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64}
  return
}

// -----

// Two outs are one.
#id = affine_map<(i) -> (i)>
func.func private @two(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>)
    attributes {boost.kernel, boostrt.extent = 4 : i64} {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y, %z : memref<4xf32>, memref<4xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %n = arith.negf %in : f32
    linalg.yield %n, %in : f32, f32
  }
  return
}

func.func @two_outs(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 32>, array<i64: 64, 32>, array<i64: 128, 32>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects outs that share no memory with other operands, but operands 1 and 2 do}}
  boostrt.launch @two[4] (%x, %y, %y : memref<4xf32>, memref<4xf32>, memref<4xf32>) {num_outputs = 2 : i64}
  return
}

// -----

// They share the last element of one with the first of the other.
#id = affine_map<(i) -> (i)>
func.func private @two(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>)
    attributes {boost.kernel, boostrt.extent = 4 : i64} {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y, %z : memref<4xf32>, memref<4xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %n = arith.negf %in : f32
    linalg.yield %n, %in : f32, f32
  }
  return
}

func.func @two_outs_overlap(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 32>, array<i64: 64, 32>, array<i64: 128, 32>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 76 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 12>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects outs that share no memory with other operands, but operands 1 and 2 do}}
  boostrt.launch @two[4] (%x, %y, %z : memref<4xf32>, memref<4xf32>, memref<4xf32>) {num_outputs = 2 : i64}
  return
}

// -----

// Outs that lie next to each other are apart.
#id = affine_map<(i) -> (i)>
func.func private @two(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>)
    attributes {boost.kernel, boostrt.extent = 4 : i64} {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y, %z : memref<4xf32>, memref<4xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %n = arith.negf %in : f32
    linalg.yield %n, %in : f32, f32
  }
  return
}

func.func @two_outs_apart(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 32>, array<i64: 64, 32>, array<i64: 128, 32>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 80 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 16>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.launch @two[4] (%x, %y, %z : memref<4xf32>, memref<4xf32>, memref<4xf32>) {num_outputs = 2 : i64}
  return
}

// -----

// A product, and one that is added to it.
func.func @products(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 32>, array<i64: 64, 32>, array<i64: 128, 32>],
    boostrt.results = []} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2x2xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2x2xf32>
  boostrt.gemm ins(%x, %x : memref<2x2xf32>, memref<2x2xf32>) outs(%y : memref<2x2xf32>)
      {batch = 1, m = 2, n = 2, k = 2, boostrt.reads = [array<i64: 0>, array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 3>]}
  boostrt.gemm ins(%x, %x : memref<2x2xf32>, memref<2x2xf32>) outs(%y : memref<2x2xf32>)
      {accumulate, batch = 1, m = 2, n = 2, k = 2, boostrt.reads = [array<i64: 0>, array<i64: 0>, array<i64: 3>], boostrt.writes = [array<i64: 4>]}
  return
}

// -----

// A product of what is undefined on tensors as well.
func.func @undefined_product(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 32>, array<i64: 64, 32>, array<i64: 128, 32>],
    boostrt.results = []} {
  %ox = arith.constant 64 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2x2xf32>
  %oy = arith.constant 128 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<2x2xf32>
  boostrt.gemm ins(%x, %x : memref<2x2xf32>, memref<2x2xf32>) outs(%y : memref<2x2xf32>)
      {batch = 1, m = 2, n = 2, k = 2, boostrt.reads = [array<i64>, array<i64>, array<i64>], boostrt.writes = [array<i64: 3>]}
  return
}

// -----

// expected-error @below {{expects result 0 in a buffer in [0, 3), but got -1}}
func.func @empty_result(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 32>, array<i64: 64, 32>, array<i64: 128, 32>],
    boostrt.results = [array<i64>]} {
  return
}

// -----

// expected-error @below {{expects result 0 in a buffer in [0, 3), but got -1}}
func.func @negative_result(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 32>, array<i64: 64, 32>, array<i64: 128, 32>],
    boostrt.results = [array<i64: -1, 0>]} {
  return
}
