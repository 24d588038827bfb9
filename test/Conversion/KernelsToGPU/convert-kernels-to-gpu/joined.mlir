// RUN: boost-opt %s --convert-kernels-to-gpu --canonicalize --split-input-file | FileCheck %s
// Kernels of several operations on the same rows.

// A block of 128 threads, one for each vector of a row, sums the row; all threads wait for the sum that the first one
// writes, and scale the row by it.
// CHECK-LABEL: gpu.func @kernel(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<256x1024xbf16>
// CHECK-SAME:    %[[S:[a-z0-9]+]]: memref<256xf32>
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<256x1024xbf16>
// CHECK-SAME:    workgroup(%[[SHARED:.*]] : memref<4xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME:    form = "row"
// CHECK-SAME:    known_block_size = array<i32: 128, 1, 1>
// CHECK-SAME:    known_grid_size = array<i32: 256, 1, 1>
// CHECK:         vector.load {{.*}} : memref<262144xbf16>, vector<8xbf16>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK:         gpu.barrier
// CHECK:         memref.store %{{.*}}, %[[S]]
// CHECK:         gpu.barrier
// CHECK:         vector.load {{.*}} : memref<262144xbf16>, vector<8xbf16>
// CHECK:         memref.load %[[S]]
// CHECK:         vector.store {{.*}} : memref<262144xbf16>, vector<8xbf16>
// CHECK-NEXT:    gpu.return
func.func private @kernel(%begin: index, %end: index, %x: memref<256x1024xbf16> {llvm.noalias, llvm.readonly}, %s: memref<256xf32>,
                          %y: memref<256x1024xbf16> {llvm.noalias}) attributes {boost.kernel, boostrt.extent = 256 : i64} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<256xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<256x1024xbf16>) outs(%s : memref<256xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %w = arith.extf %a : bf16 to f32
    %t = arith.addf %o, %w : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<256x1024xbf16>, memref<256xf32>) outs(%y : memref<256x1024xbf16>) {
  ^bb0(%a: bf16, %b: f32, %o: bf16):
    %w = arith.extf %a : bf16 to f32
    %m = arith.mulf %w, %b : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}
func.func @f(%arena: memref<2097152xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 524288 : index
  %c2 = arith.constant 1048576 : index
  %x = memref.view %arena[%c0][] : memref<2097152xi8> to memref<256x1024xbf16>
  %s = memref.view %arena[%c1][] : memref<2097152xi8> to memref<256xf32>
  %y = memref.view %arena[%c2][] : memref<2097152xi8> to memref<256x1024xbf16>
  boostrt.launch @kernel[256] (%x, %s, %y : memref<256x1024xbf16>, memref<256xf32>, memref<256x1024xbf16>) {num_outputs = 2 : i64}
  return
}

// -----

// Rows of 64,000 bytes: 1,024 threads a block, so that those that a processor runs at a time, two blocks, find their rows
// in its cache.
// CHECK-LABEL: gpu.func @long(
// CHECK-SAME:    known_block_size = array<i32: 1024, 1, 1>
// CHECK-SAME:    known_grid_size = array<i32: 256, 1, 1>
func.func private @long(%begin: index, %end: index, %x: memref<256x16000xf32> {llvm.noalias, llvm.readonly}, %m: memref<256xf32>,
                        %s: memref<256xf32> {llvm.noalias}) attributes {boost.kernel, boostrt.extent = 256 : i64} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<256x16000xf32>) outs(%m : memref<256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %o, %a : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : memref<256x16000xf32>, memref<256xf32>) outs(%s : memref<256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %t = arith.addf %o, %d : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// A block goes through the four rows of its chunk. A thread keeps the sums of its columns in registers from row to row,
// and stores them after the last one. 80 vectors of a row leave some of the 96 threads without.
// CHECK-LABEL: gpu.func @columns(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<256x4x320xf32>
// CHECK-SAME:    %[[S:[a-z0-9]+]]: memref<256x320xf32>
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<256x4x320xf32>
// CHECK-SAME:    form = "row"
// CHECK-SAME:    known_block_size = array<i32: 96, 1, 1>
// CHECK-SAME:    known_grid_size = array<i32: 256, 1, 1>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-DAG:     %[[ROWS:.*]] = arith.constant 4 : index
// CHECK:         %[[SUMS:.*]] = scf.for %{{.*}} to %[[ROWS]] {{.*}} iter_args(%[[BEFORE:.*]] = %[[ZERO]]) -> (vector<4xf32>)
// CHECK:           %[[AFTER:.*]] = scf.if {{.*}} -> (vector<4xf32>)
// CHECK:             vector.load
// CHECK:             arith.addf
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[BEFORE]]
// CHECK:           gpu.barrier
// CHECK:           scf.if
// CHECK:             vector.load
// CHECK:             vector.store
// CHECK:           scf.yield %[[AFTER]]
// CHECK:         scf.if
// CHECK:           arith.addf %[[SUMS]]
// CHECK:           vector.store
func.func private @columns(%begin: index, %end: index, %x: memref<256x4x320xf32> {llvm.noalias, llvm.readonly},
                           %s: memref<256x320xf32> {llvm.noalias}, %y: memref<256x4x320xf32> {llvm.noalias})
    attributes {boost.kernel, boostrt.extent = 256 : i64} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<256x320xf32>)
  linalg.generic {indexing_maps = [affine_map<(c, i, j) -> (c, i, j)>, affine_map<(c, i, j) -> (c, j)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : memref<256x4x320xf32>) outs(%s : memref<256x320xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [affine_map<(c, i, j) -> (c, i, j)>, affine_map<(c, i, j) -> (c, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<256x4x320xf32>) outs(%y : memref<256x4x320xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.negf %a : f32
    linalg.yield %t : f32
  }
  return
}
func.func @f(%arena: memref<4194304xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1310720 : index
  %c2 = arith.constant 2097152 : index
  %x = memref.view %arena[%c0][] : memref<4194304xi8> to memref<256x4x320xf32>
  %s = memref.view %arena[%c1][] : memref<4194304xi8> to memref<256x320xf32>
  %y = memref.view %arena[%c2][] : memref<4194304xi8> to memref<256x4x320xf32>
  boostrt.launch @columns[256] (%x, %s, %y : memref<256x4x320xf32>, memref<256x320xf32>, memref<256x4x320xf32>) {num_outputs = 2 : i64}
  return
}
