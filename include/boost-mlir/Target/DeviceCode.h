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

/// Kernels to a gpu.module in the NVVM dialect for these architectures, or for
/// those that programs carry code for: sm_80 and sm_90.
void addDeviceCodePasses(OpPassManager &manager,
                         ArrayRef<std::string> chips = {});

/// Adds the passes that compile device code with libdevice into a gpu.binary.
void buildDeviceCodePipeline(OpPassManager &manager,
                             const DeviceCodePipelineOptions &options);

/// Registers `boost-device-code-pipeline`.
void registerDeviceCodePipeline();

/// The dialects of the pipeline, and how they become LLVM IR.
void registerDeviceCodeDialects(DialectRegistry &registry);

} // namespace mlir::boost

#endif // BOOST_MLIR_TARGET_DEVICECODE_H
