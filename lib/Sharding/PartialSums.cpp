//===- PartialSums.cpp - Where partial sums are completed -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/PartialSums.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

bool mlir::boost::isZeroConstant(Value value) {
  return stablehlo::matchSplat(value) == 0.0;
}

bool PartialSums::isPartialOverAny(Value value) const {
  return isZeroConstant(value) || shardings.isOpenSum(value);
}

/// Decisions depend on each other: a sum of two values can only be passed on if
/// both wait. The first round assumes that all do.
static constexpr int kRounds = 3;

PartialSums::PartialSums(const FunctionShardings &shardings,
                         const ReshardCost &price)
    : shardings(shardings), price(price), gathers(shardings, price) {
  for (const RuledOp &ruled : shardings.getOps()) {
    ruledOps[ruled.op] = &ruled;
    for (OpResult result : ruled.op->getResults())
      waiting[result] = ~AxisMask(0);
  }
  for (int round = 0; round < kRounds; ++round) {
    findPartialValues();
    decide();
  }
  computeRepeatedWhole();
}

double PartialSums::getCost(Value value, AxisMask axis) const {
  auto found = costs.find({value, axis});
  return found != costs.end()
             ? found->second
             : reduceCost(value, shardings.getSplit(value), axis);
}

/// Returns true if `value`, the result of an operation with a rule, is computed
/// after the forward pass.
bool PartialSums::isBackward(Value value) const {
  return ruledOps.lookup(value.getDefiningOp())->phase != Phase::Forward;
}

/// Returns true if `user` is the return, belongs to the optimizer, or only
/// prepares their operands, as the rounding of a gradient does.
bool PartialSums::endsWith(Operation *user) const {
  auto isEnd = [&](Operation *op) {
    auto found = ruledOps.find(op);
    return found == ruledOps.end() || found->second->phase == Phase::Optimizer;
  };
  return isEnd(user) || llvm::all_of(user->getUsers(), isEnd);
}

/// The elements of all operands that are partial sums.
int64_t PartialSums::countPartial(Operation *op, AxisMask axis,
                                  Value alsoPartial) const {
  int64_t elements = 0;
  for (Value operand : op->getOperands())
    if (operand == alsoPartial || (seenPartial.lookup(operand) & axis))
      elements += getTensorType(operand).getNumElements();
  return elements;
}

/// Returns true if the operation maps partial sums over `axis` to one.
bool PartialSums::passes(const RuledOp &ruled, AxisMask axis,
                         Value alsoPartial) const {
  if (countPartial(ruled.op, axis, alsoPartial) == 0 ||
      shardings.getFixedLoop(ruled.op, axis))
    return false;
  bool isSpread = gathers.getLoop(ruled.op, axis) != kNoLoop;
  SmallVector<bool> isPartial, isZero;
  for (Value operand : ruled.op->getOperands()) {
    isPartial.push_back(operand == alsoPartial ||
                        (seenPartial.lookup(operand) & axis));
    isZero.push_back(isPartialOverAny(operand));
    if (isSpread && !isPartial.back() && !gathers.isWhole(operand, axis))
      return false;
  }
  return ruled.rule.isAdditiveIn(isPartial, isZero);
}

/// Returns true if the operation adds up a sharded dimension, so that its
/// results are partial sums whether it passes on some or not.
bool PartialSums::sumsOver(const RuledOp &ruled, AxisMask axis) const {
  int loop = gathers.getLoop(ruled.op, axis);
  return loop != kNoLoop && ruled.rule.getLoops()[loop].kind == LoopKind::Sum;
}

void PartialSums::findPartialValues() {
  const Mesh &mesh = shardings.getMesh();
  seenPartial.clear();
  for (auto [argument, axes] : shardings.getPartials())
    seenPartial[argument] = axes;
  for (const RuledOp &ruled : shardings.getOps()) {
    SmallVector<AxisMask> axes(ruled.op->getNumResults(), 0);
    for (int16_t index : mesh.getAxes(mesh.getUsedAxes())) {
      AxisMask axis = AxisMask(1) << index;
      int loop = gathers.getLoop(ruled.op, axis);
      bool sums = sumsOver(ruled, axis);
      bool passesOn = passes(ruled, axis, Value());
      for (auto [result, partial] : llvm::enumerate(axes))
        if (passesOn || (sums && ruled.rule.isReducedOver(result, loop)))
          partial |= axis;
    }
    for (auto [result, partial] :
         llvm::zip_equal(ruled.op->getResults(), axes)) {
      computedPartial[result] = partial;
      seenPartial[result] =
          partial & waiting.lookup(result) & ~completedAnyway.lookup(result);
    }
  }
}

