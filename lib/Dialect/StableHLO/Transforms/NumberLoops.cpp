//===- NumberLoops.cpp - Loops over single numbers ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberLoops.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

static bool isScalar(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

static bool isOfNumbers(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

/// A loop over `state` with the regions of `loop`.
static WhileOp rebuild(WhileOp loop, ValueRange state) {
  OpBuilder builder(loop);
  auto rebuilt =
      WhileOp::create(builder, loop.getLoc(), TypeRange(state), state);
  for (auto [from, to] :
       llvm::zip_equal(loop->getRegions(), rebuilt->getRegions()))
    to.takeBody(from);
  return rebuilt;
}

/// Replaces what every trip passes on unchanged by what it is before the first.
static WhileOp dropInvariantState(WhileOp loop) {
  Block &cond = loop.getCond().front(), &body = loop.getBody().front();
  Operation *end = body.getTerminator();
  llvm::BitVector isInvariant(loop->getNumOperands());
  SmallVector<Value> state, results;
  for (auto [i, value] : llvm::enumerate(loop.getOperand())) {
    if (end->getOperand(i) != body.getArgument(i)) {
      state.push_back(value);
      results.push_back(loop->getResult(i));
      continue;
    }
    isInvariant.set(i);
    cond.getArgument(i).replaceAllUsesWith(value);
    body.getArgument(i).replaceAllUsesWith(value);
    loop->getResult(i).replaceAllUsesWith(value);
  }
  end->eraseOperands(isInvariant);
  cond.eraseArguments(isInvariant);
  body.eraseArguments(isInvariant);
  WhileOp rest = rebuild(loop, state);
  for (auto [from, to] : llvm::zip_equal(results, rest->getResults()))
    from.replaceAllUsesWith(to);
  loop->erase();
  return rest;
}

WhileOp stablehlo::hoistInvariants(WhileOp loop) {
  loop = dropInvariantState(loop);
  auto isOutside = [&](Value value) {
    return !loop->isAncestor(value.getParentBlock()->getParentOp());
  };
  for (Region &region : loop->getRegions())
    for (Operation &op :
         llvm::make_early_inc_range(region.front().without_terminator()))
      // A region may read the state without an operand that says so.
      if (op.getNumRegions() == 0 && isPure(&op) &&
          llvm::all_of(op.getOperands(), isOutside))
        op.moveBefore(loop);
  return loop;
}

bool stablehlo::isNumberLoop(WhileOp loop) {
  WalkResult result = loop->walk([&](Operation *op) {
    bool isKnown = op == loop || op->hasTrait<OpTrait::Elementwise>() ||
                   isa<BitcastConvertOp, ClampOp, ReturnOp, SelectOp>(op);
    return isKnown && isOfNumbers(op) ? WalkResult::advance()
                                      : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

WhileOp stablehlo::isolateNumberLoop(WhileOp loop) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(loop->getRegions(), captured);
  SmallVector<Value> state(loop.getOperand());
  llvm::append_range(state, captured);
  WhileOp isolated = rebuild(loop, state);
  for (Region &region : isolated->getRegions())
    for (Value value : captured)
      replaceAllUsesInRegionWith(
          value, region.addArgument(value.getType(), value.getLoc()), region);
  Block &body = isolated.getBody().front();
  Operation *end = body.getTerminator();
  end->insertOperands(end->getNumOperands(),
                      body.getArguments().take_back(captured.size()));
  loop->replaceAllUsesWith(
      isolated->getResults().take_front(loop->getNumResults()));
  loop->erase();
  return isolated;
}
