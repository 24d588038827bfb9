// RUN: boost-opt %s --boostrt-outline-kernels --convert-kernels-to-gpu --canonicalize --split-input-file | FileCheck %s

// A warp sums a short row, in f32; its lanes meet in shuffles, without shared
// memory or a barrier.
// CHECK-LABEL:   gpu.func @kernel_0(
// CHECK-SAME:      known_grid_size = array<i32: 2, 1, 1>
// CHECK:           %[[PARTS:.*]] = scf.for {{.*}} -> (vector<8xf32>)
// CHECK:           gpu.shuffle xor %{{.*}}, %c16
// CHECK-COUNT-4:   gpu.shuffle xor
// CHECK:           arith.truncf %{{.*}} : f32 to bf16
// CHECK-NOT:       gpu.barrier
func.func @short(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c2048 = arith.constant 2048 : index
  %x = memref.view %arena[%c0][] : memref<4096xi8> to memref<8x64xbf16>
  %y = memref.view %arena[%c2048][] : memref<4096xi8> to memref<8xbf16>
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%y : memref<8xbf16>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x64xbf16>) outs(%y : memref<8xbf16>) {
  ^bb0(%in: bf16, %acc: bf16):
    %s = arith.addf %acc, %in : bf16
    linalg.yield %s : bf16
  }
  return
}

// -----

