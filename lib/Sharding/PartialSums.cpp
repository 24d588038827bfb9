//===- PartialSums.cpp - Where partial sums are completed -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/PartialSums.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"

using namespace mlir;
using namespace mlir::boost;

bool mlir::boost::isZeroConstant(Value value) {
  return stablehlo::matchSplat(value) == 0.0;
}

PartialSums::PartialSums(const FunctionShardings &shardings)
    : shardings(shardings), price(shardings.getMesh()) {
  for (const RuledOp &ruled : shardings.getOps())
    ruledOps[ruled.op] = &ruled;
  findPartialValues();
  for (const RuledOp &ruled : llvm::reverse(shardings.getOps()))
    for (OpResult result : ruled.op->getResults())
      for (int16_t axis : shardings.getMesh().getAxes(partial.lookup(result)))
        visitResult(result, AxisMask(1) << axis);
}

double PartialSums::getCost(Value value, AxisMask axis) const {
  auto found = costs.find({value, axis});
  return found != costs.end()
             ? found->second
             : reduceCost(value, shardings.getSplit(value), axis);
}

/// `axis` if the operation takes partial sums over it and returns one.
AxisMask PartialSums::passed(const RuledOp &ruled, AxisMask axis) const {
  SmallVector<bool> isPartial, isZero;
  for (Value operand : ruled.op->getOperands()) {
    isPartial.push_back(partial.lookup(operand) & axis);
    isZero.push_back(isZeroConstant(operand));
  }
  return llvm::is_contained(isPartial, true) &&
                 ruled.rule.isAdditiveIn(isPartial, isZero)
             ? axis
             : 0;
}

void PartialSums::findPartialValues() {
  const Mesh &mesh = shardings.getMesh();
  for (const RuledOp &ruled : shardings.getOps()) {
    AxisMask axes = 0;
    for (int16_t index : mesh.getAxes(mesh.getUsedAxes())) {
      AxisMask axis = AxisMask(1) << index;
      int loop = shardings.chooseLoop(ruled, axis);
      if (loop == kNoLoop)
        axes |= passed(ruled, axis);
      else if (ruled.rule.getLoops()[loop].kind == LoopKind::Sum)
        axes |= axis;
    }
    for (OpResult result : ruled.op->getResults())
      partial[result] = axes;
  }
}

/// An all-reduce, or half of one where the value is wanted in parts.
double PartialSums::reduceCost(Value value, ArrayRef<AxisMask> wanted,
                               AxisMask axis) const {
  auto type = cast<RankedTensorType>(value.getType());
  LocalForm from, to;
  to.split.assign(wanted.begin(), wanted.end());
  from.split = to.split;
  for (AxisMask &axes : from.split)
    axes &= ~axis;
  from.partial = axis;
  return price.ofPlan(type, from, to);
}

/// Whether all results of an operation are only returned.
static bool onlyFeedsReturn(Operation *op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>();
  });
}

void PartialSums::visitResult(Value value, AxisMask axis) {
  double reduced = reduceCost(value, shardings.getSplit(value), axis);
  double passedOn = 0;
  bool mustReduce = false, allTerminal = true;
  for (Operation *user : value.getUsers()) {
    auto found = ruledOps.find(user);
    if (found == ruledOps.end()) { // the return
      mustReduce = true;
      continue;
    }
    const RuledOp &ruled = *found->second;
    bool passes = user->getNumResults() > 0 &&
                  (partial.lookup(user->getResult(0)) & axis) &&
                  shardings.chooseLoop(ruled, axis) == kNoLoop;
    if (passes) {
      unsigned sharers =
          llvm::count_if(user->getOperands(), [&](Value operand) {
            return partial.lookup(operand) & axis;
          });
      for (OpResult result : user->getResults()) {
        passedOn += getCost(result, axis) / sharers;
        allTerminal &= isTerminal(result, axis);
      }
      continue;
    }
    mustReduce = true;
    allTerminal &= ruled.phase == Phase::Optimizer || onlyFeedsReturn(user);
  }

  bool cheaper = allTerminal ? passedOn <= reduced : passedOn < reduced;
  if (mustReduce ? allTerminal : cheaper)
    waiting[value] |= axis;
  if (allTerminal)
    terminal[value] |= axis;
  costs[{value, axis}] = mustReduce ? reduced : std::min(reduced, passedOn);
}
