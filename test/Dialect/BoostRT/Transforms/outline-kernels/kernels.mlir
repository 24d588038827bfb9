// RUN: boost-opt %s -split-input-file -boostrt-outline-kernels -verify-diagnostics | FileCheck %s -enable-var-scope
// Linalg operations become launches of kernels in a normal form; equal ones share a kernel.

#id = affine_map<(a, b, c) -> (a, b, c)>

// An elementwise operation on dense memory has one loop, whatever its shape.
// CHECK-LABEL: func @elementwise
// CHECK:         boostrt.launch @[[EXP:.*]][2048] (%{{.*}}, %{{.*}} : memref<4x8x64xf32>, memref<4x8x64xf32>) {num_outputs = 1 : i64}
// CHECK:         boostrt.launch @[[EXP]][2048] (%{{.*}}, %{{.*}} : memref<32x64xf32>, memref<32x64xf32>)
func.func @elementwise(%arena: memref<32768xi8>) {
  %c0 = arith.constant 0 : index
  %c8192 = arith.constant 8192 : index
  %x = memref.view %arena[%c0][] : memref<32768xi8> to memref<4x8x64xf32>
  %y = memref.view %arena[%c8192][] : memref<32768xi8> to memref<4x8x64xf32>
  linalg.generic {indexing_maps = [#id, #id],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<4x8x64xf32>) outs(%y : memref<4x8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  }
  %u = memref.view %arena[%c0][] : memref<32768xi8> to memref<32x64xf32>
  %v = memref.view %arena[%c8192][] : memref<32768xi8> to memref<32x64xf32>
  linalg.exp ins(%u : memref<32x64xf32>) outs(%v : memref<32x64xf32>)
  return
}
// CHECK:       func private @[[EXP]](%{{.*}}: index, %{{.*}}: index, %[[X:.*]]: memref<2048xf32> {llvm.noalias, llvm.readonly}, %[[Y:.*]]: memref<2048xf32> {llvm.noalias}) attributes {boost.kernel, boostrt.extent = 2048 : i64}
// CHECK-NEXT:    linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[X]] : memref<2048xf32>) outs(%[[Y]] : memref<2048xf32>)
// CHECK-NOT:   func private

// -----

// A buffer that is read and written in place is one argument.
// CHECK-LABEL: func @in_place
// CHECK:         boostrt.launch @[[K:.*]][128] (%[[A:.*]] : memref<128xf32>) {num_outputs = 1 : i64}
// CHECK:       func private @[[K]](%{{.*}}: index, %{{.*}}: index, %[[ARG:.*]]: memref<128xf32> {llvm.noalias})
// CHECK:         ins(%[[ARG]] : memref<128xf32>) outs(%[[ARG]] : memref<128xf32>)
func.func @in_place(%arena: memref<32768xi8>) {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] : memref<32768xi8> to memref<128xf32>
  %y = memref.view %arena[%c0][] : memref<32768xi8> to memref<128xf32>
  linalg.exp ins(%x : memref<128xf32>) outs(%y : memref<128xf32>)
  return
}

// -----

// A buffer that overlaps the output in another way is not promised to be disjoint.
// CHECK-LABEL: func @overlap
// CHECK:       func private @kernel_0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<128xf32> {llvm.readonly}, %{{.*}}: memref<128xf32>)
func.func @overlap(%arena: memref<32768xi8>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = memref.view %arena[%c0][] : memref<32768xi8> to memref<128xf32>
  %y = memref.view %arena[%c64][] : memref<32768xi8> to memref<128xf32>
  linalg.exp ins(%x : memref<128xf32>) outs(%y : memref<128xf32>)
  return
}

// -----

// The fill that starts a reduction goes into its kernel; the rows are what is launched.
// CHECK-LABEL: func @row_sums
// CHECK-NOT:     linalg
// CHECK:         boostrt.launch @[[K:.*]][256]
// CHECK-NOT:     boostrt.launch
// CHECK:       func private @[[K]](%{{.*}}: index, %{{.*}}: index, %[[X:.*]]: memref<256x64xf32> {{.*}}, %[[S:.*]]: memref<256xf32>
// CHECK:         linalg.fill ins(%{{.*}} : f32) outs(%[[S]] : memref<256xf32>)
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[X]] : memref<256x64xf32>) outs(%[[S]] : memref<256xf32>)
func.func @row_sums(%x: memref<4x64x64xf32>, %s: memref<4x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<4x64xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<4x64x64xf32>) outs(%s : memref<4x64xf32>) dimensions = [2]
  return
}

// -----

// A full reduction has nothing to cut between threads.
// CHECK-LABEL: func @full_sum
// CHECK:         boostrt.launch @[[K:.*]][1]
// CHECK:       func private @[[K]](%{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<16384xf32> {{.*}}, %{{.*}}: memref<f32>
func.func @full_sum(%x: memref<4x64x64xf32>, %s: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<f32>)
  linalg.reduce { arith.addf } ins(%x : memref<4x64x64xf32>) outs(%s : memref<f32>) dimensions = [0, 1, 2]
  return
}

// -----

// Slices and transposes leave only strides; the offset is the host's.
// CHECK-LABEL: func @transpose_slice
// CHECK:         %[[S:.*]] = memref.subview
// CHECK:         boostrt.launch @[[K:.*]][64] (%{{.*}}, %[[S]]
// CHECK:       func private @[[K]](%{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<64x16xf32, strided<[1, 64]>> {{.*}}, %{{.*}}: memref<64x16xf32, strided<[32, 1]>>
func.func @transpose_slice(%x: memref<16x64xf32>, %y: memref<64x32xf32>) {
  %s = memref.subview %y[0, 16][64, 16][1, 1] : memref<64x32xf32> to memref<64x16xf32, strided<[32, 1], offset: 16>>
  linalg.transpose ins(%x : memref<16x64xf32>) outs(%s : memref<64x16xf32, strided<[32, 1], offset: 16>>) permutation = [1, 0]
  return
}

// -----

// An offset inside an indexing map becomes a shifted buffer.
// CHECK-LABEL: func @reverse
// CHECK:         %[[R:.*]] = memref.reinterpret_cast %{{.*}} to offset: [127], sizes: [128], strides: [-1]
// CHECK:         boostrt.launch @{{.*}}[128] (%[[R]],
func.func @reverse(%x: memref<128xf32>, %y: memref<128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 127)>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<128xf32>) outs(%y : memref<128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// Loops whose position the body reads stay apart.
// CHECK-LABEL: func @iota
// CHECK:       func private @{{.*}}(%{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<64x128xi32> {llvm.noalias})
// CHECK:         linalg.index 1
func.func @iota(%y: memref<64x128xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      outs(%y : memref<64x128xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 1 : index
    %v = arith.index_cast %i : index to i32
    linalg.yield %v : i32
  }
  return
}

// -----

func.func @not_linear(%x: memref<64xf32>, %y: memref<128xf32>) {
  // expected-error @below {{expects linear indexing, but got affine_map<(d0) -> (d0 floordiv 2)>}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 floordiv 2)>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<64xf32>) outs(%y : memref<128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}
