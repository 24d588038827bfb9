//===- ExpandCHLO.cpp - Write CHLO operations out in StableHLO ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementaryFunctions.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/CHLO.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_EXPANDCHLOPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

namespace {

using Function = Value (*)(OpBuilder &, Location, Value);

/// A function of one float: what builds it, and whether it is as exact as f64.
struct Expansion {
  Function build;
  bool isForF64;
};

} // namespace

static std::optional<Expansion> findExpansion(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Expansion>>(op)
      .Case([](chlo::AcosOp) { return Expansion{buildAcos, true}; })
      .Case([](chlo::AcoshOp) { return Expansion{buildAcosh, true}; })
      .Case([](chlo::AsinOp) { return Expansion{buildAsin, true}; })
      .Case([](chlo::AsinhOp) { return Expansion{buildAsinh, true}; })
      .Case([](chlo::AtanOp) { return Expansion{buildAtan, true}; })
      .Case([](chlo::AtanhOp) { return Expansion{buildAtanh, true}; })
      .Case([](chlo::CoshOp) { return Expansion{buildCosh, true}; })
      .Case([](chlo::DigammaOp) { return Expansion{buildDigamma, true}; })
      .Case([](chlo::ErfOp) { return Expansion{buildErf, false}; })
      .Case([](chlo::ErfcOp) { return Expansion{buildErfc, false}; })
      .Case([](chlo::ErfInvOp) { return Expansion{buildErfInv, false}; })
      .Case([](chlo::LgammaOp) { return Expansion{buildLgamma, true}; })
      .Case([](chlo::SinhOp) { return Expansion{buildSinh, true}; })
      .Default(std::nullopt);
}

/// Short floats are computed in f32. In f64 an approximation made for f32 would
/// be worse than what the type promises.
static FailureOr<Value> expandFunction(Operation *op,
                                       const Expansion &expansion) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (element.isF64() && !expansion.isForF64)
    return emitError(loc, "the error function of f64 is not supported; "
                          "compute it in f32");
  Value x = op->getOperand(0);
  if (!element.isF64())
    x = convert(builder, loc, x, builder.getF32Type());
  return convert(builder, loc, expansion.build(builder, loc, x), element);
}

/// The first `k` elements of a stable sort by decreasing total order.
static void expandTopK(chlo::TopKOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  int64_t last = type.getRank() - 1;
  Value places =
      IotaOp::create(builder, loc, type.clone(builder.getI32Type()), last);
  Value inputs[] = {op.getOperand(), places};
  auto sort = SortOp::create(builder, loc, TypeRange(ValueRange(inputs)),
                             inputs, builder.getI64IntegerAttr(last),
                             builder.getBoolAttr(true));
  {
    OpBuilder::InsertionGuard guard(builder);
    Type value = RankedTensorType::get({}, type.getElementType());
    Type place = RankedTensorType::get({}, builder.getI32Type());
    Block *body = builder.createBlock(&sort.getComparator(), {},
                                      {value, value, place, place},
                                      SmallVector<Location>(4, loc));
    ComparisonTypeAttr kind;
    if (isa<FloatType>(type.getElementType()))
      kind = ComparisonTypeAttr::get(builder.getContext(),
                                     ComparisonType::TOTALORDER);
    Value isGreater =
        CompareOp::create(builder, loc, body->getArgument(0),
                          body->getArgument(1), ComparisonDirection::GT, kind);
    ReturnOp::create(builder, loc, isGreater);
  }
  SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1);
  SmallVector<int64_t> limits(type.getShape());
  limits.back() = static_cast<int64_t>(op.getK());
  for (auto [result, sorted] :
       llvm::zip_equal(op->getResults(), sort.getResults()))
    result.replaceAllUsesWith(
        SliceOp::create(builder, loc, sorted, starts, limits, strides)
            .getResult());
  op.erase();
}

namespace {

struct ExpandCHLOPass : stablehlo::impl::ExpandCHLOPassBase<ExpandCHLOPass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      return failed(expand(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  static LogicalResult expand(Operation *op) {
    if (auto topK = dyn_cast<chlo::TopKOp>(op))
      return expandTopK(topK), success();
    OpBuilder builder(op);
    FailureOr<Value> result;
    if (isa<chlo::SquareOp>(op)) {
      Value x = op->getOperand(0);
      result = MulOp::create(builder, op->getLoc(), x, x).getResult();
    } else if (auto tan = dyn_cast<chlo::TanOp>(op)) {
      result =
          TanOp::create(builder, op->getLoc(), tan.getOperand()).getResult();
    } else if (auto next = dyn_cast<chlo::NextAfterOp>(op)) {
      result = buildNextAfter(builder, op->getLoc(), next.getX(), next.getY());
    } else if (std::optional<Expansion> expansion = findExpansion(op)) {
      result = expandFunction(op, *expansion);
    } else {
      return success();
    }
    if (failed(result))
      return failure();
    op->getResult(0).replaceAllUsesWith(*result);
    op->erase();
    return success();
  }
};

} // namespace
