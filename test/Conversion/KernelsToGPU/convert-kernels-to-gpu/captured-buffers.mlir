// RUN: boost-opt %s --boostrt-outline-kernels --convert-kernels-to-gpu --canonicalize --split-input-file | FileCheck %s
// Bodies that load from a buffer at places that they compute: rows that ids choose.

// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    %[[TABLE:[a-z0-9]+]]: memref<9x100xf32>
// CHECK-SAME:    %[[IDS:[a-z0-9]+]]: memref<5xi32>
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: memref<100x5xf32, strided<[1, 100]>>
// CHECK:         %[[COLUMN:.*]] = arith.remui %[[NUMBER:.*]], %c100
// CHECK-NEXT:    %[[ROW:.*]] = arith.divui %[[NUMBER]], %c100
// CHECK-NEXT:    %[[ID:.*]] = memref.load %[[IDS]][%[[ROW]]]
// CHECK:         %[[PLACE:.*]] = arith.index_cast %[[ID]]
// CHECK:         %[[V:.*]] = memref.load %[[TABLE]][%[[PLACE]], %[[COLUMN]]]
// CHECK:         memref.store %[[V]], %[[OUT]][%[[COLUMN]], %[[ROW]]]
func.func @gather(%arena: memref<8192xi8>) {
  %c0 = arith.constant 0 : index
  %c4096 = arith.constant 4096 : index
  %c4224 = arith.constant 4224 : index
  %table = memref.view %arena[%c0][] : memref<8192xi8> to memref<9x100xf32>
  %ids = memref.view %arena[%c4096][] : memref<8192xi8> to memref<5xi32>
  %y = memref.view %arena[%c4224][] : memref<8192xi8> to memref<5x100xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%ids : memref<5xi32>) outs(%y : memref<5x100xf32>) {
  ^bb0(%id: i32, %out: f32):
    %row = arith.index_cast %id : i32 to index
    %column = linalg.index 1 : index
    %v = memref.load %table[%row, %column] : memref<9x100xf32>
    linalg.yield %v : f32
  }
  return
}

// -----

// The threads of a block sum such elements, and share memory besides.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    %[[TABLE:[a-z0-9]+]]: memref<9xf32>
// CHECK-SAME:    %[[IDS:[a-z0-9]+]]: memref<2x4096xi32>
// CHECK-SAME:    workgroup(
// CHECK:         scf.for
// CHECK:           %[[ID:.*]] = memref.load %[[IDS]]
// CHECK:           %[[PLACE:.*]] = arith.index_cast %[[ID]]
// CHECK:           %[[V:.*]] = memref.load %[[TABLE]][%[[PLACE]]]
// CHECK:           arith.addf %{{.*}}, %[[V]]
func.func @sum_of_gathered(%arena: memref<65536xi8>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c49152 = arith.constant 49152 : index
  %table = memref.view %arena[%c0][] : memref<65536xi8> to memref<9xf32>
  %ids = memref.view %arena[%c128][] : memref<65536xi8> to memref<2x4096xi32>
  %y = memref.view %arena[%c49152][] : memref<65536xi8> to memref<2xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%ids : memref<2x4096xi32>) outs(%y : memref<2xf32>) {
  ^bb0(%id: i32, %acc: f32):
    %place = arith.index_cast %id : i32 to index
    %v = memref.load %table[%place] : memref<9xf32>
    %s = arith.addf %acc, %v : f32
    linalg.yield %s : f32
  }
  return
}
