// RUN: boost-opt %s --convert-kernels-to-gpu --canonicalize | FileCheck %s
// No alignment is known of a buffer at a dynamic offset.

// CHECK-LABEL: gpu.func @kernel_0(
// CHECK-SAME:    %[[X:.*]]: memref<1024xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
// CHECK-SAME:    %[[Y:.*]]: memref<1024xf32> {llvm.noalias}) kernel
// CHECK-NOT:     vector.store
// CHECK:         memref.store %{{.*}}, %[[Y]]
func.func @shifted(%arena: memref<8192xi8>, %shift: index) {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] : memref<8192xi8> to memref<1024xf32>
  %y = memref.view %arena[%shift][] : memref<8192xi8> to memref<1024xf32>
  boostrt.launch @kernel_0[1024] (%x, %y : memref<1024xf32>, memref<1024xf32>) {num_outputs = 1 : i64}
  return
}

func.func private @kernel_0(%begin: index, %end: index, %in: memref<1024xf32> {llvm.noalias, llvm.readonly}, %out: memref<1024xf32> {llvm.noalias}) attributes {boost.kernel, boostrt.extent = 1024 : i64} {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%in : memref<1024xf32>) outs(%out : memref<1024xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  return
}
