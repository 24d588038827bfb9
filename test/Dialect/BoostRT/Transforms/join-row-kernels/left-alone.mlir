// RUN: boost-opt %s --boostrt-outline-kernels --boostrt-join-row-kernels | FileCheck %s
// Kernels that stay two.

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// There are too few rows for the blocks of a GPU.
// CHECK-LABEL:   func.func @few_rows(
// CHECK-COUNT-2:   boostrt.launch
func.func @few_rows(%x: memref<128x256xf32>, %y: memref<128x256xf32>, %s: memref<128xf32>) {
  linalg.exp ins(%x : memref<128x256xf32>) outs(%y : memref<128x256xf32>)
  linalg.reduce { arith.addf } ins(%y : memref<128x256xf32>) outs(%s : memref<128xf32>) dimensions = [1]
  return
}

// A row is too short for the threads of a block.
// CHECK-LABEL:   func.func @short_rows(
// CHECK-COUNT-2:   boostrt.launch
func.func @short_rows(%x: memref<256x64xf32>, %y: memref<256x64xf32>, %s: memref<256xf32>) {
  linalg.exp ins(%x : memref<256x64xf32>) outs(%y : memref<256x64xf32>)
  linalg.reduce { arith.addf } ins(%y : memref<256x64xf32>) outs(%s : memref<256xf32>) dimensions = [1]
  return
}

// Columns are summed.
// CHECK-LABEL:   func.func @columns(
// CHECK-COUNT-2:   boostrt.launch
func.func @columns(%x: memref<256x256xf32>, %y: memref<256x256xf32>, %s: memref<256xf32>) {
  linalg.exp ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  linalg.reduce { arith.addf } ins(%y : memref<256x256xf32>) outs(%s : memref<256xf32>) dimensions = [0]
  return
}

// A row of the sum needs what other rows write.
// CHECK-LABEL:   func.func @transposed(
// CHECK-COUNT-2:   boostrt.launch
func.func @transposed(%x: memref<256x256xf32>, %y: memref<256x256xf32>, %s: memref<256xf32>) {
  linalg.transpose ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>) permutation = [1, 0]
  linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : memref<256x256xf32>, memref<256x256xf32>) outs(%s : memref<256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.mulf %a, %b : f32
    %t = arith.addf %o, %c : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#all, affine_map<(i, j) -> (j)>, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<256x256xf32>, memref<256xf32>) outs(%y : memref<256x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  }
  return
}

// They have nothing in common.
// CHECK-LABEL:   func.func @apart(
// CHECK-COUNT-2:   boostrt.launch
func.func @apart(%x: memref<256x256xf32>, %y: memref<256x256xf32>, %z: memref<256x256xf32>, %s: memref<256xf32>) {
  linalg.exp ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  linalg.reduce { arith.addf } ins(%z : memref<256x256xf32>) outs(%s : memref<256xf32>) dimensions = [1]
  return
}

// What stands between them reads what the first one writes, and writes what the second one reads.
// CHECK-LABEL:   func.func @between(
// CHECK:           boostrt.launch
// CHECK:           boostrt.gemm
// CHECK:           boostrt.launch
func.func @between(%x: memref<256x256xf32>, %y: memref<256x256xf32>, %z: memref<256x256xf32>, %s: memref<256xf32>) {
  linalg.exp ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  boostrt.gemm ins(%y, %x : memref<256x256xf32>, memref<256x256xf32>) outs(%z : memref<256x256xf32>) {batch = 1 : i64, k = 256 : i64, m = 256 : i64, n = 256 : i64}
  linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y, %z : memref<256x256xf32>, memref<256x256xf32>) outs(%s : memref<256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.mulf %a, %b : f32
    %t = arith.addf %o, %c : f32
    linalg.yield %t : f32
  }
  return
}

// They belong to other phases.
// CHECK-LABEL:   func.func @phases(
// CHECK-COUNT-2:   boostrt.launch
func.func @phases(%x: memref<256x256xf32>, %y: memref<256x256xf32>, %s: memref<256xf32>) {
  linalg.exp ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  linalg.reduce { arith.addf } ins(%y : memref<256x256xf32>) outs(%s : memref<256xf32>) dimensions = [1] {boost.phase = "backward"}
  return
}

// Where in memory it reads depends on what it has computed.
// CHECK-LABEL:   func.func @loads(
// CHECK-COUNT-2:   boostrt.launch
func.func @loads(%x: memref<256x256xf32>, %i: memref<256xi32>, %y: memref<256x256xf32>, %s: memref<256xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<256x256xf32>) outs(%s : memref<256xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#row, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%i, %s : memref<256xi32>, memref<256xf32>) outs(%y : memref<256x256xf32>) {
  ^bb0(%a: i32, %b: f32, %o: f32):
    %r = arith.index_cast %a : i32 to index
    %j = linalg.index 1 : index
    %l = memref.load %x[%r, %j] : memref<256x256xf32>
    %t = arith.mulf %l, %b : f32
    linalg.yield %t : f32
  }
  return
}

// There are too few chunks of rows, whose columns are summed, for the blocks of a GPU.
// CHECK-LABEL:   func.func @few_chunks(
// CHECK-COUNT-2:   boostrt.launch
func.func @few_chunks(%x: memref<128x8x256xf32>, %s: memref<128x256xf32>, %y: memref<128x8x256xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<128x8x256xf32>) outs(%s : memref<128x256xf32>) dimensions = [1]
  linalg.exp ins(%x : memref<128x8x256xf32>) outs(%y : memref<128x8x256xf32>)
  return
}

// A thread would have too many columns.
// CHECK-LABEL:   func.func @long_rows(
// CHECK-COUNT-2:   boostrt.launch
func.func @long_rows(%x: memref<256x4x8200xf32>, %s: memref<256x8200xf32>, %y: memref<256x4x8200xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<256x4x8200xf32>) outs(%s : memref<256x8200xf32>) dimensions = [1]
  linalg.exp ins(%x : memref<256x4x8200xf32>) outs(%y : memref<256x4x8200xf32>)
  return
}

// What is computed depends on the number of the row, which would be one of a chunk.
// CHECK-LABEL:   func.func @row_numbers(
// CHECK-COUNT-2:   boostrt.launch
func.func @row_numbers(%x: memref<256x4x256xf32>, %s: memref<256x256xf32>, %y: memref<1024x256xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<256x4x256xf32>) outs(%s : memref<256x256xf32>) dimensions = [1]
  %rows = memref.collapse_shape %x [[0, 1], [2]] : memref<256x4x256xf32> into memref<1024x256xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%rows : memref<1024x256xf32>) outs(%y : memref<1024x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %t = arith.mulf %a, %f : f32
    linalg.yield %t : f32
  }
  return
}
