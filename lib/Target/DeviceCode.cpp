//===- DeviceCode.cpp - Kernels to code for NVIDIA GPUs -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversions are upstream's. Buffers are bare pointers, so that what is
// known of them (noalias, readonly, alignment) reaches the code generator.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Target/DeviceCode.h"

#include "boost-mlir/Conversion/KernelsToGPU/Passes.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::boost;

std::string DeviceCodePipelineOptions::getDefaultToolkit() {
  SmallString<128> path(BOOST_MLIR_CUDA_TOOLKIT);
  if (path.empty() || llvm::sys::path::is_absolute(path))
    return path.str().str();
  path = llvm::sys::path::parent_path(
      llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  llvm::sys::path::append(path, BOOST_MLIR_CUDA_TOOLKIT);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

void mlir::boost::addDeviceCodePasses(OpPassManager &manager,
                                      ArrayRef<std::string> chips) {
  static const std::string kProgramChips[] = {"sm_80", "sm_90"};
  if (chips.empty())
    chips = kProgramChips;
  manager.addPass(createConvertKernelsToGPUPass());
  for (const std::string &chip : chips) {
    GpuNVVMAttachTargetOptions target;
    target.chip = chip;
    // The first one that converts from and to bf16 by itself.
    target.features = "+ptx80";
    target.optLevel = 3;
    manager.addPass(createGpuNVVMAttachTarget(target));
  }
  OpPassManager &device = manager.nest<gpu::GPUModuleOp>();
  device.addPass(createSCFToControlFlowPass());
  device.addPass(memref::createExpandStridedMetadataPass());
  device.addPass(createLowerAffinePass());
  ConvertGpuOpsToNVVMOpsOptions conversion;
  conversion.useBarePtrCallConv = true;
  device.addPass(createConvertGpuOpsToNVVMOps(conversion));
  device.addPass(createCanonicalizerPass());
  device.addPass(createCSEPass());
  device.addPass(createReconcileUnrealizedCastsPass());
}

void mlir::boost::buildDeviceCodePipeline(
    OpPassManager &manager, const DeviceCodePipelineOptions &options) {
  SmallVector<std::string> chips(options.chips.begin(), options.chips.end());
  addDeviceCodePasses(manager, chips);
  GpuModuleToBinaryPassOptions binary;
  binary.toolkitPath = options.toolkit;
  binary.compilationTarget = options.format;
  manager.addPass(createGpuModuleToBinaryPass(binary));
}

void mlir::boost::registerDeviceCodePipeline() {
  PassPipelineRegistration<DeviceCodePipelineOptions>(
      "boost-device-code-pipeline", "Kernels to code for NVIDIA GPUs",
      buildDeviceCodePipeline);
}

void mlir::boost::registerDeviceCodeDialects(DialectRegistry &registry) {
  registry.insert<gpu::GPUDialect, NVVM::NVVMDialect>();
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}
