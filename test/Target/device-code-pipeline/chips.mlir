// RUN: boost-opt %s --boost-device-code-pipeline=format=llvm | FileCheck %s
// RUN: boost-opt %s --boost-device-code-pipeline="chips=sm_90 format=llvm" | FileCheck %s --check-prefix=ONE
// Code is made for the chips that are named, else for those of a program.

// CHECK: chip = "sm_80"
// CHECK: chip = "sm_90"
// CHECK-NOT: #gpu.object
// ONE-NOT: sm_80
// ONE: chip = "sm_90"
// ONE-NOT: #gpu.object
gpu.module @boost_device_code {
  gpu.func @kernel(%x: memref<4xf32>) kernel {
    gpu.return
  }
}