/// Marks operations that repeat a value beside partial sums of whole results.
void PartialSums::computeRepeatedWhole() {
  const Mesh &mesh = shardings.getMesh();
  for (const RuledOp &ruled : shardings.getOps())
    for (int16_t index : mesh.getAxes(mesh.getUsedAxes())) {
      AxisMask axis = AxisMask(1) << index;
      if (!passes(ruled, axis, Value()))
        continue;
      for (Value operand : ruled.op->getOperands())
        if (Operation *op = operand.getDefiningOp();
            op && gathers.isRepeated(operand, axis))
          repeatedWhole[op] |= axis;
    }
}

void PartialSums::decide() {
  waiting.clear();
  terminal.clear();
  completedAnyway.clear();
  costs.clear();
  const Mesh &mesh = shardings.getMesh();
  for (const RuledOp &ruled : llvm::reverse(shardings.getOps()))
    for (OpResult result : ruled.op->getResults())
      for (int16_t axis : mesh.getAxes(computedPartial.lookup(result)))
        visitResult(result, AxisMask(1) << axis);
}

/// An all-reduce, or half of one where the value is wanted in parts.
double PartialSums::reduceCost(Value value, ArrayRef<AxisList> wanted,
                               AxisMask axis) const {
  auto type = cast<RankedTensorType>(value.getType());
  LocalForm from, to;
  to.split.assign(wanted.begin(), wanted.end());
  from.split = to.split;
  for (AxisList &axes : from.split)
    axes = axes.restrictedTo(~axis);
  from.partial = axis;
  return price.ofPlan(type, from, to);
}

void PartialSums::visitResult(Value value, AxisMask axis) {
  double reduced = reduceCost(value, shardings.getSplit(value), axis);
  double passedOn = 0;
  bool mustReduce = false, isNeeded = false, isPassed = false;
  bool isSquared = false;
  bool allTerminal = true, allEnd = true;
  for (Operation *user : value.getUsers()) {
    if (shardings.isNextOfOpenSum(value))
      continue;
    allEnd &= endsWith(user);
    auto found = ruledOps.find(user);
    if (found != ruledOps.end() && passes(*found->second, axis, value)) {
      isPassed = true;
      double share =
          static_cast<double>(getTensorType(value).getNumElements()) /
          static_cast<double>(countPartial(user, axis, value));
      passedOn += gathers.getExtraSeconds(*found->second, axis) * share;
      for (OpResult result : user->getResults()) {
        if (!sumsOver(*found->second, axis))
          passedOn += getCost(result, axis) * share;
        allTerminal &= isTerminal(result, axis);
      }
      continue;
    }
    mustReduce = true;
    // The caller may accept a partial sum.
    isNeeded |= found != ruledOps.end();
    isSquared |= llvm::count(user->getOperands(), value) > 1;
    allTerminal &= endsWith(user);
  }

  // A square would also be the partial sum times the complete one.
  if (isNeeded && (isPassed || isSquared)) {
    completedAnyway[value] |= axis;
    allTerminal = allEnd;
  }

  // A transpose behind a product is written by the product: do not part them.
  bool isTransposed = value.hasOneUse() &&
                      isa<stablehlo::TransposeOp>(*value.getUsers().begin());
  bool cheaper =
      allTerminal || isTransposed ? passedOn <= reduced : passedOn < reduced;
  if (mustReduce ? allTerminal && isBackward(value) : cheaper)
    waiting[value] |= axis;
  if (allTerminal)
    terminal[value] |= axis;
  costs[{value, axis}] = mustReduce ? reduced : std::min(reduced, passedOn);
}
