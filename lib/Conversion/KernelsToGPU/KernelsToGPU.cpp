//===- KernelsToGPU.cpp - Kernels to the gpu dialect ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements convert-kernels-to-gpu.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Conversion/KernelsToGPU/Passes.h"

#include "KernelEmitter.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Utils/BufferAddress.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

namespace mlir::boost {
#define GEN_PASS_DEF_CONVERTKERNELSTOGPUPASS
#include "boost-mlir/Conversion/KernelsToGPU/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

/// The least alignment that `cudaMalloc` and the plan of the arena guarantee;
/// no access of a kernel needs more.
static constexpr int64_t kMaxAlignment = 16;

namespace {

struct ConvertKernelsToGPUPass
    : boost::impl::ConvertKernelsToGPUPassBase<ConvertKernelsToGPUPass> {
  void runOnOperation() override;

private:
  void findAlignments();
  void describe(func::FuncOp kernel, LaunchSize size);

  /// By kernel, the alignment of each of its buffers in all launches.
  llvm::StringMap<SmallVector<int64_t>> alignments;
};

} // namespace

/// The largest power of two that divides the distance of a buffer from its
/// root, which is aligned.
static int64_t getAlignment(Value buffer) {
  FailureOr<rt::BufferAddress> address = rt::resolveBufferAddress(buffer);
  if (failed(address))
    return 1;
  return std::gcd(address->bytes, kMaxAlignment);
}

void ConvertKernelsToGPUPass::findAlignments() {
  getOperation().walk([&](rt::LaunchOp launch) {
    SmallVector<int64_t> &known = alignments[launch.getKernel()];
    known.resize(launch.getBuffers().size(), kMaxAlignment);
    for (auto [alignment, buffer] : llvm::zip_equal(known, launch.getBuffers()))
      alignment = std::min(alignment, getAlignment(buffer));
  });
}

/// Puts boost_rt_gpu_kernel in the place of a kernel.
void ConvertKernelsToGPUPass::describe(func::FuncOp kernel, LaunchSize size) {
  MLIRContext *context = &getContext();
  Location loc = kernel.getLoc();
  std::string name = kernel.getName().str();
  OpBuilder builder(kernel);
  auto pointer = LLVM::LLVMPointerType::get(context);
  Type i64 = builder.getI64Type();
  auto textType = LLVM::LLVMArrayType::get(
      builder.getI8Type(), static_cast<unsigned>(name.size() + 1));
  LLVM::GlobalOp::create(
      builder, loc, textType, /*isConstant=*/true, LLVM::Linkage::Internal,
      "boost_name_" + name,
      builder.getStringAttr(StringRef(name.c_str(), name.size() + 1)));
  auto type =
      LLVM::LLVMStructType::getLiteral(context, {pointer, i64, i64, i64});
  auto global =
      LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, name, Attribute());
  builder.setInsertionPointToStart(
      builder.createBlock(&global.getInitializer()));
  Value value = LLVM::UndefOp::create(builder, loc, type);
  auto insert = [&](Value field, int64_t position) {
    value = LLVM::InsertValueOp::create(builder, loc, value, field, position);
  };
  auto constant = [&](int64_t number) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i64, number);
  };
  insert(LLVM::AddressOfOp::create(builder, loc, pointer, "boost_name_" + name),
         0);
  insert(constant(size.blocks), 1);
  insert(constant(size.threads), 2);
  insert(constant(kernel.getNumArguments() - kFirstBuffer), 3);
  LLVM::ReturnOp::create(builder, loc, value);
  kernel.erase();
}

/// libdevice has an approximation of the square root in f32; LLVM's intrinsic
/// is the one that IEEE 754 asks for, as on the CPU.
static void roundSquareRoots(gpu::GPUModuleOp device) {
  device.walk([](math::SqrtOp root) {
    if (!getElementTypeOrSelf(root.getType()).isF32())
      return;
    OpBuilder builder(root);
    auto rounded = LLVM::CallIntrinsicOp::create(
        builder, root.getLoc(), root.getType(),
        builder.getStringAttr("llvm.sqrt"), root.getOperand());
    root.replaceAllUsesWith(rounded->getResult(0));
    root.erase();
  });
}

void ConvertKernelsToGPUPass::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<func::FuncOp> kernels;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kKernelAttr) && !function.isExternal())
      kernels.push_back(function);
  if (kernels.empty())
    return;
  alignments.clear();
  findAlignments();
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto device =
      gpu::GPUModuleOp::create(builder, module.getLoc(), "boost_device_code");
  for (func::FuncOp kernel : kernels) {
    SmallVector<int64_t> &known = alignments[kernel.getName()];
    // One that is never launched may be launched anywhere.
    known.resize(kernel.getNumArguments() - kFirstBuffer, 1);
    FailureOr<GPUKernel> emitted = emitGPUKernel(kernel, known, device);
    if (failed(emitted))
      return signalPassFailure();
    describe(kernel, emitted->size);
  }
  roundSquareRoots(device);
}
