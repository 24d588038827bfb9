// RUN: boost-opt %s --boost-embed-device-code | FileCheck %s
// RUN: boost-opt %s --emulatable --boost-embed-device-code | FileCheck %s --check-prefixes=CHECK,EMULATED
// Every architecture becomes a fat binary, whose magic number is BA 55 ED 50 of a
// word; the emulator's code is a shared library.

// CHECK-NOT: gpu.module
// CHECK: llvm.mlir.global private constant @boost_device_image_80("P\EDU\BA
// CHECK-SAME: {addr_space = 0 : i32, alignment = 64 : i64}
// CHECK: llvm.mlir.global private constant @boost_device_image_90("P\EDU\BA
// EMULATED: llvm.mlir.global private constant @boost_device_image_0("\7FELF

// CHECK: llvm.mlir.global external constant @boost_program_device_images()
// CHECK-DAG: llvm.mlir.constant(80 : i64)
// CHECK-DAG: llvm.mlir.addressof @boost_device_image_80
// CHECK-DAG: llvm.mlir.constant(90 : i64)
// CHECK-DAG: llvm.mlir.addressof @boost_device_image_90
// EMULATED-DAG: llvm.mlir.addressof @boost_device_image_0
gpu.module @boost_device_code [#nvvm.target<chip = "sm_80", features = "+ptx80">,
                               #nvvm.target<chip = "sm_90", features = "+ptx80">] {
  llvm.func @kernel(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store %one, %x : f32, !llvm.ptr
    llvm.return
  }
}
