// RUN: boost-opt %s --boostrt-outline-kernels --convert-kernels-to-gpu --canonicalize --split-input-file | FileCheck %s

// Dense elements are one row, of which every thread takes 16 bytes of the
// narrowest type.
// CHECK:       llvm.mlir.global internal constant @kernel_0
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    %[[X:.*]]: memref<2048xbf16> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
// CHECK-SAME:    %[[Y:.*]]: memref<2048xf32> {llvm.align = 16 : i64, llvm.noalias}) kernel
// CHECK-SAME:    known_grid_size = array<i32: 1, 1, 1>
// CHECK:         vector.load %{{.*}} {alignment = 16 : i64} : memref<2048xbf16>, vector<8xbf16>
// CHECK:         arith.extf %{{.*}} : vector<8xbf16> to vector<8xf32>
// CHECK:         arith.negf %{{.*}} : vector<8xf32>
// CHECK:         vector.store %{{.*}} {alignment = 16 : i64} : memref<2048xf32>, vector<8xf32>
func.func @vectors(%arena: memref<16384xi8>) {
  %c0 = arith.constant 0 : index
  %c8192 = arith.constant 8192 : index
  %x = memref.view %arena[%c0][] : memref<16384xi8> to memref<32x64xbf16>
  %y = memref.view %arena[%c8192][] : memref<16384xi8> to memref<32x64xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<32x64xbf16>) outs(%y : memref<32x64xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %wide = arith.extf %in : bf16 to f32
    %n = arith.negf %wide : f32
    linalg.yield %n : f32
  }
  return
}

// -----

// A launch whose buffer is not aligned so takes part: elements, one by one.
// Threads past the last one do nothing.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    %[[X:.*]]: memref<100xf32> {llvm.noalias, llvm.readonly},
// CHECK-SAME:    %[[Y:.*]]: memref<100xf32> {llvm.align = 16 : i64, llvm.noalias}) kernel
// CHECK:         %[[NEEDED:.*]] = arith.cmpi ult, %[[NUMBER:.*]], %c100
// CHECK:         scf.if %[[NEEDED]]
// CHECK:           memref.load %[[X]][%[[NUMBER]]]
// CHECK:           memref.store %{{.*}}, %[[Y]][%[[NUMBER]]]
func.func @unaligned(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c1028 = arith.constant 1028 : index
  %c2048 = arith.constant 2048 : index
  %a = memref.view %arena[%c0][] : memref<4096xi8> to memref<100xf32>
  %b = memref.view %arena[%c1028][] : memref<4096xi8> to memref<100xf32>
  %y = memref.view %arena[%c2048][] : memref<4096xi8> to memref<100xf32>
  linalg.exp ins(%a : memref<100xf32>) outs(%y : memref<100xf32>)
  linalg.exp ins(%b : memref<100xf32>) outs(%y : memref<100xf32>)
  return
}

// -----

// Booleans are bytes. Rows and columns that are repeated are loaded once.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    %[[MASK:[a-z0-9]+]]: memref<64x4xi8, strided<[1, 64]>>
// CHECK:         vector.load %{{.*}} {alignment = 8 : i64} : memref<256xi8>, vector<8xi8>
// CHECK:         arith.trunci %{{.*}} : vector<8xi8> to vector<8xi1>
// CHECK:         %[[ROW:.*]] = memref.load %{{.*}} : memref<4xf32>
// CHECK:         %[[ROWS:.*]] = vector.broadcast %[[ROW]] : f32 to vector<8xf32>
// CHECK:         arith.select %{{.*}}, %[[ROWS]], %{{.*}} : vector<8xi1>, vector<8xf32>
func.func @booleans(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %m = memref.view %arena[%c0][] : memref<4096xi8> to memref<4x64xi1>
  %r = memref.view %arena[%c1024][] : memref<4096xi8> to memref<4xf32>
  %y = memref.view %arena[%c2048][] : memref<4096xi8> to memref<4x64xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                   affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%m, %r : memref<4x64xi1>, memref<4xf32>) outs(%y : memref<4x64xf32>) {
  ^bb0(%mask: i1, %row: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %v = arith.select %mask, %row, %zero : f32
    linalg.yield %v : f32
  }
  return
}

// -----

// Only the first row begins where memory is aligned: no vectors.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    known_grid_size = array<i32: 2, 1, 1>
// CHECK-NOT:     vector.load
// CHECK:         gpu.return
func.func @odd_rows(%arena: memref<8192xi8>) {
  %c0 = arith.constant 0 : index
  %c4096 = arith.constant 4096 : index
  %x = memref.view %arena[%c0][] : memref<8192xi8> to memref<5x67xf32>
  %y = memref.view %arena[%c4096][] : memref<8192xi8> to memref<5x64xf32>
  %part = memref.reinterpret_cast %x to offset: [0], sizes: [5, 64], strides: [67, 1]
      : memref<5x67xf32> to memref<5x64xf32, strided<[67, 1]>>
  linalg.exp ins(%part : memref<5x64xf32, strided<[67, 1]>>) outs(%y : memref<5x64xf32>)
  return
}

// -----

// Numbers that a kernel reads are its own constants, of every lane. What has no
// body is no kernel to convert.
// CHECK:       func.func private @given(
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    %[[X:[^:]*]]: memref<2048xbf16> {{.*}}, %[[Y:[^:]*]]: memref<2048xbf16>
// CHECK:         %[[HALF:.*]] = arith.constant dense<5.000000e-01> : vector<8xf32>
// CHECK:         %[[WIDE:.*]] = arith.extf %{{.*}} : vector<8xbf16> to vector<8xf32>
// CHECK:         %[[N:.*]] = arith.mulf %[[WIDE]], %[[HALF]] : vector<8xf32>
// CHECK:         arith.truncf %[[N]]
func.func private @given(%begin: index, %end: index, %x: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64}

func.func @numbers(%arena: memref<16384xi8>) {
  %c0 = arith.constant 0 : index
  %c8192 = arith.constant 8192 : index
  %half = arith.constant 5.000000e-01 : bf16
  %x = memref.view %arena[%c0][] : memref<16384xi8> to memref<32x64xbf16>
  %y = memref.view %arena[%c8192][] : memref<16384xi8> to memref<32x64xbf16>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%half, %x : bf16, memref<32x64xbf16>) outs(%y : memref<32x64xbf16>) {
  ^bb0(%s: bf16, %in: bf16, %out: bf16):
    %n = arith.mulf %in, %s : bf16
    linalg.yield %n : bf16
  }
  return
}

// -----

// Roots are rounded as on the CPU: libdevice's in f32 and the GPU's reciprocal
// ones are approximations.
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-NOT:     math.sqrt %{{.*}} : vector<4xf32>
// CHECK-NOT:     math.rsqrt
// CHECK:         %[[ROOT:.*]] = llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) : (vector<4xf32>) -> vector<4xf32>
// CHECK:         arith.divf %{{.*}}, %[[ROOT]] : vector<4xf32>
func.func @roots(%arena: memref<16384xi8>) {
  %c0 = arith.constant 0 : index
  %c8192 = arith.constant 8192 : index
  %x = memref.view %arena[%c0][] : memref<16384xi8> to memref<128xf32>
  %y = memref.view %arena[%c8192][] : memref<16384xi8> to memref<128xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<128xf32>) outs(%y : memref<128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  }
  return
}
