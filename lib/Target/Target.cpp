//===- Target.cpp - What a program runs on --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Target/Target.h"

#include "boost-mlir/Conversion/BoostRTToLLVM/Passes.h"
#include "boost-mlir/Conversion/KernelsToLLVM/Passes.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Target/DeviceCode.h"
#include "boost-mlir/Target/InstalledGPU.h"
#include "boost-mlir/Target/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::boost;

namespace {

/// The cores of this machine. Kernels are functions that the runtime calls on
/// ranges of their outermost loop.
class CPUTarget : public Target {
public:
  TargetKind getKind() const override { return TargetKind::CPU; }

  /// A cache line, and the widest vector.
  int64_t getArenaAlignment() const override { return 64; }

  void addKernelPasses(OpPassManager &manager) const override {
    manager.addPass(rt::createOutlineKernelsPass());
  }

  void addEmitPasses(OpPassManager &manager) const override {
    OpPassManager &functions = manager.nest<func::FuncOp>();
    functions.addPass(rt::createLowerKernelsPass());
    functions.addPass(createCanonicalizerPass());
    functions.addPass(createCSEPass());
    manager.addPass(createConvertKernelsToLLVMPass());
    manager.addPass(createConvertBoostRTToLLVMPass());
  }
};

/// One NVIDIA GPU for each rank. Kernels are device code that the program
/// carries for several architectures.
class CUDATarget : public Target {
public:
  TargetKind getKind() const override { return TargetKind::CUDA; }

  /// The machine that most programs compiled without a GPU are meant for.
  StringRef getDefaultMachine() const override { return "h100"; }

  std::optional<std::string> findDevice() const override { return findGPU(); }

  /// The alignment of cudaMalloc, which cublasLt assumes by default.
  int64_t getArenaAlignment() const override { return 256; }

  /// A reduction to few results would leave most of a GPU idle.
  void addTensorPasses(OpPassManager &functions) const override {
    functions.addPass(rt::createSplitReductionsPass());
  }

  int64_t getWorkspaceBytes(rt::RuntimeCallOpInterface call) const override {
    return call.getDeviceWorkspaceBytes();
  }

  /// Joins kernels on the same rows, so that one block of threads reads a row
  /// from memory once.
  void addKernelPasses(OpPassManager &manager) const override {
    manager.addPass(rt::createOutlineKernelsPass());
    manager.addPass(rt::createJoinRowKernelsPass());
  }

  void addEmitPasses(OpPassManager &manager) const override {
    addDeviceCodePasses(manager);
    manager.addPass(createEmbedDeviceCodePass());
    ConvertBoostRTToLLVMPassOptions calls;
    calls.listConstants = true;
    manager.addPass(createConvertBoostRTToLLVMPass(calls));
  }
};

} // namespace

const Target &mlir::boost::getTarget(TargetKind kind) {
  static const CPUTarget cpu;
  static const CUDATarget cuda;
  switch (kind) {
  case TargetKind::CPU:
    return cpu;
  case TargetKind::CUDA:
    return cuda;
  }
  llvm_unreachable("unknown target");
}

template <>
llvm::ArrayRef<NamedValue<TargetKind>> mlir::boost::getNamedValues() {
  static constexpr NamedValue<TargetKind> values[] = {
      {TargetKind::CPU, "cpu", "the cores of the machine"},
      {TargetKind::CUDA, "cuda", "an NVIDIA GPU for each rank"}};
  return values;
}
