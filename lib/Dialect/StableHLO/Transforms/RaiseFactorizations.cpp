//===- RaiseFactorizations.cpp - Factorizations as operations -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes boost.factorize of what StableHLO and JAX write for factorizations.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/FactorizationCalls.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_RAISEFACTORIZATIONSPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Swaps the last two dimensions.
static Value swapMatrices(OpBuilder &builder, Location loc, Value matrices) {
  auto order =
      llvm::to_vector(llvm::seq<int64_t>(0, getTensorType(matrices).getRank()));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return transpose(builder, loc, matrices, order);
}

static Value raiseCholesky(CholeskyOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type element = op.getType().getElementType();
  Value a = op.getA();
  if (op.getType().getNumElements() == 0)
    return a;
  a = convert(builder, loc, a,
              element.isF64() ? element : builder.getF32Type());
  // A triangle is the other one of the transposed matrix.
  if (!op.getLower())
    a = swapMatrices(builder, loc, a);
  auto factorize = FactorizeOp::create(builder, loc, TypeRange(a.getType()), a,
                                       Factorization::Cholesky);
  Value l = factorize->getResult(0);
  if (!op.getLower())
    l = swapMatrices(builder, loc, l);
  return convert(builder, loc, l, element);
}

/// Returns 1 for matrices of the batch whose results are NaN, and else 0.
static Value buildStatus(OpBuilder &builder, FactorizeOp op, Type type) {
  Location loc = op.getLoc();
  Value result = op->getResult(0);
  ArrayRef<int64_t> batch = cast<RankedTensorType>(type).getShape();
  SmallVector<int64_t> ends(getShape(result)), zeros(ends.size(), 0),
      ones(ends.size(), 1);
  llvm::fill(MutableArrayRef(ends).drop_front(batch.size()), 1);
  Value first = SliceOp::create(builder, loc, result, zeros, ends, ones);
  first = reshape(builder, loc, first, batch);
  Value isNaN =
      CompareOp::create(builder, loc, first, first, ComparisonDirection::NE);
  return convert(builder, loc, isNaN, getElementTypeOrSelf(type));
}

static void raiseCall(CustomCallOp call, const FactorizationCall &form) {
  OpBuilder builder(call);
  auto results = llvm::map_to_vector(
      form.results, [&](unsigned i) -> Value { return call->getResult(i); });
  auto factorize = FactorizeOp::create(builder, call.getLoc(),
                                       TypeRange(ValueRange(results)),
                                       call->getOperands(), form.kind);
  for (auto [before, after] : llvm::zip_equal(results, factorize->getResults()))
    before.replaceAllUsesWith(after);
  if (!form.status || call->getResult(*form.status).use_empty())
    return;
  Value status = call->getResult(*form.status);
  status.replaceAllUsesWith(buildStatus(builder, factorize, status.getType()));
}

namespace {

struct RaiseFactorizationsPass
    : stablehlo::impl::RaiseFactorizationsPassBase<RaiseFactorizationsPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto cholesky = dyn_cast<CholeskyOp>(op)) {
        cholesky.replaceAllUsesWith(raiseCholesky(cholesky));
        op->erase();
        return;
      }
      auto call = dyn_cast<CustomCallOp>(op);
      if (!call)
        return;
      if (auto form = matchFactorizationCall(call)) {
        raiseCall(call, *form);
        op->erase();
      }
    });
  }
};

} // namespace
