// RUN: boost-opt %s --boostrt-outline-kernels --convert-kernels-to-gpu --canonicalize --split-input-file | FileCheck %s

// A block for each tile of 64 x 64: eight elements at a time along the rows of the
// input, which are written to rows of 66, and after one barrier eight at a time along
// those of the output, each from a row of its own.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    workgroup(%[[TILE:.*]] : memref<64x66xbf16, #gpu.address_space<workgroup>>)
// CHECK-SAME:    form = "tile"
// CHECK-SAME:    known_grid_size = array<i32: 32, 1, 1>
// CHECK-NOT:     scf.if
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c512 step %c256
// CHECK:           vector.load %{{.*}} {alignment = 16 : i64} : memref<131072xbf16>, vector<8xbf16>
// CHECK-COUNT-8:   memref.store %{{.*}}, %[[TILE]]
// CHECK:         gpu.barrier
// CHECK:         scf.for
// CHECK-COUNT-8:   memref.load %[[TILE]]
// CHECK:           vector.store %{{.*}} {alignment = 16 : i64} : memref<131072xbf16>, vector<8xbf16>
func.func @matrix(%arena: memref<1048576xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 524288 : index
  %x = memref.view %arena[%c0][] : memref<1048576xi8> to memref<512x256xbf16>
  %y = memref.view %arena[%c1][] : memref<1048576xi8> to memref<256x512xbf16>
  linalg.transpose ins(%x : memref<512x256xbf16>) outs(%y : memref<256x512xbf16>) permutation = [1, 0]
  return
}

// -----

// Tiles that reach beyond the elements leave those out; rows of 35 are read one by
// one, those of 36 written in vectors.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    workgroup(%[[TILE:.*]] : memref<32x33xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME:    known_grid_size = array<i32: 12, 1, 1>
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c1024 step %c256
// CHECK:           scf.if
// CHECK:             memref.load
// CHECK:             memref.store %{{.*}}, %[[TILE]]
// CHECK:         gpu.barrier
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c256 step %c256
// CHECK:           scf.if
// CHECK-COUNT-4:     memref.load %[[TILE]]
// CHECK:             vector.store
func.func @batch(%arena: memref<1048576xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 524288 : index
  %x = memref.view %arena[%c0][] : memref<1048576xi8> to memref<3x36x35xf32>
  %y = memref.view %arena[%c1][] : memref<1048576xi8> to memref<3x35x36xf32>
  linalg.transpose ins(%x : memref<3x36x35xf32>) outs(%y : memref<3x35x36xf32>) permutation = [0, 2, 1]
  return
}

// -----

// The last dimension stays where it is: rows are copied, without shared memory.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    form = "thread"
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @heads(%arena: memref<1048576xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 524288 : index
  %x = memref.view %arena[%c0][] : memref<1048576xi8> to memref<20x16x32xf32>
  %y = memref.view %arena[%c1][] : memref<1048576xi8> to memref<16x20x32xf32>
  linalg.transpose ins(%x : memref<20x16x32xf32>) outs(%y : memref<16x20x32xf32>) permutation = [1, 0, 2]
  return
}

// -----

// Too few columns for a tile.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    form = "thread"
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @narrow(%arena: memref<1048576xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 524288 : index
  %x = memref.view %arena[%c0][] : memref<1048576xi8> to memref<512x8xf32>
  %y = memref.view %arena[%c1][] : memref<1048576xi8> to memref<8x512xf32>
  linalg.transpose ins(%x : memref<512x8xf32>) outs(%y : memref<8x512xf32>) permutation = [1, 0]
  return
}

// -----

// Booleans are bytes in a tile, too: rows of 66, read eight at a time.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    workgroup(%[[TILE:.*]] : memref<64x66xi8, #gpu.address_space<workgroup>>)
// CHECK-SAME:    form = "tile"
// CHECK:         vector.load %{{.*}} {alignment = 8 : i64} : memref<8192xi8>, vector<8xi8>
// CHECK-COUNT-8: memref.store %{{.*}}, %[[TILE]]
// CHECK:         gpu.barrier
// CHECK-COUNT-8: memref.load %[[TILE]]
// CHECK:         vector.store %{{.*}} {alignment = 8 : i64} : memref<8192xi8>, vector<8xi8>
func.func @booleans(%arena: memref<16384xi8>) {
  %c0 = arith.constant 0 : index
  %c8192 = arith.constant 8192 : index
  %x = memref.view %arena[%c0][] : memref<16384xi8> to memref<64x128xi1>
  %y = memref.view %arena[%c8192][] : memref<16384xi8> to memref<128x64xi1>
  linalg.transpose ins(%x : memref<64x128xi1>) outs(%y : memref<128x64xi1>) permutation = [1, 0]
  return
}