// A block takes the maximum of a long row: its warps meet in shared memory,
// after one barrier. What the output has takes part.
// CHECK-LABEL:   gpu.func @kernel_0(
// CHECK-SAME:      workgroup(%[[SHARED:.*]] : memref<8xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME:      known_grid_size = array<i32: 3, 1, 1>
// CHECK:           %[[LOWEST:.*]] = arith.constant dense<0xFF800000> : vector<4xf32>
// CHECK:           scf.for {{.*}} iter_args(%{{.*}} = %[[LOWEST]]) -> (vector<4xf32>)
// CHECK-COUNT-5:   gpu.shuffle xor
// CHECK:           memref.store %{{.*}}, %[[SHARED]]
// CHECK:           gpu.barrier
// CHECK-COUNT-8:   memref.load %[[SHARED]]
// CHECK:           %[[OLD:.*]] = memref.load
// CHECK:           %[[NEW:.*]] = arith.maximumf %[[OLD]], %{{.*}}
// CHECK:           memref.store %[[NEW]]
func.func @long(%arena: memref<65536xi8>) {
  %c0 = arith.constant 0 : index
  %c60000 = arith.constant 60032 : index
  %x = memref.view %arena[%c0][] : memref<65536xi8> to memref<3x4096xf32>
  %y = memref.view %arena[%c60000][] : memref<65536xi8> to memref<3xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3x4096xf32>) outs(%y : memref<3xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.maximumf %acc, %in : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Sums of few rows: every thread walks down four columns.
// CHECK-LABEL:   gpu.func @kernel_0(
// CHECK-SAME:      form = "thread"
// CHECK-SAME:      known_grid_size = array<i32: 2, 1, 1>
// CHECK:           scf.for {{.*}} -> (vector<4xf32>)
// CHECK:             vector.load
// CHECK-NOT:       gpu.shuffle
// CHECK:           vector.store
func.func @columns(%arena: memref<131072xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 98304 : index
  %x = memref.view %arena[%c0][] : memref<131072xi8> to memref<7x2048xf32>
  %y = memref.view %arena[%c1][] : memref<131072xi8> to memref<2048xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<7x2048xf32>) outs(%y : memref<2048xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Sums of many rows: 32 threads of a block for every four columns, eight of which read a
// line. They meet by halves, each vector in four rows of shared memory: in the first round
// all of the upper half hand on theirs, later only those that have not before.
// CHECK-LABEL:   gpu.func @kernel_0(
// CHECK-SAME:      workgroup(%[[SHARED:.*]] : memref<1024xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME:      form = "columns"
// CHECK-SAME:      known_grid_size = array<i32: 2, 1, 1>
// CHECK-NOT:       scf.if
// CHECK:           scf.for {{.*}} -> (vector<4xf32>)
// CHECK:             vector.load
// CHECK:           %[[UPPER:.*]] = arith.cmpi uge, %[[GROUP:.*]], %c16
// CHECK-NEXT:      scf.if %[[UPPER]]
// CHECK-COUNT-4:     memref.store %{{.*}}, %[[SHARED]]
// CHECK:           gpu.barrier
// CHECK:           scf.if
// CHECK-COUNT-4:     memref.load %[[SHARED]]
// CHECK:             arith.addf
// CHECK:           %[[NEXT:.*]] = arith.cmpi uge, %[[GROUP]], %c8
// CHECK:           arith.andi %[[NEXT]]
// CHECK-COUNT-4:   gpu.barrier
// CHECK-NOT:       gpu.barrier
// CHECK:           vector.store
func.func @many_rows(%arena: memref<131072xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 98304 : index
  %x = memref.view %arena[%c0][] : memref<131072xi8> to memref<384x64xf32>
  %y = memref.view %arena[%c1][] : memref<131072xi8> to memref<64xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<384x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// 37 columns: threads without a result take part in barriers, with neutral
// values.
// CHECK-LABEL:   gpu.func @kernel_0(
// CHECK-SAME:      form = "columns"
// CHECK-SAME:      known_grid_size = array<i32: 2, 1, 1>
// CHECK:           %[[NEEDED:.*]] = arith.cmpi ult, %{{.*}}, %c37
// CHECK:           scf.if %[[NEEDED]] -> (f32)
// CHECK:             scf.for
// CHECK:           } else {
// CHECK:             scf.yield %cst
// CHECK:           gpu.barrier
func.func @odd_columns(%arena: memref<131072xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 98304 : index
  %x = memref.view %arena[%c0][] : memref<131072xi8> to memref<384x37xf32>
  %y = memref.view %arena[%c1][] : memref<131072xi8> to memref<37xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<384x37xf32>) outs(%y : memref<37xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Nothing joins partial results of this: a thread for each result.
// CHECK-LABEL:   gpu.func @kernel_0(
// CHECK-SAME:      known_grid_size = array<i32: 1, 1, 1>
// CHECK:           %{{.*}}:2 = scf.for
// CHECK-NOT:       gpu.shuffle
// CHECK:           gpu.return
func.func @position(%arena: memref<65536xi8>) {
  %c0 = arith.constant 0 : index
  %c60000 = arith.constant 60032 : index
  %c61000 = arith.constant 61056 : index
  %x = memref.view %arena[%c0][] : memref<65536xi8> to memref<3x4096xf32>
  %v = memref.view %arena[%c60000][] : memref<65536xi8> to memref<3xf32>
  %p = memref.view %arena[%c61000][] : memref<65536xi8> to memref<3xi32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                   affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3x4096xf32>) outs(%v, %p : memref<3xf32>, memref<3xi32>) {
  ^bb0(%in: f32, %best: f32, %at: i32):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i32
    %more = arith.cmpf ogt, %in, %best : f32
    %value = arith.select %more, %in, %best : f32
    %place = arith.select %more, %here, %at : i32
    linalg.yield %value, %place : f32, i32
  }
  return
}

// -----

// One element has no loop that reduces it; the output starts from what it is
// filled with all the same, not from what it holds.
// CHECK-LABEL:   gpu.func @filled(
// CHECK-SAME:      %{{.*}}: memref<f32> {{.*}}, %[[OUT:[a-z0-9]+]]: memref<f32>
// CHECK-NOT:       memref.load %[[OUT]]
// CHECK:           %[[SUM:.*]] = arith.addf %{{.*}}, %{{cst.*}} : f32
// CHECK:           memref.store %[[SUM]], %[[OUT]]
func.func private @filled(%begin: index, %end: index, %x: memref<f32> {llvm.readonly}, %y: memref<f32>)
    attributes {boost.kernel, boostrt.extent = 1 : i64} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%y : memref<f32>)
  linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%x : memref<f32>) outs(%y : memref<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %in, %acc : f32
    linalg.yield %s : f32
  }
  return
}
func.func @one(%arena: memref<256xi8>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %x = memref.view %arena[%c0][] : memref<256xi8> to memref<f32>
  %y = memref.view %arena[%c128][] : memref<256xi8> to memref<f32>
  boostrt.launch @filled[1] (%x, %y : memref<f32>, memref<f32>) {num_outputs = 1 : i64}
  return
}

// -----

// The longest rows of which each is the work of a warp: four warps are a block.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    form = "warp", known_grid_size = array<i32: 2, 1, 1>
func.func @longest_of_a_warp(%arena: memref<65536xi8>) {
  %c0 = arith.constant 0 : index
  %c32768 = arith.constant 32768 : index
  %x = memref.view %arena[%c0][] : memref<65536xi8> to memref<8x1024xf32>
  %y = memref.view %arena[%c32768][] : memref<65536xi8> to memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x1024xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// One element more, and each is the work of a block.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    form = "block", known_grid_size = array<i32: 8, 1, 1>
func.func @shortest_of_a_block(%arena: memref<65536xi8>) {
  %c0 = arith.constant 0 : index
  %c49152 = arith.constant 49152 : index
  %x = memref.view %arena[%c0][] : memref<65536xi8> to memref<8x1025xf32>
  %y = memref.view %arena[%c49152][] : memref<65536xi8> to memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x1025xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  }
  return
}
