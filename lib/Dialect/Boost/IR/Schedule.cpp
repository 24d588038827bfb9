//===- Schedule.cpp - What the binary runs --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds, reads and verifies boost.schedule, operation by operation.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Schedule.h"

#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::boost;

SmallVector<CallOp> ScheduleOp::getCalls() {
  return llvm::to_vector(getBody().front().getOps<CallOp>());
}

SmallVector<Operation *> mlir::boost::getActions(ScheduleOp schedule) {
  return llvm::map_to_vector(schedule.getBody().front(),
                             [](Operation &action) { return &action; });
}

std::optional<int64_t> mlir::boost::getStage(FunctionOpInterface function) {
  auto stage = function->getAttrOfType<IntegerAttr>(kStageAttr);
  return stage ? std::optional(stage.getInt()) : std::nullopt;
}

ScheduleOp mlir::boost::findSchedule(ModuleOp module, StringRef name) {
  return module.lookupSymbol<ScheduleOp>(name);
}

ScheduleOp mlir::boost::findMainSchedule(ModuleOp module) {
  for (StringRef name : {kTrainSchedule, kGradientsSchedule, kEvaluateSchedule})
    if (ScheduleOp schedule = findSchedule(module, name))
      return schedule;
  return nullptr;
}

SmallVector<CalledFunction>
mlir::boost::getCalledFunctions(ScheduleOp schedule) {
  SymbolTable symbols(schedule->getParentOfType<ModuleOp>());
  llvm::MapVector<StringAttr, int64_t> counts;
  for (Operation *action : getActions(schedule)) {
    if (auto call = dyn_cast<CallOp>(action))
      ++counts[call.getCalleeAttr().getAttr()];
    auto choice = dyn_cast<ChooseOp>(action);
    if (!choice)
      continue;
    ++counts[choice.getIndexAttr().getAttr()];
    for (StringAttr name : choice.getFunctionNames())
      ++counts[name];
  }
  SmallVector<CalledFunction> functions;
  for (auto [name, count] : counts)
    functions.push_back({symbols.lookup<FunctionOpInterface>(name), count});
  return functions;
}

bool mlir::boost::hasMicroBatch(FunctionOpInterface function) {
  auto isOfMicroBatch = [](TensorAttr tensor) {
    return hasRole(tensor, TensorRole::Batch) ||
           hasRole(tensor, TensorRole::Kept);
  };
  return llvm::any_of(llvm::seq(function.getNumArguments()),
                      [&](unsigned i) {
                        return isOfMicroBatch(getArgTensor(function, i));
                      }) ||
         llvm::any_of(llvm::seq(function.getNumResults()), [&](unsigned i) {
           return isOfMicroBatch(getResultTensor(function, i));
         });
}

func::FuncOp mlir::boost::findLoss(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>(kLossFunction);
}

func::FuncOp mlir::boost::findGradient(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>(kGradientFunction);
}

FunctionOpInterface mlir::boost::findProbedFunction(ModuleOp module) {
  if (ScheduleOp train = findSchedule(module, kTrainSchedule)) {
    SmallVector<CalledFunction> called = getCalledFunctions(train);
    if (called.size() == 1)
      return called.front().function;
  }
  if (func::FuncOp gradient = findGradient(module))
    return gradient;
  return nullptr;
}

FailureOr<SmallVector<Value>>
mlir::boost::findGradientsIn(FunctionOpInterface step,
                             FunctionOpInterface gradient) {
  llvm::StringMap<Value> arguments;
  for (BlockArgument arg : step.getArguments())
    arguments[getArgName(step, arg.getArgNumber())] = arg;
  DenseMap<Value, Value> inStep;
  for (BlockArgument arg : gradient.getArguments())
    inStep[arg] = arguments.lookup(getArgName(gradient, arg.getArgNumber()));
  auto isSame = [&](Value one, Value other) {
    return success(inStep.lookup(one) == other);
  };
  auto pair = [&](Value one, Value other) { inStep[one] = other; };
  Block::iterator next = step.front().begin(), end = step.front().end();
  for (Operation &op : gradient.front().without_terminator()) {
    while (next != end && isa<ProbeOp>(*next))
      ++next;
    if (next == end || !OperationEquivalence::isEquivalentTo(
                           &op, &*next, isSame, pair,
                           OperationEquivalence::Flags::IgnoreLocations))
      return emitError(op.getLoc())
             << "expects @" << step.getName() << " to begin with what @"
             << gradient.getName() << " computes, but it lacks this";
    ++next;
  }
  return llvm::map_to_vector(gradient.front().getTerminator()->getOperands(),
                             [&](Value value) { return inStep.lookup(value); });
}

int64_t mlir::boost::countMicroBatches(FunctionOpInterface function) {
  for (unsigned i : llvm::seq(function.getNumArguments()))
    if (auto count =
            function.getArgAttrOfType<IntegerAttr>(i, kMicroBatchesAttr))
      return count.getInt();
  return 1;
}

ScheduleOp mlir::boost::buildSchedule(OpBuilder &builder, Location loc,
                                      StringRef name, int64_t microBatches,
                                      ArrayRef<FunctionOpInterface> functions) {
  auto schedule = ScheduleOp::create(builder, loc, name, microBatches);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&schedule.getBody());
  for (FunctionOpInterface function : functions) {
    auto call = [&](IntegerAttr microBatch) {
      CallOp::create(builder, loc,
                     FlatSymbolRefAttr::get(function.getOperation()),
                     microBatch, /*slot=*/IntegerAttr());
    };
    if (!hasMicroBatch(function))
      call({});
    else
      for (int64_t i : llvm::seq(microBatches))
        call(builder.getI64IntegerAttr(i));
  }
  return schedule;
}

LogicalResult ScheduleOp::verify() {
  if (getBody().front().empty())
    return emitOpError("expects at least one call, but got none");
  for (Operation &op : getBody().front())
    if (!isa<CallOp, ChooseOp, TransferOp>(op))
      return op.emitOpError("is no part of a schedule: expects boost.call, "
                            "boost.choose and boost.transfer only");
  return success();
}

LogicalResult TransferOp::verify() {
  if (getTensors().empty())
    return emitOpError("expects the name of at least one tensor, but got none");
  llvm::SmallDenseSet<StringAttr> names;
  for (StringAttr name : getNames())
    if (!names.insert(name).second)
      return emitOpError("expects different names, but got ")
             << name << " twice";
  if (getFrom() == getTo() && getFromSlot() == getToSlot())
    return emitOpError(
               "expects two stages, or two slots of one, but got stage ")
           << getFrom() << " twice";
  bool hasMicroBatch = getMicroBatch().has_value();
  if (getFromSlot().has_value() != hasMicroBatch ||
      getToSlot().has_value() != hasMicroBatch)
    return emitOpError("expects a slot of both stages where it has a "
                       "micro_batch, and none where it has not");
  return success();
}
