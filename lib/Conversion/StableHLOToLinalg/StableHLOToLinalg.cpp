//===- StableHLOToLinalg.cpp - The pass convert-stablehlo-to-linalg -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements convert-stablehlo-to-linalg. Refuses, all of them in one run,
// operations that have no form in kernels.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "boost-mlir/Conversion/StableHLOToLinalg/Passes.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::boost {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOLINALGPASS
#include "boost-mlir/Conversion/StableHLOToLinalg/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

static LogicalResult checkBody(Region &region) {
  for (Operation &nested : region.front().without_terminator())
    if (!hasScalarForm(&nested) && !isa<hlo::ConstantOp>(nested))
      return nested.emitOpError(
          "is not supported in the body of a reduction or "
          "loop; expects elementwise operations");
  return success();
}

/// Only of scalars, and only what import leaves: it makes all that the regions
/// read part of the state.
static LogicalResult checkLoop(hlo::WhileOp op) {
  bool isOfNumbers = llvm::all_of(op.getResultTypes(), [](Type type) {
    return cast<RankedTensorType>(type).getRank() == 0;
  });
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  if (isOfNumbers && captured.empty())
    return success(succeeded(checkBody(op.getCond())) &&
                   succeeded(checkBody(op.getBody())));
  InFlightDiagnostic diagnostic = op->emitOpError("has no lowering to kernels");
  diagnostic.attachNote()
      << "loops are unrolled at import if their trip count is known, or made "
         "to "
         "read nothing but their state if that is of scalars";
  return diagnostic;
}

LogicalResult mlir::boost::checkLowering(Operation *op) {
  if (isa<hlo::ReduceOp, hlo::ReduceWindowOp, hlo::ScatterOp, hlo::SortOp>(op))
    return checkBody(op->getRegion(0));
  if (auto loop = dyn_cast<hlo::WhileOp>(op))
    return checkLoop(loop);
  if (isa<hlo::CustomCallOp>(op))
    return op->emitOpError("has no lowering to kernels");
  return success();
}

/// Kernels know no unsigned types: operations are chosen by the old ones.
static Type dropSign(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return type;
  return IntegerType::get(type.getContext(), integer.getWidth());
}

/// Returns true for an operation that moves elements and does not compute with
/// them, so that their sign does not matter.
static bool isMovement(Operation *op) {
  auto group = dyn_cast<RankGroupOpInterface>(op);
  return isa<tensor::EmptyOp>(op) || (group && movesOnly(group));
}

namespace {

/// Collectives that move unsigned integers, with the buffers they write.
struct DropSignOfMovement : ConversionPattern {
  DropSignOfMovement(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (!isMovement(op) ||
        failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state)->getResults());
    return success();
  }
};

struct ConvertStableHLOToLinalgPass
    : boost::impl::ConvertStableHLOToLinalgPassBase<
          ConvertStableHLOToLinalgPass> {
  void runOnOperation() override {
    if (failed(checkAll()))
      return signalPassFailure();
    RecomputedScope scope(getOperation());
    TypeConverter converter;
    converter.addConversion(dropSign);
    converter.addConversion([](RankedTensorType type) {
      return type.clone(dropSign(type.getElementType()));
    });

    ConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect, linalg::LinalgDialect,
                           math::MathDialect, tensor::TensorDialect>();
    target.addIllegalDialect<hlo::StableHLODialect>();
    target.addDynamicallyLegalOp<tensor::EmptyOp>(
        [&](Operation *op) { return converter.isLegal(op); });
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) -> std::optional<bool> {
          if (isMovement(op))
            return converter.isLegal(op);
          return std::nullopt;
        });
    target.addDynamicallyLegalOp<hlo::DotGeneralOp>([](hlo::DotGeneralOp op) {
      return isa<FloatType>(op.getType().getElementType());
    });
    target.addDynamicallyLegalOp<hlo::OptimizationBarrierOp, func::ReturnOp>(
        [&](Operation *op) { return converter.isLegal(op); });
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType());
    });
    // Bodies of reductions are read by their pattern.
    target.addLegalOp<rt::RowsOp>();
    target.markOpRecursivelyLegal<linalg::GenericOp, rt::RowsOp>();

    RewritePatternSet patterns(&getContext());
    populateElementwisePatterns(converter, patterns);
    populateLoopPatterns(converter, patterns);
    populateShapePatterns(converter, patterns);
    populateReductionPatterns(converter, patterns);
    populateIndexingPatterns(converter, patterns);
    populateScatterPatterns(converter, patterns);
    populateSortPatterns(converter, patterns);
    populateWindowPatterns(converter, patterns);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    patterns.add<DropSignOfMovement>(converter, &getContext());
    LayerConversionListener layers(getOperation());
    ConversionConfig config;
    config.listener = &layers;
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns), config)))
      return signalPassFailure();
    layers.apply();
  }

  LogicalResult checkAll() {
    LogicalResult result = success();
    getOperation()->walk([&](Operation *op) {
      if (failed(checkLowering(op)))
        result = failure();
    });
    return result;
  }
};

} // namespace
