//===- DeviceCode.h - Kernels to code for NVIDIA GPUs -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TARGET_DEVICECODE_H
#define BOOST_MLIR_TARGET_DEVICECODE_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::boost {

struct DeviceCodePipelineOptions
    : PassPipelineOptions<DeviceCodePipelineOptions> {
  ListOption<std::string> chips{*this, "chips",
                                llvm::cl::desc("Architectures (sm_80, sm_90)")};
  Option<std::string> format{
      *this, "format",
      llvm::cl::desc("bin: a cubin per architecture; isa: PTX; llvm: bitcode"),
      llvm::cl::init("bin")};
  Option<std::string> toolkit{
      *this, "toolkit",
      llvm::cl::desc(
          "Folder with bin/ptxas and nvvm/libdevice of CUDA (the one "
          "that was found by the build)"),
      llvm::cl::init(getDefaultToolkit())};

  static std::string getDefaultToolkit();
};

/// Kernels to the gpu dialect, to NVVM with libdevice, and to a gpu.binary.
void buildDeviceCodePipeline(OpPassManager &manager,
                             const DeviceCodePipelineOptions &options);

/// Registers `boost-device-code-pipeline`.
void registerDeviceCodePipeline();

/// The dialects of the pipeline, and how they become LLVM IR.
void registerDeviceCodeDialects(DialectRegistry &registry);

} // namespace mlir::boost

#endif // BOOST_MLIR_TARGET_DEVICECODE_H
