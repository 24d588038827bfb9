// RUN: boost-opt %s --boostrt-outline-kernels --convert-kernels-to-gpu --canonicalize --split-input-file | FileCheck %s
// Only where there are more threads than results, some do nothing.

// Eight rows of as many warps, each in two blocks of four.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    form = "warp", known_grid_size = array<i32: 2, 1, 1>
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:         gpu.shuffle
// CHECK:         arith.cmpi eq, %{{.*}}, %c0
// CHECK-NEXT:    scf.if
// CHECK-NOT:     scf.if
// CHECK:         gpu.return
func.func @warps(%arena: memref<16384xi8>) {
  %c0 = arith.constant 0 : index
  %c8192 = arith.constant 8192 : index
  %x = memref.view %arena[%c0][] : memref<16384xi8> to memref<8x64xf32>
  %y = memref.view %arena[%c8192][] : memref<16384xi8> to memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x64xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Seven rows leave a warp without one.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    form = "warp", known_grid_size = array<i32: 2, 1, 1>
// CHECK:         %[[WARP:.*]] = arith.divui %{{.*}}, %c32
// CHECK:         %[[NEEDED:.*]] = arith.cmpi ult, %[[WARP]], %c7
// CHECK-NEXT:    scf.if %[[NEEDED]]
// CHECK:           scf.for
func.func @seven_warps(%arena: memref<16384xi8>) {
  %c0 = arith.constant 0 : index
  %c8192 = arith.constant 8192 : index
  %x = memref.view %arena[%c0][] : memref<16384xi8> to memref<7x64xf32>
  %y = memref.view %arena[%c8192][] : memref<16384xi8> to memref<7xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<7x64xf32>) outs(%y : memref<7xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A block for each of three rows.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    form = "block", known_grid_size = array<i32: 3, 1, 1>
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:         gpu.barrier
func.func @blocks(%arena: memref<65536xi8>) {
  %c0 = arith.constant 0 : index
  %c60032 = arith.constant 60032 : index
  %x = memref.view %arena[%c0][] : memref<65536xi8> to memref<3x4096xf32>
  %y = memref.view %arena[%c60032][] : memref<65536xi8> to memref<3xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3x4096xf32>) outs(%y : memref<3xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// 64 threads of a block take eight bytes each.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    form = "thread", known_grid_size = array<i32: 1, 1, 1>
// CHECK:         %[[NEEDED:.*]] = arith.cmpi ult, %[[THREAD:.*]], %c64
// CHECK-NEXT:    scf.if %[[NEEDED]]
// CHECK-NEXT:      %[[PLACE:.*]] = arith.muli %[[THREAD]], %c8
// CHECK:           vector.load %{{.*}}[%[[PLACE]]] {alignment = 8 : i64} : memref<512xi8>, vector<8xi8>
func.func @bytes(%arena: memref<16384xi8>) {
  %c0 = arith.constant 0 : index
  %c8192 = arith.constant 8192 : index
  %x = memref.view %arena[%c0][] : memref<16384xi8> to memref<512xi8>
  %y = memref.view %arena[%c8192][] : memref<16384xi8> to memref<512xi8>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<512xi8>) outs(%y : memref<512xi8>) {
  ^bb0(%in: i8, %out: i8):
    %s = arith.addi %in, %in : i8
    linalg.yield %s : i8
  }
  return
}

// -----

// All threads of a block take eight bytes each.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    form = "thread", known_grid_size = array<i32: 1, 1, 1>
// CHECK-NOT:     scf.if
// CHECK:         vector.store %{{.*}} {alignment = 8 : i64} : memref<2048xi8>, vector<8xi8>
func.func @all_threads(%arena: memref<16384xi8>) {
  %c0 = arith.constant 0 : index
  %c8192 = arith.constant 8192 : index
  %x = memref.view %arena[%c0][] : memref<16384xi8> to memref<2048xi8>
  %y = memref.view %arena[%c8192][] : memref<16384xi8> to memref<2048xi8>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<2048xi8>) outs(%y : memref<2048xi8>) {
  ^bb0(%in: i8, %out: i8):
    %s = arith.addi %in, %in : i8
    linalg.yield %s : i8
  }
  return
}
