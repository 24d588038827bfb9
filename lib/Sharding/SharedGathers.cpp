//===- SharedGathers.cpp - Values that several gather ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/SharedGathers.h"

#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

/// The loop of the dimension that `axis` shards; kNoLoop if none is.
static int findLoop(ArrayRef<AxisList> split, ArrayRef<int> loops,
                    AxisMask axis) {
  for (auto [axes, loop] : llvm::zip(split, loops))
    if (axes.getSet() & axis)
      return loop;
  return kNoLoop;
}

static Split without(ArrayRef<AxisList> split, AxisMask axis) {
  Split rest(split);
  for (AxisList &axes : rest)
    axes = axes.restrictedTo(~axis);
  return rest;
}

SharedGathers::SharedGathers(const FunctionShardings &shardings,
                             const ReshardCost &price)
    : shardings(shardings), price(price) {
  const Mesh &mesh = shardings.getMesh();
  SmallVector<AxisMask> axes;
  for (int16_t index : mesh.getAxes(mesh.getUsedAxes()))
    axes.push_back(AxisMask(1) << index);
  for (const RuledOp &ruled : shardings.getOps())
    for (AxisMask axis : axes) {
      loops[{ruled.op, axis}] = chooseLoop(ruled, axis);
      findRepeated(ruled, axis);
    }
  // All readers of a value come behind it.
  for (const RuledOp &ruled : llvm::reverse(shardings.getOps()))
    for (AxisMask axis : axes) {
      for (OpResult result : ruled.op->getResults())
        gather(result, axis);
      findWholeOperands(ruled, axis);
      addReader(ruled, axis);
    }
  for (BlockArgument argument :
       func::FuncOp(shardings.getFunction()).getArguments())
    for (AxisMask axis : axes)
      gather(argument, axis);
}

/// Results are wanted along other loops, but nothing has to be moved for terms
/// of a sum.
int SharedGathers::chooseLoop(const RuledOp &ruled, AxisMask axis) const {
  const ShardingRule &rule = ruled.rule;
  int chosen = shardings.chooseLoop(ruled, axis);
  if (chosen == kNoLoop || shardings.getFixedLoop(ruled.op, axis) ||
      rule.getPreferredLoop() != kNoLoop)
    return chosen;
  int summed = kNoLoop;
  for (auto [operand, loops] :
       llvm::zip_equal(ruled.op->getOperands(), rule.getOperands())) {
    if (shardings.isGenerated(operand))
      continue;
    int loop = findLoop(shardings.getSplit(operand), loops, axis);
    bool isSum = loop != kNoLoop && rule.getLoops()[loop].kind == LoopKind::Sum;
    if (!isSum || (summed != kNoLoop && summed != loop))
      return chosen;
    summed = loop;
  }
  return summed == kNoLoop ? chosen : summed;
}

double SharedGathers::getSeconds(Value value, AxisMask axis) const {
  ArrayRef<AxisList> split = shardings.getSplit(value);
  return price.ofPlan(getTensorType(value), {Split(split)},
                      {without(split, axis)});
}

double SharedGathers::getExtraSeconds(const RuledOp &ruled,
                                      AxisMask axis) const {
  int loop = getLoop(ruled.op, axis);
  if (loop == kNoLoop)
    return 0;
  double ranks = static_cast<double>(shardings.getMesh().getSize(axis));
  double seconds = 0;
  auto count = [&](Value value, ArrayRef<int> loops) {
    if (!llvm::is_contained(loops, loop))
      return;
    double whole = price.ofTouching(getTensorType(value),
                                    without(shardings.getSplit(value), axis));
    seconds += whole * (1 - 1 / ranks);
  };
  for (auto [operand, loops] :
       llvm::zip_equal(ruled.op->getOperands(), ruled.rule.getOperands()))
    count(operand, loops);
  for (auto [result, loops] :
       llvm::zip_equal(ruled.op->getResults(), ruled.rule.getResults()))
    count(result, loops);
  if (double flops = ruled.rule.getFlops())
    seconds += price.ofComputing(flops * (1 - 1 / ranks),
                                 getElementTypeOrSelf(ruled.op->getOperand(0)));
  return seconds;
}

/// A result repeats its operands along a dimension that none of them has.
void SharedGathers::findRepeated(const RuledOp &ruled, AxisMask axis) {
  auto isRepeatedWhole = [&](Value operand) {
    return !isSharded(operand, axis) || isRepeated(operand, axis);
  };
  if (!llvm::all_of(ruled.op->getOperands(), isRepeatedWhole))
    return;
  for (auto [result, loops] :
       llvm::zip_equal(ruled.op->getResults(), ruled.rule.getResults())) {
    int loop = findLoop(shardings.getSplit(result), loops, axis);
    bool isRead =
        llvm::any_of(ruled.rule.getOperands(), [&](const DimLoops &dims) {
          return llvm::is_contained(dims, loop);
        });
    if (loop != kNoLoop && !isRead)
      repeated[result] |= axis;
  }
}

/// Operands that an operation reads whole although they are sharded.
void SharedGathers::findWholeOperands(const RuledOp &ruled, AxisMask axis) {
  if (ruled.rule.hasIndependentOperands())
    return;
  int chosen = getLoop(ruled.op, axis);
  for (auto [operand, loops] :
       llvm::zip_equal(ruled.op->getOperands(), ruled.rule.getOperands())) {
    if (!isSharded(operand, axis) || shardings.isGenerated(operand))
      continue;
    // A value that is wanted sharded along another dimension is exchanged.
    bool isSpread = chosen != kNoLoop && llvm::is_contained(loops, chosen);
    if (!isSpread)
      gathered[operand] |= axis;
  }
}

/// An operation whose results are gathered, and which could be computed whole
/// if one operand were gathered in their place.
void SharedGathers::addReader(const RuledOp &ruled, AxisMask axis) {
  if (shardings.getFixedLoop(ruled.op, axis) || ruled.rule.getFlops() ||
      ruled.rule.isGenerator() || ruled.rule.hasIndependentOperands())
    return;
  int loop = getLoop(ruled.op, axis);
  if (loop == kNoLoop || ruled.rule.getLoops()[loop].kind != LoopKind::Parallel)
    return;
  double saved = -getExtraSeconds(ruled, axis);
  for (OpResult result : ruled.op->getResults()) {
    if (!(gathered.lookup(result) & axis))
      return;
    saved += getSeconds(result, axis);
  }
  Value sharded;
  for (Value operand : ruled.op->getOperands()) {
    if (!isSharded(operand, axis) || shardings.isGenerated(operand) ||
        isRepeated(operand, axis) || operand == sharded)
      continue;
    if (sharded)
      return;
    sharded = operand;
  }
  if (sharded && saved > 0)
    readers[sharded].push_back({ruled.op, axis, saved});
}

/// Decides whether `value` is gathered in place of what is computed from it.
void SharedGathers::gather(Value value, AxisMask axis) {
  auto found = readers.find(value);
  if (found == readers.end())
    return;
  double saved = 0;
  for (const Reader &reader : found->second)
    if (reader.axis == axis)
      saved += reader.saved;
  bool isGathered = gathered.lookup(value) & axis;
  if (saved == 0 || (!isGathered && saved <= getSeconds(value, axis)))
    return;
  gathered[value] |= axis;
  for (const Reader &reader : found->second) {
    if (reader.axis != axis)
      continue;
    computedWhole[reader.op] |= axis;
    for (Value operand : reader.op->getOperands())
      if (Operation *op = operand.getDefiningOp();
          op && isRepeated(operand, axis))
        computedWhole[op] |= axis;
  }
}
