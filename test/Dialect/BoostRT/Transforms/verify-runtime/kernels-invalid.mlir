// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// What kernels write over what they read.

func.func private @transpose(%begin: index, %end: index, %x: memref<2x2xf32>, %y: memref<2x2xf32>) attributes {boost.kernel, boostrt.extent = 2 : i64} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<2x2xf32>) outs(%y : memref<2x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

func.func @transposed_in_place(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 64, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2x2xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2x2xf32>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<2x2xf32>
  boostrt.copy ins(%x : memref<2x2xf32>) outs(%y : memref<2x2xf32>)
  // expected-error @below {{expects outs that share no memory with other operands, but operands 0 and 1 do}}
  boostrt.launch @transpose[2] (%y, %z : memref<2x2xf32>, memref<2x2xf32>) {num_outputs = 1 : i64}

  return
}

// -----

func.func private @negate(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32> {llvm.noalias}) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  }
  return
}

func.func @declared_apart(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 64, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  // expected-error @below {{expects outs that share no memory with other operands, but operands 0 and 1 do}}
  boostrt.launch @negate[4] (%y, %z : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64}

  return
}

// -----

func.func private @part(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<2xf32>) attributes {boost.kernel, boostrt.extent = 2 : i64} {
  // expected-error @below {{expects loops over all elements of the kernel's buffers, as boostrt-outline-kernels makes them}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y : memref<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

func.func @odd_kernel(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2xf32>
  boostrt.launch @part[2] (%x, %y : memref<4xf32>, memref<2xf32>) {num_outputs = 1 : i64}

  return
}

// -----

func.func private @unknown_memory(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one_of_them = scf.for %i = %c0 to %c1 step %c1 iter_args(%last = %x) -> memref<4xf32> {
    scf.yield %y : memref<4xf32>
  }
  // expected-error @below {{expects loops over all elements of the kernel's buffers, as boostrt-outline-kernels makes them}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%one_of_them : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

func.func @memory_from_a_loop(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.launch @unknown_memory[4] (%x, %y : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64}

  return
}

// -----

func.func private @both(%begin: index, %end: index, %x: memref<2x2xf32>) attributes {boost.kernel, boostrt.extent = 2 : i64} {
  // expected-error @below {{expects elements that are read where they are written, but reads others of the same buffer}}
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<2x2xf32>) outs(%x : memref<2x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

func.func @one_buffer(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2x2xf32>
  boostrt.launch @both[2] (%x : memref<2x2xf32>) {num_outputs = 1 : i64}

  return
}

// -----

func.func private @nobody(index, index, memref<4xf32>) attributes {boost.kernel}

func.func @no_body(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects a kernel with a body; run boost-verify-runtime before convert-kernels-to-llvm}}
  boostrt.launch @nobody[4] (%x : memref<4xf32>) {num_outputs = 1 : i64}

  return
}

// -----

func.func private @call(%begin: index, %end: index, %x: memref<4xf32>) attributes {boost.kernel} {
  // expected-error @below {{is not expected in a kernel of boostrt-outline-kernels}}
  memref.copy %x, %x : memref<4xf32> to memref<4xf32>
  return
}

func.func @unknown_operation(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.launch @call[4] (%x : memref<4xf32>) {num_outputs = 1 : i64}

  return
}

// -----

// Of several operations on rows one reads other rows than it was written.
func.func private @rows(%begin: index, %end: index, %x: memref<2x2xf32>, %y: memref<2x2xf32>, %z: memref<2x2xf32>) attributes {boost.kernel, boostrt.extent = 2 : i64} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<2x2xf32>) outs(%y : memref<2x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  // expected-error @below {{expects to share rows with the other operations of the kernel, as boostrt-join-row-kernels makes them}}
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<2x2xf32>) outs(%z : memref<2x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

func.func @other_rows(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2x2xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2x2xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<2x2xf32>
  boostrt.launch @rows[2] (%x, %y, %z : memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) {num_outputs = 2 : i64}

  return
}
