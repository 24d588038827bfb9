// RUN: boost-opt %s --boostrt-outline-kernels --boostrt-join-row-kernels --boost-verify-runtime | FileCheck %s
// Buffers of the memory plan that lie where others did.

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// What is scaled takes the place of what is summed, which is read before: they are two buffers, of which neither is noalias.
// CHECK-LABEL: func.func @over_what_is_read(
// CHECK:         boostrt.copy
// CHECK:         boostrt.launch @[[$KERNEL:.*]][256] ({{.*}} : memref<256x256xf32>, memref<256x256xf32>, memref<256xf32>, memref<256x256xf32>) {num_outputs = 2 : i64}
// CHECK-NEXT:    return
func.func @over_what_is_read(%arena: memref<1048576xi8>) attributes {boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 0, 262144>, array<i64: 262144, 1024>, array<i64: 524288, 262144>, array<i64: 524288, 262144>]} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 262144 : index
  %o2 = arith.constant 524288 : index
  %x = memref.view %arena[%o0][] {boostrt.buffer = array<i64: 0, 0>} : memref<1048576xi8> to memref<256x256xf32>
  %s = memref.view %arena[%o1][] {boostrt.buffer = array<i64: 1, 0>} : memref<1048576xi8> to memref<256xf32>
  %y = memref.view %arena[%o2][] {boostrt.buffer = array<i64: 2, 0>} : memref<1048576xi8> to memref<256x256xf32>
  %z = memref.view %arena[%o2][] {boostrt.buffer = array<i64: 3, 0>} : memref<1048576xi8> to memref<256x256xf32>
  boostrt.copy ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  linalg.reduce { arith.addf } ins(%y : memref<256x256xf32>) outs(%s : memref<256xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<256x256xf32>, memref<256xf32>) outs(%z : memref<256x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  }
  return
}

// It does not take the place of what the kernel would have written: both would be outs.
// CHECK-LABEL: func.func @over_what_is_written(
// CHECK-COUNT-2: boostrt.launch
// CHECK:         return
func.func @over_what_is_written(%arena: memref<1048576xi8>) attributes {boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 0, 262144>, array<i64: 262144, 1024>, array<i64: 524288, 262144>, array<i64: 524288, 262144>]} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 262144 : index
  %o2 = arith.constant 524288 : index
  %x = memref.view %arena[%o0][] {boostrt.buffer = array<i64: 0, 0>} : memref<1048576xi8> to memref<256x256xf32>
  %s = memref.view %arena[%o1][] {boostrt.buffer = array<i64: 1, 0>} : memref<1048576xi8> to memref<256xf32>
  %y = memref.view %arena[%o2][] {boostrt.buffer = array<i64: 2, 0>} : memref<1048576xi8> to memref<256x256xf32>
  %z = memref.view %arena[%o2][] {boostrt.buffer = array<i64: 3, 0>} : memref<1048576xi8> to memref<256x256xf32>
  linalg.exp ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  linalg.reduce { arith.addf } ins(%y : memref<256x256xf32>) outs(%s : memref<256xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<256x256xf32>, memref<256xf32>) outs(%z : memref<256x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  }
  return
}

// CHECK: func.func private @[[$KERNEL]](%{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: memref<256x256xf32> {llvm.readonly}, %{{[a-z0-9]+}}: memref<256x256xf32> {llvm.noalias, llvm.readonly}, %{{[a-z0-9]+}}: memref<256xf32>, %{{[a-z0-9]+}}: memref<256x256xf32>)
