// RUN: boost-opt %s --boostrt-outline-kernels --boostrt-join-row-kernels --split-input-file | FileCheck %s

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>

// A sum of two tensors, the sum of its squares by rows, a number for every row, and what it scales. The first operation
// has one long loop, which becomes two. What is written in the kernel and read again is not noalias.
// CHECK-LABEL: func.func @norm(
// CHECK-SAME:    %[[X:.*]]: memref<16x16x512xf32>, %[[Y:.*]]: memref<16x16x512xf32>, %[[S:.*]]: memref<16x16xf32>, %[[R:.*]]: memref<16x16xf32>, %[[Z:.*]]: memref<16x16x512xbf16>)
// CHECK:         boostrt.launch @[[KERNEL:.*]][256] (%[[Y]], %[[X]], %[[S]], %[[R]], %[[Z]] :
// CHECK-SAME:      {num_outputs = 4 : i64}
// CHECK-NEXT:    return
// CHECK:       func.func private @[[KERNEL]](%{{.*}}: index, %{{.*}}: index,
// CHECK-SAME:    %[[A0:[a-z0-9]+]]: memref<256x512xf32> {llvm.noalias, llvm.readonly},
// CHECK-SAME:    %[[A1:[a-z0-9]+]]: memref<256x512xf32>,
// CHECK-SAME:    %[[A2:[a-z0-9]+]]: memref<256xf32>,
// CHECK-SAME:    %[[A3:[a-z0-9]+]]: memref<256xf32>,
// CHECK-SAME:    %[[A4:[a-z0-9]+]]: memref<256x512xbf16> {llvm.noalias})
// CHECK-SAME:    attributes {boost.kernel, boostrt.extent = 256 : i64}
// CHECK:         linalg.generic {{.*}}["parallel", "parallel"]} ins(%[[A1]], %[[A0]] : {{.*}}) outs(%[[A1]] :
// CHECK:         linalg.fill {{.*}} outs(%[[A2]] :
// CHECK-NEXT:    linalg.generic {{.*}}["parallel", "reduction"]} ins(%[[A1]] : {{.*}}) outs(%[[A2]] :
// CHECK:         linalg.generic {{.*}}["parallel"]} ins(%[[A2]] : {{.*}}) outs(%[[A3]] :
// CHECK:         linalg.generic {{.*}}["parallel", "parallel"]} ins(%[[A1]], %[[A3]] : {{.*}}) outs(%[[A4]] :
// CHECK:         return
// CHECK-NOT:   func.func
func.func @norm(%x: memref<16x16x512xf32>, %y: memref<16x16x512xf32>, %s: memref<16x16xf32>, %r: memref<16x16xf32>, %z: memref<16x16x512xbf16>) {
  linalg.add ins(%x, %y : memref<16x16x512xf32>, memref<16x16x512xf32>) outs(%x : memref<16x16x512xf32>)
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<16x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<16x16x512xf32>) outs(%s : memref<16x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %t = arith.addf %o, %q : f32
    linalg.yield %t : f32
  }
  linalg.rsqrt ins(%s : memref<16x16xf32>) outs(%r : memref<16x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %r : memref<16x16x512xf32>, memref<16x16xf32>) outs(%z : memref<16x16x512xbf16>) {
  ^bb0(%a: f32, %n: f32, %o: bf16):
    %m = arith.mulf %a, %n : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The sum moves up across a product that reads something else, and the kernels of both layers are one.
// CHECK-LABEL: func.func @across(
// CHECK-NEXT:    boostrt.launch @[[KERNEL:.*]][256] ({{.*}}) {boost.layer = #boost.layer<class = 0, index = 0>, num_outputs = 2 : i64}
// CHECK-NEXT:    boostrt.gemm
// CHECK-NEXT:    boostrt.launch @[[KERNEL]][256] ({{.*}}) {boost.layer = #boost.layer<class = 0, index = 1>, num_outputs = 2 : i64}
// CHECK-NEXT:    boostrt.gemm
// CHECK-NEXT:    return
func.func @across(%x: memref<256x256xf32>, %y: memref<256x256xf32>, %s: memref<256xf32>, %w: memref<256x256xf32>, %p: memref<256x256xf32>) {
  linalg.exp {boost.layer = #boost.layer<class = 0, index = 0>} ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  boostrt.gemm ins(%y, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%p : memref<256x256xf32>) {batch = 1 : i64, k = 256 : i64, m = 256 : i64, n = 256 : i64}
  linalg.reduce { arith.addf } ins(%y : memref<256x256xf32>) outs(%s : memref<256xf32>) dimensions = [1] {boost.layer = #boost.layer<class = 0, index = 0>}
  linalg.exp {boost.layer = #boost.layer<class = 0, index = 1>} ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  boostrt.gemm ins(%y, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%p : memref<256x256xf32>) {batch = 1 : i64, k = 256 : i64, m = 256 : i64, n = 256 : i64}
  linalg.reduce { arith.addf } ins(%y : memref<256x256xf32>) outs(%s : memref<256xf32>) dimensions = [1] {boost.layer = #boost.layer<class = 0, index = 1>}
  return
}

// -----

// What is recorded: of the joined buffers, what is read before it is written, and what is there in the end. Positions in
// the columns are those of the second loop.
// CHECK-LABEL: func.func @records(
// CHECK:         boostrt.launch
// CHECK-SAME:      boostrt.reads = [array<i64: 0>, array<i64: 1>, array<i64>], boostrt.writes = [array<i64: 4>, array<i64: 3>]
// CHECK:       func.func private
// CHECK:         linalg.generic
// CHECK:           linalg.index 1
func.func @records(%x: memref<256x256xf32>, %s: memref<256xf32>, %y: memref<256x256xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<256x256xf32>, memref<256x256xf32>) outs(%y : memref<256x256xf32>)
      attrs = {boostrt.reads = [array<i64: 0>, array<i64: 1>, array<i64>], boostrt.writes = [array<i64: 2>]} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %f = arith.sitofp %n : i32 to f32
    %c = arith.addf %a, %b : f32
    %d = arith.addf %c, %f : f32
    linalg.yield %d : f32
  }
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<256xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%y : memref<256x256xf32>) outs(%s : memref<256xf32>)
      attrs = {boostrt.reads = [array<i64: 2>, array<i64>], boostrt.writes = [array<i64: 3>]} {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%y, %s : memref<256x256xf32>, memref<256xf32>) outs(%y : memref<256x256xf32>)
      attrs = {boostrt.reads = [array<i64: 2>, array<i64: 3>, array<i64>], boostrt.writes = [array<i64: 4>]} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// The end of a layer and the beginning of the next one work on the same rows.
// CHECK-LABEL: func.func @layers(
// CHECK-NEXT:    boostrt.launch @{{.*}}[256] ({{.*}}) {boost.layer = #boost.layer<class = 0, index = 0>, num_outputs = 2 : i64}
// CHECK-NEXT:    return
func.func @layers(%x: memref<256x256xf32>, %y: memref<256x256xf32>, %s: memref<256xf32>) {
  linalg.exp {boost.layer = #boost.layer<class = 0, index = 0>} ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  linalg.reduce { arith.addf } ins(%y : memref<256x256xf32>) outs(%s : memref<256xf32>) dimensions = [1]
      {boost.layer = #boost.layer<class = 0, index = 1>}
  return
}

// -----

// The columns of what is scaled are summed, in chunks of four rows: each block has a chunk, of which the kernel sees the
// rows and the sums.
// CHECK-LABEL: func.func @columns(
// CHECK:         boostrt.launch @[[KERNEL:.*]][256] ({{.*}} : memref<256x4x256xf32>, memref<1024xf32>, memref<256x256xf32>, memref<1024x256xf32>)
// CHECK-SAME:      {num_outputs = 2 : i64}
// CHECK:       func.func private @[[KERNEL]](%{{.*}}: index, %{{.*}}: index,
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<256x4x256xf32> {llvm.noalias, llvm.readonly},
// CHECK-SAME:    %[[R:[a-z0-9]+]]: memref<256x4xf32> {llvm.noalias, llvm.readonly},
// CHECK-SAME:    %[[S:[a-z0-9]+]]: memref<256x256xf32> {llvm.noalias},
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<256x4x256xf32> {llvm.noalias})
// CHECK-SAME:    attributes {boost.kernel, boostrt.extent = 256 : i64}
// CHECK:         linalg.fill {{.*}} outs(%[[S]] :
// CHECK-NEXT:    linalg.generic {{.*}}["parallel", "reduction", "parallel"]} ins(%[[X]] : {{.*}}) outs(%[[S]] :
// CHECK:         linalg.generic {{.*}}["parallel", "parallel", "parallel"]} ins(%[[X]], %[[R]] : {{.*}}) outs(%[[Y]] :
// CHECK-NOT:   func.func
func.func @columns(%x: memref<256x4x256xf32>, %r: memref<1024xf32>, %s: memref<256x256xf32>, %y: memref<1024x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<256x256xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<256x4x256xf32>) outs(%s : memref<256x256xf32>) dimensions = [1]
  %rows = memref.collapse_shape %x [[0, 1], [2]] : memref<256x4x256xf32> into memref<1024x256xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%rows, %r : memref<1024x256xf32>, memref<1024xf32>) outs(%y : memref<1024x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  }
  return
}
