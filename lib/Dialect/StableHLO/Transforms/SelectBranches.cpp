//===- SelectBranches.cpp - Branches as straight-line code ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberLoops.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/UpdateChoices.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_SELECTBRANCHESPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Moves what `branch` computes before `op`; returns what it returns.
static SmallVector<Value> moveBefore(Operation *op, Region &branch) {
  Operation *end = branch.front().getTerminator();
  SmallVector<Value> results(end->getOperands());
  end->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         branch.front().getOperations());
  return results;
}

/// The position of the branch that a constant chooses.
static std::optional<size_t> matchChoice(Operation *op) {
  DenseIntElementsAttr constant;
  if (!matchPattern(op->getOperand(0), m_Constant(&constant)))
    return std::nullopt;
  APInt value = constant.getSplatValue<APInt>();
  if (isa<IfOp>(op))
    return value.isZero() ? 1 : 0;
  size_t last = op->getNumRegions() - 1;
  // Negative positions are large ones without a sign.
  return value.ugt(last) ? last : value.getZExtValue();
}

/// For every branch but the last a boolean: whether it is the one.
static SmallVector<Value> buildConditions(OpBuilder &builder, Operation *op) {
  Value chosen = op->getOperand(0);
  if (isa<IfOp>(op))
    return {chosen};
  SmallVector<Value> conditions;
  for (size_t i = 0; i + 1 < op->getNumRegions(); ++i)
    conditions.push_back(CompareOp::create(
        builder, op->getLoc(), chosen,
        splatLike(builder, op->getLoc(), chosen, i), ComparisonDirection::EQ));
  return conditions;
}

/// Returns true if a value is a parameter, or a part of one in another form.
static bool isOfParameter(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<ConvertOp, ReshapeOp, SliceOp, TransposeOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return isParameter(cast<BlockArgument>(value));
}

/// Returns true if `branch` only multiplies matrices by a value or looks rows
/// up in it.
static bool isOnlyMultiplied(Value value, Region &branch) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (!branch.isAncestor(user->getParentRegion()))
      return true;
    if (isa<ConvertOp, ReshapeOp, SliceOp, TransposeOp>(user))
      return isOnlyMultiplied(user->getResult(0), branch);
    return isa<DotGeneralOp, GatherOp>(user);
  });
}

/// Lets `branch` read 1 instead of what is around it unless `taken`. Weights
/// and tables stay as they are: linears and embeddings are known by them.
static void guardOperands(OpBuilder &builder, Region &branch, Value taken) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(branch, captured);
  for (Value value : captured) {
    if (!isa<FloatType>(getElementTypeOrSelf(value.getType())) ||
        matchSplat(value) ||
        (isOfParameter(value) && isOnlyMultiplied(value, branch)))
      continue;
    Value guarded =
        SelectOp::create(builder, value.getLoc(), taken, value,
                         splatLike(builder, value.getLoc(), value, 1));
    replaceAllUsesInRegionWith(value, guarded, branch);
  }
}

/// Lets loops of `branch` take no trip unless `taken`: outside of what they are
/// meant for they may have no end.
static void guardLoops(Region &branch, Value taken) {
  for (auto loop :
       llvm::make_early_inc_range(branch.front().getOps<WhileOp>())) {
    Operation *end = loop.getCond().front().getTerminator();
    OpBuilder builder(end);
    end->setOperand(
        0, AndOp::create(builder, loop.getLoc(), taken, end->getOperand(0)));
    isolateNumberLoop(loop);
  }
}

static void selectBranches(Operation *op) {
  if (std::optional<size_t> choice = matchChoice(op)) {
    op->replaceAllUsesWith(moveBefore(op, op->getRegion(*choice)));
    op->erase();
    return;
  }
  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<Value> conditions = buildConditions(builder, op);
  SmallVector<SmallVector<Value>> results;
  Value others;
  for (auto [i, branch] : llvm::enumerate(op->getRegions())) {
    bool isLast = i == conditions.size();
    if (isLast && !others) {
      results.push_back(moveBefore(op, branch));
      break;
    }
    Value taken = isLast ? NotOp::create(builder, loc, others).getResult()
                         : conditions[i];
    guardOperands(builder, branch, taken);
    guardLoops(branch, taken);
    results.push_back(moveBefore(op, branch));
    if (!isLast)
      others = others ? OrOp::create(builder, loc, others, taken).getResult()
                      : taken;
  }
  SmallVector<Value> selected = results.back();
  for (size_t i = conditions.size(); i-- > 0;)
    for (auto [value, own] : llvm::zip_equal(selected, results[i]))
      value = SelectOp::create(builder, loc, conditions[i], own, value);
  op->replaceAllUsesWith(selected);
  op->erase();
}

/// Returns true if boost-split-update may call only the branch that is chosen.
static bool isLeftToSchedule(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  return module.getSymName() == StringRef(kOptimizerSymbol) &&
         !matchChoice(op) && findIndexOperations(op);
}

namespace {

struct SelectBranchesPass
    : stablehlo::impl::SelectBranchesPassBase<SelectBranchesPass> {
  void runOnOperation() override {
    // Inner ones first: what they compute is then part of the outer branch.
    getOperation()->walk([](Operation *op) {
      if (isa<CaseOp, IfOp>(op) && !isLeftToSchedule(op))
        selectBranches(op);
    });
  }
};

} // namespace
