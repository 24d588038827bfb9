//===- SplitUpdate.cpp - One function for each kind of step ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a function of each branch of an update that a count chooses, and lets
// the schedule choose.
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"

#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/UpdateChoices.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::boost {
#define GEN_PASS_DEF_SPLITUPDATEPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using stablehlo::UpdateChoice;

//===----------------------------------------------------------------------===//
// The index
//===----------------------------------------------------------------------===//

/// Returns the boolean that an index of 0 or 1 is another form of, or null.
static Value findPredicate(Value index) {
  if (getElementTypeOrSelf(index.getType()).isInteger(1))
    return index;
  auto convert = index.getDefiningOp<stablehlo::ConvertOp>();
  bool isBoolean =
      convert &&
      getElementTypeOrSelf(convert.getOperand().getType()).isInteger(1);
  return isBoolean ? convert.getOperand() : Value();
}

/// Returns the position that an index means: one that is out of range means the
/// last.
static Value clampIndex(OpBuilder &b, Location loc, Value index,
                        unsigned count) {
  auto number = [&](int64_t value) {
    return stablehlo::splatLike(b, loc, index, static_cast<double>(value));
  };
  Value last = number(count - 1);
  Value isBefore = stablehlo::CompareOp::create(
      b, loc, index, number(0), stablehlo::ComparisonDirection::LT);
  Value atMost = stablehlo::MinOp::create(b, loc, index, last);
  return stablehlo::SelectOp::create(b, loc, isBefore, last, atMost);
}

/// Builds the function that computes the position.
static FailureOr<func::FuncOp> buildIndex(func::FuncOp update,
                                          const UpdateChoice &choice) {
  SmallVector<Operation *> operations =
      *stablehlo::findIndexOperations(choice.branches.front());
  FunctionBuilder f(update, kChooseUpdateFunction);
  bool isPlaced = false;
  for (BlockArgument arg : update.getArguments()) {
    bool isRead =
        arg == choice.index || llvm::any_of(operations, [&](Operation *op) {
          return llvm::is_contained(op->getOperands(), arg);
        });
    if (!isRead)
      continue;
    DictionaryAttr attrs = update.getArgAttrDict(arg.getArgNumber());
    isPlaced |= attrs.contains(kShardingAttr);
    f.addCopyOf(arg, attrs);
  }
  OpBuilder &b = f.getBuilder();
  Location loc = choice.branches.front()->getLoc();
  PhaseOp::create(b, loc, Phase::Optimizer);
  for (Operation *op : operations)
    f.copy(*op);
  Value index = f.get(choice.index);
  Value position = findPredicate(index)
                       ? stablehlo::convert(b, loc, index, b.getI32Type())
                       : clampIndex(b, loc, index, choice.count);
  NamedAttrList attrs;
  attrs.set(kTensorAttr, TensorAttr::get(TensorRole::Output,
                                         b.getStringAttr(kChoiceTensor)));
  if (isPlaced)
    attrs.set(kShardingAttr,
              ShardingAttr::getReplicated(b.getContext(), /*rank=*/0));
  f.addResult(position, attrs.getDictionary(b.getContext()));
  return f.finish();
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

/// Replaces an operation by what one of its regions computes.
static void takeRegion(Operation *op, Region &region) {
  Operation *end = region.front().getTerminator();
  SmallVector<Value> results(end->getOperands());
  end->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         region.front().getOperations());
  op->replaceAllUsesWith(results);
  op->erase();
}

/// Returns a copy of an update that computes what it does at one position.
static func::FuncOp buildAlternative(func::FuncOp update,
                                     const UpdateChoice &choice,
                                     unsigned position) {
  IRMapping mapping;
  auto copy = cast<func::FuncOp>(update->clone(mapping));
  copy.setName((kUpdateFunction + "_" + Twine(position)).str());
  for (Operation *branch : choice.branches)
    takeRegion(mapping.lookup(branch),
               stablehlo::getChosenRegion(mapping.lookup(branch), position));
  if (Value predicate = findPredicate(mapping.lookup(choice.index))) {
    OpBuilder b(copy.getContext());
    b.setInsertionPointToStart(&copy.front());
    auto type = cast<ShapedType>(predicate.getType());
    predicate.replaceAllUsesWith(stablehlo::ConstantOp::create(
        b, predicate.getLoc(), DenseElementsAttr::get(type, position != 0)));
  }
  return copy;
}

