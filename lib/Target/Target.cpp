//===- Target.cpp - What a program runs on --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Target/Target.h"

#include "boost-mlir/Conversion/BoostRTToLLVM/Passes.h"
#include "boost-mlir/Conversion/KernelsToLLVM/Passes.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Dialect/BoostRT/Utils/AttentionCalls.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "boost-mlir/Target/DeviceCode.h"
#include "boost-mlir/Target/InstalledGPU.h"
#include "boost-mlir/Target/Passes.h"
#include "boost-runtime/Runtime.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::boost;

namespace {

/// The cores of this machine. Kernels are functions that the runtime calls on
/// ranges of their outermost loop.
class CPUTarget : public Target {
public:
  StringRef getName() const override { return "cpu"; }

  /// A cache line, and the widest vector.
  int64_t getArenaAlignment() const override { return 64; }

  void addKernelPasses(OpPassManager &manager) const override {
    manager.addPass(rt::createOutlineKernelsPass());
  }

  void addEmitPasses(OpPassManager &manager, bool /*emulated*/) const override {
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
  StringRef getName() const override { return "cuda"; }

  /// The machine that most programs compiled without a GPU are meant for.
  StringRef getDefaultMachine() const override { return "h100"; }

  std::optional<std::string> findDevice() const override { return findGPU(); }

  /// The alignment of cudaMalloc, which cublasLt assumes by default.
  int64_t getArenaAlignment() const override { return 256; }

  bool repeatsFunctions() const override { return true; }

  /// A reduction to few results would leave most of a GPU idle.
  void addTensorPasses(OpPassManager &functions) const override {
    functions.addPass(rt::createSplitReductionsPass());
  }

  int64_t getWorkspaceBytes(Operation *call) const override;

  void addKernelPasses(OpPassManager &manager) const override {
    manager.addPass(rt::createOutlineKernelsPass());
  }

  bool isEmulatable() const override { return true; }

  void addEmitPasses(OpPassManager &manager, bool emulated) const override {
    addDeviceCodePasses(manager);
    EmbedDeviceCodePassOptions embed;
    embed.emulatable = emulated;
    manager.addPass(createEmbedDeviceCodePass(embed));
    ConvertBoostRTToLLVMPassOptions calls;
    calls.listConstants = true;
    manager.addPass(createConvertBoostRTToLLVMPass(calls));
  }
};

} // namespace

/// The workspace of a product by cublasLt, enough for any of its algorithms.
static constexpr int64_t kProductWorkspaceBytes = int64_t(32) << 20;

/// Returns the bytes into which the tensors of a gather or a scatter are
/// packed. A collective along the outermost dimension of more than one element
/// needs none: NCCL reads and writes such a tensor directly.
static int64_t getPackedBytes(ValueRange tensors, ArrayRef<int64_t> dims) {
  int64_t bytes = 0;
  for (auto [tensor, dim] : llvm::zip_equal(tensors, dims)) {
    auto type = cast<ShapedType>(tensor.getType());
    if (llvm::product_of(type.getShape().take_front(dim)) != 1)
      bytes += llvm::alignTo(getDenseBytes(type), BOOST_RT_PACKING_ALIGNMENT);
  }
  return bytes;
}

/// Returns the workspace of attention by cuDNN, where cuDNN supports the call.
static int64_t getAttentionBytes(const boost_rt::AttentionTraits &call) {
  return boost_rt::whyNotCudnn(call) ? 0
                                     : boost_rt::attentionWorkspaceBytes(call);
}

/// NCCL moves flat buffers: other tensors are packed for it, or unpacked.
int64_t CUDATarget::getWorkspaceBytes(Operation *call) const {
  return llvm::TypeSwitch<Operation *, int64_t>(call)
      .Case([](rt::GemmOp) { return kProductWorkspaceBytes; })
      .Case<rt::AttentionForwardOp, rt::AttentionBackwardOp>(
          [](auto op) { return getAttentionBytes(rt::getAttentionTraits(op)); })
      .Case([](rt::AllGatherOp op) {
        return getPackedBytes(op.getOuts(), op.getDims());
      })
      .Case([](rt::ReduceScatterOp op) {
        return getPackedBytes(op.getInputs(), op.getDims());
      })
      .Case([](rt::AllToAllOp op) {
        // The sent and the received tensor.
        return 2 * getDenseBytes(cast<ShapedType>(op.getInput().getType()));
      })
      .Default([](Operation *) { return 0; });
}

static ArrayRef<const Target *> getTargets() {
  static const CPUTarget cpu;
  static const CUDATarget cuda;
  static const Target *const targets[] = {&cpu, &cuda};
  return targets;
}

const Target *mlir::boost::findTarget(StringRef name) {
  const auto *found = llvm::find_if(getTargets(), [&](const Target *target) {
    return target->getName() == name;
  });
  return found == getTargets().end() ? nullptr : *found;
}

std::string mlir::boost::describeUnknownTarget(StringRef name) {
  std::string text = ("unknown target '" + name + "'; use ").str();
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(getTargets(), os,
                        [&](const Target *target) { os << target->getName(); });
  return text;
}
