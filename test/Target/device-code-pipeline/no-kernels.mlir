// RUN: boost-opt %s --boost-emit-pipeline="target=cuda" | FileCheck %s
// RUN: boost-opt %s --emulatable --boost-emit-pipeline="target=cuda" | FileCheck %s
// No kernels, no images.

// CHECK: llvm.mlir.global external constant @boost_program_device_images()
module {}
