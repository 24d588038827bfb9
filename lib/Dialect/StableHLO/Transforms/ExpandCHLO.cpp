//===- ExpandCHLO.cpp - Write CHLO operations out in StableHLO ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/CHLO.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_EXPANDCHLOPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Horner's scheme, highest coefficient first.
static Value polynomial(OpBuilder &builder, Location loc, Value x,
                        ArrayRef<double> coefficients) {
  Value sum = splatLike(builder, loc, x, coefficients.front());
  for (double coefficient : coefficients.drop_front()) {
    sum = MulOp::create(builder, loc, sum, x);
    sum = AddOp::create(builder, loc, sum,
                        splatLike(builder, loc, x, coefficient));
  }
  return sum;
}

/// erf(x) = x P(x^2) / Q(x^2) on [-4, 4], the approximation that XLA and Eigen
/// use for f32; beyond, it stays at 1 within its error.
static Value buildErf(OpBuilder &builder, Location loc, Value x) {
  static constexpr double numerator[] = {
      -2.72614225801306e-10, 2.77068142495902e-08,  -2.10102402082508e-06,
      -5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03,
      -1.60960333262415e-02};
  static constexpr double denominator[] = {
      -1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
      -7.37332916720468e-03, -1.42647390514189e-02};
  Value low = splatLike(builder, loc, x, -4.0);
  Value high = splatLike(builder, loc, x, 4.0);
  x = ClampOp::create(builder, loc, low, x, high);
  Value square = MulOp::create(builder, loc, x, x);
  Value top = MulOp::create(builder, loc, x,
                            polynomial(builder, loc, square, numerator));
  return DivOp::create(builder, loc, top,
                       polynomial(builder, loc, square, denominator));
}

/// erf, or erfc as 1 - erf, computed in f32. In f64 the approximation would be
/// worse than what the type promises.
static FailureOr<Value> expandErrorFunction(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (element.isF64())
    return emitError(loc, "the error function of f64 is not supported; "
                          "compute it in f32");
  Value x = convert(builder, loc, op->getOperand(0), builder.getF32Type());
  Value result = buildErf(builder, loc, x);
  if (isa<chlo::ErfcOp>(op))
    result = SubtractOp::create(builder, loc, splatLike(builder, loc, x, 1.0),
                                result);
  return convert(builder, loc, result, element);
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
    FailureOr<Value> result;
    if (isa<chlo::SquareOp>(op)) {
      OpBuilder builder(op);
      Value x = op->getOperand(0);
      result = MulOp::create(builder, op->getLoc(), x, x).getResult();
    } else if (isa<chlo::ErfOp, chlo::ErfcOp>(op)) {
      result = expandErrorFunction(op);
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
