//===- UnrollWhile.cpp - Unroll loops of known trip count -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the counter of a loop, counts by doing what the loop would do, and
// writes the body out. Outer loops come first: their counters may be what an
// inner loop's bound depends on.
//
//===----------------------------------------------------------------------===//

#include "NumberLoops.h"

#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_UNROLLWHILEPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

namespace {

/// The condition of a loop: `state[index] DIRECTION bound`.
struct Condition {
  unsigned index;
  ComparisonDirection direction;
  int64_t bound;
};

} // namespace

/// The place of a value in the state of a loop, if it is an argument of one of
/// its regions.
static std::optional<unsigned> getStateIndex(WhileOp loop, Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  if (!arg || arg.getOwner()->getParentOp() != loop)
    return std::nullopt;
  return arg.getArgNumber();
}

/// The number that is all of `attr`.
static int64_t getNumber(DenseIntElementsAttr attr) {
  APInt number = attr.getSplatValue<APInt>();
  return attr.getElementType().isUnsignedInteger() ? number.getZExtValue()
                                                   : number.getSExtValue();
}

/// The value of a scalar integer that does not change during the loop.
static std::optional<int64_t> getInvariant(WhileOp loop, Value value) {
  if (std::optional<unsigned> index = getStateIndex(loop, value)) {
    Block &body = loop.getBody().front();
    if (body.getTerminator()->getOperand(*index) != body.getArgument(*index))
      return std::nullopt;
    value = loop.getOperand()[*index];
  }
  DenseIntElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) || attr.getNumElements() != 1)
    return std::nullopt;
  return getNumber(attr);
}

/// Returns the comparison with exchanged operands.
static ComparisonDirection exchange(ComparisonDirection direction) {
  switch (direction) {
  case ComparisonDirection::LT:
    return ComparisonDirection::GT;
  case ComparisonDirection::LE:
    return ComparisonDirection::GE;
  case ComparisonDirection::GT:
    return ComparisonDirection::LT;
  case ComparisonDirection::GE:
    return ComparisonDirection::LE;
  case ComparisonDirection::EQ:
  case ComparisonDirection::NE:
    return direction;
  }
  llvm_unreachable("unknown comparison");
}

static bool holds(ComparisonDirection direction, int64_t lhs, int64_t rhs) {
  switch (direction) {
  case ComparisonDirection::LT:
    return lhs < rhs;
  case ComparisonDirection::LE:
    return lhs <= rhs;
  case ComparisonDirection::GT:
    return lhs > rhs;
  case ComparisonDirection::GE:
    return lhs >= rhs;
  case ComparisonDirection::EQ:
    return lhs == rhs;
  case ComparisonDirection::NE:
    return lhs != rhs;
  }
  llvm_unreachable("unknown comparison");
}

static std::optional<Condition> matchCondition(WhileOp loop) {
  Value pred = loop.getCond().front().getTerminator()->getOperand(0);
  auto compare = pred.getDefiningOp<CompareOp>();
  if (!compare)
    return std::nullopt;
  ComparisonDirection direction = compare.getComparisonDirection();
  if (auto index = getStateIndex(loop, compare.getLhs()))
    if (auto bound = getInvariant(loop, compare.getRhs()))
      return Condition{*index, direction, *bound};
  if (auto index = getStateIndex(loop, compare.getRhs()))
    if (auto bound = getInvariant(loop, compare.getLhs()))
      return Condition{*index, exchange(direction), *bound};
  return std::nullopt;
}

/// Matches the step of the counter in one trip.
static std::optional<int64_t> matchStep(WhileOp loop, unsigned index) {
  Block &body = loop.getBody().front();
  Value next = body.getTerminator()->getOperand(index);
  Value counter = body.getArgument(index);
  if (auto add = next.getDefiningOp<AddOp>()) {
    if (add.getLhs() == counter)
      return getInvariant(loop, add.getRhs());
    if (add.getRhs() == counter)
      return getInvariant(loop, add.getLhs());
  }
  if (auto subtract = next.getDefiningOp<SubtractOp>())
    if (subtract.getLhs() == counter)
      if (auto step = getInvariant(loop, subtract.getRhs()))
        return -*step;
  return std::nullopt;
}

