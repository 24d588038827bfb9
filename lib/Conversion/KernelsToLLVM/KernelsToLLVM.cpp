//===- KernelsToLLVM.cpp - Kernels to the LLVM dialect --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements convert-kernels-to-llvm with the conversions of upstream.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Conversion/KernelsToLLVM/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTAttrNames.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::boost {
#define GEN_PASS_DEF_CONVERTKERNELSTOLLVMPASS
#include "boost-mlir/Conversion/KernelsToLLVM/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {

struct ConvertKernelsToLLVMPass
    : boost::impl::ConvertKernelsToLLVMPassBase<ConvertKernelsToLLVMPass> {
  void runOnOperation() override;

private:
  LogicalResult expand(ArrayRef<Operation *> kernels);
  LogicalResult convertToLLVM(ArrayRef<Operation *> kernels);
  void addEntry(LLVM::LLVMFuncOp rows);
};

/// Converts integers to bf16 by way of f32, as XLA does: where a CPU has no
/// instruction for it, LLVM calls a function that libgcc lacks before GCC 13.
template <typename ConvertOp>
struct ConvertToBFloat16 : OpRewritePattern<ConvertOp> {
  using OpRewritePattern<ConvertOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isBF16())
      return failure();
    Value wide = ConvertOp::create(rewriter, op.getLoc(), rewriter.getF32Type(),
                                   op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), wide);
    return success();
  }
};

} // namespace

/// Loops become branches, conversions from and to bf16 integer arithmetic
/// (which LLVM vectorizes, other than the conversions themselves), and exp(x)
/// - 1 a call.
LogicalResult ConvertKernelsToLLVMPass::expand(ArrayRef<Operation *> kernels) {
  RewritePatternSet arithmetic(&getContext());
  arith::populateExpandBFloat16Patterns(arithmetic);
  arithmetic.add<ConvertToBFloat16<arith::SIToFPOp>,
                 ConvertToBFloat16<arith::UIToFPOp>>(&getContext());
  FrozenRewritePatternSet frozen(std::move(arithmetic));
  for (Operation *kernel : kernels)
    if (failed(applyPatternsGreedily(kernel, frozen)))
      return failure();
  RewritePatternSet patterns(&getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  // Before the conversion to LLVM makes exp(x) - 1 of it, which is 0 for small
  // x.
  populateMathToLibmConversionPatterns(patterns);
  ConversionTarget target(getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.addIllegalOp<math::ExpM1Op>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(kernels, target, std::move(patterns));
}

LogicalResult
ConvertKernelsToLLVMPass::convertToLLVM(ArrayRef<Operation *> kernels) {
  LowerToLLVMOptions options(&getContext());
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(&getContext(), options);
  RewritePatternSet patterns(&getContext());
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/false,
                                       /*benefit=*/2);
  populateMathToLibmConversionPatterns(patterns, /*benefit=*/1);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(getContext());
  // The functions of libm that patterns declare are converted as well.
  target.addDynamicallyLegalOp<func::FuncOp>([](func::FuncOp function) {
    return !function->hasAttr(kKernelAttr) && !function.isExternal();
  });
  return applyFullConversion(kernels, target, std::move(patterns));
}

/// Adds the function that the runtime calls: it loads the buffers and passes
/// them on.
void ConvertKernelsToLLVMPass::addEntry(LLVM::LLVMFuncOp rows) {
  std::string name = rows.getName().str();
  rows.setName(name + "_rows");
  rows.setLinkage(LLVM::Linkage::Internal);
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfter(rows);
  Location loc = rows.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(&getContext());
  auto i64 = builder.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(&getContext()), {i64, i64, pointer});
  auto entry = LLVM::LLVMFuncOp::create(builder, loc, name, type,
                                        LLVM::Linkage::Internal);
  entry->setAttr(kKernelAttr, builder.getUnitAttr());
  Block *block = entry.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);
  SmallVector<Value> arguments{block->getArgument(0), block->getArgument(1)};
  for (unsigned i = 0, e = rows.getNumArguments() - 2; i < e; ++i) {
    Value slot =
        LLVM::GEPOp::create(builder, loc, pointer, pointer,
                            block->getArgument(2), LLVM::GEPArg(int32_t(i)));
    arguments.push_back(LLVM::LoadOp::create(builder, loc, pointer, slot));
  }
  LLVM::CallOp::create(builder, loc, rows, arguments);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

void ConvertKernelsToLLVMPass::runOnOperation() {
  SmallVector<Operation *> kernels;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (function->hasAttr(kKernelAttr) && !function.isExternal())
      kernels.push_back(function);
  if (kernels.empty())
    return;
  if (failed(expand(kernels)))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (function.isExternal())
      kernels.push_back(function); // of libm
  if (failed(convertToLLVM(kernels)))
    return signalPassFailure();
  SmallVector<LLVM::LLVMFuncOp> converted;
  for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(kKernelAttr))
      converted.push_back(function);
  for (LLVM::LLVMFuncOp function : converted) {
    function->removeAttr(kKernelAttr);
    function->removeAttr(rt::kExtentAttr);
    addEntry(function);
  }
}