/// Lets all readers of a sum read it behind one operation: boost-partition
/// completes what an operation computes once for all of them, and then the
/// product with 1 goes.
static void joinReaders(func::FuncOp function) {
  auto phases = function.getOps<PhaseOp>();
  if (phases.empty())
    return;
  OpBuilder b(function.getContext());
  b.setInsertionPointAfter(*phases.begin());
  for (BlockArgument sum : function.getArguments()) {
    if (!hasRole(sum, TensorRole::Accumulator) || sum.use_empty() ||
        sum.hasOneUse())
      continue;
    Location loc = sum.getLoc();
    auto whole = stablehlo::MulOp::create(b, loc, sum,
                                          stablehlo::splatLike(b, loc, sum, 1));
    whole->setAttr(kComponentAttr, b.getStringAttr(kOptimizerComponent));
    sum.replaceAllUsesExcept(whole, whole);
  }
}

/// Says which branches are computed in each step although a count chooses them.
static void remarkOnOthers(func::FuncOp update, const UpdateChoice *choice) {
  for (Operation &op : update.front()) {
    if (!isa<stablehlo::CaseOp, stablehlo::IfOp>(op) ||
        op.getNumRegions() < 2 ||
        (choice && llvm::is_contained(choice->branches, &op)) ||
        !stablehlo::findIndexOperations(&op))
      continue;
    auto remark = emitRemark(op.getLoc())
                  << "all branches are computed in each step, although a count "
                     "chooses one: ";
    if (op.getNumRegions() > stablehlo::kMostUpdateChoices)
      remark << "there are " << op.getNumRegions()
             << ", and an update is split into at most "
             << stablehlo::kMostUpdateChoices << " functions";
    else
      remark << "the update is split by another number";
  }
}

namespace {
struct SplitUpdatePass
    : public boost::impl::SplitUpdatePassBase<SplitUpdatePass> {
  void runOnOperation() override {
    ScheduleOp train = findSchedule(getOperation(), kTrainSchedule);
    if (!train)
      return;
    SymbolTable symbols(getOperation());
    for (CallOp call : train.getCalls()) {
      auto update = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!call.getMicroBatch() && update && failed(split(call, update)))
        return signalPassFailure();
    }
  }

private:
  LogicalResult split(CallOp call, func::FuncOp update) {
    std::optional<UpdateChoice> choice = stablehlo::findUpdateChoice(update);
    remarkOnOthers(update, choice ? &*choice : nullptr);
    if (!choice)
      return success();
    FailureOr<func::FuncOp> index = buildIndex(update, *choice);
    if (failed(index))
      return failure();
    SmallVector<func::FuncOp> functions = {*index};
    SmallVector<Attribute> names;
    for (unsigned position : llvm::seq(choice->count)) {
      func::FuncOp function = buildAlternative(update, *choice, position);
      getOperation().getBody()->getOperations().insertAfter(
          functions.back()->getIterator(), function);
      functions.push_back(function);
      names.push_back(FlatSymbolRefAttr::get(function));
    }
    OpBuilder b(call);
    ChooseOp::create(b, call.getLoc(), FlatSymbolRefAttr::get(*index),
                     b.getArrayAttr(names));
    call.erase();
    update.erase();
    return simplify(functions);
  }

  /// Removes what the branches that were not taken have read.
  LogicalResult simplify(ArrayRef<func::FuncOp> functions) {
    OpPassManager manager(func::FuncOp::getOperationName());
    manager.addPass(createCanonicalizePass());
    manager.addPass(createCSEPass());
    for (func::FuncOp function : functions) {
      if (failed(runPipeline(manager, function)))
        return failure();
      joinReaders(function);
    }
    return success();
  }
};
} // namespace