/// Counts the trips of a loop, or says why their number is not known.
static FailureOr<int64_t> countTrips(WhileOp loop, int64_t maxTrips,
                                     std::string &why) {
  std::optional<Condition> condition = matchCondition(loop);
  if (!condition) {
    why = "its condition does not compare a counter with a constant";
    return failure();
  }
  std::optional<int64_t> step = matchStep(loop, condition->index);
  DenseIntElementsAttr start;
  if (!step ||
      !matchPattern(loop.getOperand()[condition->index], m_Constant(&start))) {
    why = "its counter does not go from a constant by a constant";
    return failure();
  }
  int64_t trips = 0, value = getNumber(start);
  for (; holds(condition->direction, value, condition->bound); value += *step) {
    if (trips == maxTrips) {
      why = "it takes more than " + std::to_string(maxTrips) + " trips";
      return failure();
    }
    ++trips;
  }
  return trips;
}

/// Clones one operation, or folds it into constants.
static void cloneFolded(OpBuilder &builder, Operation &op, IRMapping &mapping) {
  Operation *clone = builder.clone(op, mapping);
  SmallVector<Value> folded;
  // Without results, the operation was folded in place: its operands changed.
  while (succeeded(builder.tryFold(clone, folded))) {
    if (folded.empty())
      continue;
    mapping.map(op.getResults(), folded);
    clone->erase();
    return;
  }
}

/// The counter starts as a constant, and folding keeps it one.
static void unroll(WhileOp loop, int64_t trips) {
  OpBuilder builder(loop);
  Block &body = loop.getBody().front();
  SmallVector<Value> state(loop.getOperand());
  for (int64_t trip = 0; trip < trips; ++trip) {
    IRMapping mapping;
    mapping.map(body.getArguments(), state);
    for (Operation &op : body.without_terminator())
      cloneFolded(builder, op, mapping);
    for (auto [slot, next] :
         llvm::zip(state, body.getTerminator()->getOperands()))
      slot = mapping.lookupOrDefault(next);
  }
  loop.replaceAllUsesWith(state);
  loop.erase();
}

template <typename Container> static int64_t countOperations(Container &&in) {
  int64_t count = 0;
  in.walk([&](Operation *) { ++count; });
  return count;
}

namespace {

struct UnrollWhilePass : stablehlo::impl::UnrollWhilePassBase<UnrollWhilePass> {
  using UnrollWhilePassBase::UnrollWhilePassBase;

  void runOnOperation() override {
    // Loops that other loops contain follow when those are gone.
    SmallVector<WhileOp> loops;
    bool failedAny = false;
    kept.clear();
    numOperations = countOperations(getOperation());
    do {
      loops.clear();
      getOperation()->walk<WalkOrder::PreOrder>([&](WhileOp loop) {
        if (!kept.contains(loop))
          loops.push_back(loop);
        return WalkResult::skip();
      });
      for (WhileOp loop : loops) {
        failedAny |= failed(unrollOrReport(loop));
        // One is enough of what all loops have in common.
        if (numOperations > maxOperations)
          return signalPassFailure();
      }
    } while (!loops.empty() && !failedAny);
    if (failedAny)
      signalPassFailure();
  }

  LogicalResult unrollOrReport(WhileOp loop) {
    std::string why;
    FailureOr<int64_t> trips = countTrips(loop, maxTrips, why);
    if (failed(trips)) {
      loop = hoistInvariants(loop);
      if (isNumberLoop(loop)) {
        kept.insert(isolateNumberLoop(loop));
        return success();
      }
      auto diag = emitError(loop.getLoc())
                  << "the trip count of this loop is not known: " << why;
      diag.attachNote() << "only loops of lax.scan, and of lax.fori_loop with "
                           "constant bounds, and loops of scalars can be "
                           "compiled; let the loop run to a constant bound and "
                           "keep its state by jnp.where once it is done";
      return diag;
    }
    if (failed(countUnrolled(loop, *trips)))
      return failure();
    unroll(loop, *trips);
    return success();
  }

  /// Loops inside of each other multiply. Folding makes fewer of them, never
  /// more.
  LogicalResult countUnrolled(WhileOp loop, int64_t trips) {
    numOperations += trips * (countOperations(loop.getBody()) + 1);
    if (numOperations <= maxOperations)
      return success();
    auto diag = emitError(loop.getLoc())
                << "expects at most " << maxOperations.getValue()
                << " operations once loops are unrolled, but with " << trips
                << " trips of this loop got " << numOperations;
    diag.attachNote() << "let loops inside of each other take fewer trips, or "
                         "write the inner one as operations on whole tensors";
    return diag;
  }

  /// Upper bound of the operations of the module.
  int64_t numOperations = 0;
  /// Loops of numbers, which stay.
  DenseSet<Operation *> kept;
};

} // namespace
