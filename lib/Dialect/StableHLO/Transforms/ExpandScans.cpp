//===- ExpandScans.cpp - Cumulative windows in logarithmic steps ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kogge and Stone's scan: after step k every result combines the 2^k elements
// up to its place.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/Window.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_EXPANDSCANSPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Elementwise, what a region does to scalars.
static SmallVector<Value> applyBody(OpBuilder &builder, Region &body,
                                    ValueRange first, ValueRange second) {
  IRMapping mapping;
  SmallVector<Value> arguments(first);
  llvm::append_range(arguments, second);
  mapping.map(body.getArguments(), arguments);
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(arguments.front().getType()).getShape();
  for (Operation &op : body.front().without_terminator()) {
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      Value scalar = builder.clone(op)->getResult(0);
      mapping.map(constant.getResult(),
                  broadcastScalar(builder, op.getLoc(), scalar, shape));
      continue;
    }
    Operation *clone = builder.clone(op, mapping);
    for (Value result : clone->getResults())
      result.setType(cast<RankedTensorType>(result.getType()).clone(shape));
  }
  return llvm::map_to_vector(
      body.front().getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookup(value); });
}

/// Every value moved by `distance` places along the scan, the initial value in
/// the places that are left.
static SmallVector<Value> shift(OpBuilder &builder, ReduceWindowOp op,
                                Scan scan, ValueRange values,
                                int64_t distance) {
  SmallVector<Value> shifted;
  for (auto [value, init] : llvm::zip_equal(values, op.getInitValues())) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    SmallVector<int64_t> low(rank, 0), high(rank, 0), none(rank, 0);
    low[scan.dim] = scan.isReversed ? -distance : distance;
    high[scan.dim] = -low[scan.dim];
    shifted.push_back(
        PadOp::create(builder, op.getLoc(), value, init, low, high, none));
  }
  return shifted;
}

static void expand(ReduceWindowOp op, Scan scan) {
  OpBuilder builder(op);
  SmallVector<Value> values(op.getInputs());
  int64_t length =
      cast<RankedTensorType>(values.front().getType()).getDimSize(scan.dim);
  for (int64_t distance = 1; distance < length; distance *= 2) {
    SmallVector<Value> shifted = shift(builder, op, scan, values, distance);
    values = scan.isReversed
                 ? applyBody(builder, op.getBody(), values, shifted)
                 : applyBody(builder, op.getBody(), shifted, values);
  }
  op->replaceAllUsesWith(values);
  op->erase();
}

namespace {

struct ExpandScansPass : stablehlo::impl::ExpandScansPassBase<ExpandScansPass> {
  void runOnOperation() override {
    SmallVector<std::pair<ReduceWindowOp, Scan>> scans;
    getOperation()->walk([&](ReduceWindowOp op) {
      std::optional<Scan> scan = matchScan(op);
      if (scan && !hasOwnGradient(op))
        scans.emplace_back(op, *scan);
    });
    for (auto [op, scan] : scans)
      expand(op, scan);
  }

  /// Returns true if the rule of reduce_window has the gradient, or there is
  /// none.
  static bool hasOwnGradient(ReduceWindowOp op) {
    std::optional<ReductionKind> kind = matchSimpleCombiner(op.getBody());
    bool isInteger = llvm::all_of(op.getResultTypes(), [](Type type) {
      return isa<IntegerType>(getElementTypeOrSelf(type));
    });
    return isInteger || kind == ReductionKind::Add ||
           kind == ReductionKind::Max || kind == ReductionKind::Min;
  }
};

} // namespace
