// RUN: boost-opt %s --boost-emit-pipeline="target=cuda emulatable=true" | FileCheck %s
// Of the targets, this one has an emulator. No kernels, no images.

// CHECK: llvm.mlir.global external constant @boost_program_device_images()
module {}
