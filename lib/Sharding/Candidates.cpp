//===- Candidates.cpp - Ways to spread one operation ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/Candidates.h"
#include "boost-mlir/Support/TensorTypes.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Proposals
//===----------------------------------------------------------------------===//

bool CandidateSearch::isShardedBy(Value value, unsigned dim,
                                  AxisMask axis) const {
  return llvm::any_of(values.get(value), [&](const LocalVersion &version) {
    return (version.form.split[dim].getSet() & axis) != 0;
  });
}

/// Returns true if every operand with the reduction loop is already sharded
/// along it. The search then does not consider gathering operands that a
/// placement has sharded along a contraction, so that choices do not depend on
/// the size of a batch.
bool CandidateSearch::isContractedBy(const RuledOp &ruled, int loop,
                                     AxisMask axis) const {
  if (ruled.rule.getLoops()[loop].kind != LoopKind::Sum)
    return false;
  for (auto [operand, loops] :
       llvm::zip_equal(ruled.op->getOperands(), ruled.rule.getOperands()))
    for (auto [dim, dimLoop] : llvm::enumerate(loops))
      if (dimLoop == loop && !shardings.isGenerated(operand) &&
          !isShardedBy(operand, dim, axis))
        return false;
  return true;
}

/// Where terms of a sum are proposed, the loop that the rule prefers takes
/// their place if an argument has it: arguments that are not sharded along it
/// are moved.
void CandidateSearch::applyPreference(const RuledOp &ruled, AxisMask axis,
                                      SmallVectorImpl<int> &loops) const {
  ArrayRef<ShardingLoop> infos = ruled.rule.getLoops();
  int preferred = ruled.rule.getPreferredLoop();
  auto isSum = [&](int loop) { return infos[loop].kind == LoopKind::Sum; };
  if (preferred == kNoLoop || llvm::none_of(loops, isSum) ||
      infos[preferred].extent % shardings.getMesh().getSize(axis) != 0)
    return;
  for (auto [operand, dims] :
       llvm::zip_equal(ruled.op->getOperands(), ruled.rule.getOperands()))
    if (isa<BlockArgument>(operand) && llvm::is_contained(dims, preferred))
      return loops.assign({preferred});
}

SmallVector<int> CandidateSearch::proposeLoops(const RuledOp &ruled,
                                               AxisMask axis) const {
  SmallVector<int> proposed;
  auto propose = [&](int loop) {
    if (loop != kNoLoop &&
        ruled.rule.getLoops()[loop].kind != LoopKind::Unshardable &&
        !llvm::is_contained(proposed, loop))
      proposed.push_back(loop);
  };
  for (auto [operand, loops] :
       llvm::zip_equal(ruled.op->getOperands(), ruled.rule.getOperands()))
    for (auto [dim, loop] : llvm::enumerate(loops))
      if (!shardings.isGenerated(operand) && isShardedBy(operand, dim, axis))
        propose(loop);
  for (OpResult result : ruled.op->getResults())
    for (auto [wanted, loop] :
         llvm::zip_equal(shardings.getSplit(result),
                         ruled.rule.getResults()[result.getResultNumber()]))
      if (wanted.getSet() & axis)
        propose(loop);
  applyPreference(ruled, axis, proposed);
  return proposed;
}

void CandidateSearch::proposePasses(const RuledOp &ruled, AxisMask axis,
                                    SmallVectorImpl<AxisUse> &uses) const {
  SmallVector<unsigned, 2> partial;
  SmallVector<bool> isZero;
  for (auto [index, operand] : llvm::enumerate(ruled.op->getOperands())) {
    isZero.push_back(sums.isPartialOverAny(operand));
    auto isPartial = [&](const LocalVersion &version) {
      return (version.form.partial & axis) &&
             version.form.partialKind == LoopKind::Sum;
    };
    if (llvm::any_of(values.get(operand), isPartial) &&
        !sums.isCompletedAnyway(operand, axis))
      partial.push_back(index);
  }
  auto proposeIfAdditive = [&](ArrayRef<unsigned> passed) {
    SmallVector<bool> isPassed(ruled.op->getNumOperands(), false);
    for (unsigned index : passed)
      isPassed[index] = true;
    if (!ruled.rule.isAdditiveIn(isPassed, isZero))
      return false;
    uses.push_back({axis, kNoLoop, SmallVector<unsigned, 2>(passed)});
    return true;
  };
  if (partial.empty() || proposeIfAdditive(partial) || partial.size() == 1)
    return;
  for (unsigned index : partial)
    proposeIfAdditive(index);
}

SmallVector<AxisUse> CandidateSearch::propose(const RuledOp &ruled,
                                              AxisMask axis) const {
  if (std::optional<int> loop = shardings.getFixedLoop(ruled.op, axis))
    return {{axis, *loop, {}}};
  if (sums.isComputedWhole(ruled.op, axis))
    return {{axis, kNoLoop, {}}};
  SmallVector<AxisUse> uses;
  bool contracted = false;
  for (int loop : proposeLoops(ruled, axis)) {
    uses.push_back({axis, loop, {}});
    contracted |= isContractedBy(ruled, loop, axis);
  }
  proposePasses(ruled, axis, uses);
  if (!contracted)
    uses.push_back({axis, kNoLoop, {}});
  return uses;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static bool divides(const Mesh &mesh, const RuledOp &ruled,
                    ArrayRef<AxisList> loopAxes) {
  auto allDivide = [&](ValueRange tensors, ArrayRef<DimLoops> maps) {
    for (auto [value, loops] : llvm::zip_equal(tensors, maps))
      for (auto [dim, loop] : llvm::enumerate(loops))
        if (loop != kNoLoop && getTensorType(value).getDimSize(dim) %
                                       mesh.getSize(loopAxes[loop]) !=
                                   0)
          return false;
    return true;
  };
  return allDivide(ruled.op->getOperands(), ruled.rule.getOperands()) &&
         allDivide(ruled.op->getResults(), ruled.rule.getResults());
}

static Split splitOf(ArrayRef<int> loops, ArrayRef<AxisList> loopAxes) {
  Split split;
  for (int loop : loops)
    split.push_back(loop == kNoLoop ? AxisList() : loopAxes[loop]);
  return split;
}

FailureOr<Candidate> mlir::boost::deriveCandidate(const Mesh &mesh,
                                                  const RuledOp &ruled,
                                                  ArrayRef<AxisUse> uses) {
  Candidate candidate;
  candidate.loopAxes.resize(ruled.rule.getLoops().size());
  for (const AxisUse &use : uses)
    if (use.loop != kNoLoop)
      candidate.loopAxes[use.loop].push_back(llvm::countr_zero(use.axis));
  if (!divides(mesh, ruled, candidate.loopAxes))
    return failure();

  for (const DimLoops &loops : ruled.rule.getOperands())
    candidate.operands.push_back({splitOf(loops, candidate.loopAxes)});
  AxisMask passedOn = 0;
  for (const AxisUse &use : uses) {
    for (unsigned operand : use.passed)
      candidate.operands[operand].partial |= use.axis;
    if (!use.passed.empty())
      passedOn |= use.axis;
  }
  for (auto [index, loops] : llvm::enumerate(ruled.rule.getResults())) {
    LocalForm result;
    result.split = splitOf(loops, candidate.loopAxes);
    result.partial = passedOn;
    for (auto [loop, info, axes] :
         llvm::enumerate(ruled.rule.getLoops(), candidate.loopAxes)) {
      if (axes.empty() || !ruled.rule.isReducedOver(index, loop))
        continue;
      // Terms of a sum cannot at once be terms of a maximum.
      if (result.partial && result.partialKind != info.kind)
        return failure();
      result.partial |= axes.getSet();
      result.partialKind = info.kind;
    }
    candidate.results.push_back(result);
  }
  return candidate;
}

/// Every operand as it is wanted, or else as the ranks already hold least of
/// it.
Candidate CandidateSearch::deriveIndependent(const RuledOp &ruled) const {
  Candidate candidate;
  candidate.loopAxes.resize(ruled.rule.getLoops().size());
  for (Value operand : ruled.op->getOperands()) {
    ArrayRef<AxisList> wanted = shardings.getSplit(operand);
    LocalForm form;
    form.split.assign(wanted.begin(), wanted.end());
    double least = std::numeric_limits<double>::infinity();
    for (const LocalVersion &version : values.get(operand))
      if (double bytes =
              price.localBytes(getTensorType(operand), version.form.split);
          !getAxesOf(wanted) && bytes < least) {
        least = bytes;
        form.split = version.form.split;
      }
    candidate.operands.push_back(form);
  }
  for (OpResult result : ruled.op->getResults())
    candidate.results.push_back({Split(getTensorType(result).getRank())});
  return candidate;
}

/// The lists of several axes that operands have, or results are wanted to have.
SmallVector<AxisList>
CandidateSearch::collectOrders(const RuledOp &ruled) const {
  SmallVector<AxisList> orders;
  auto collect = [&](ArrayRef<AxisList> split) {
    for (const AxisList &axes : split)
      if (axes.size() > 1 && !llvm::is_contained(orders, axes))
        orders.push_back(axes);
  };
  for (Value operand : ruled.op->getOperands())
    for (const LocalVersion &version : values.get(operand))
      collect(version.form.split);
  for (Value result : ruled.op->getResults())
    collect(shardings.getSplit(result));
  return orders;
}

/// Prices the uses in the order of the mesh and, where a loop has several axes,
/// in the other orders in which operands and results have them.
void CandidateSearch::tryOrders(const RuledOp &ruled, SmallVector<AxisUse> uses,
                                Candidate &best) const {
  auto tryUses = [&] {
    FailureOr<Candidate> candidate =
        deriveCandidate(shardings.getMesh(), ruled, uses);
    if (failed(candidate))
      return false;
    candidate->cost = getCost(ruled, *candidate);
    if (candidate->cost < best.cost)
      best = std::move(*candidate);
    return true;
  };
  SmallVector<int> loops;
  for (const AxisUse &use : uses)
    if (use.loop != kNoLoop)
      loops.push_back(use.loop);
  llvm::sort(loops);
  bool mayReorder =
      std::adjacent_find(loops.begin(), loops.end()) != loops.end();
  if (!tryUses() || !mayReorder)
    return;
  for (const AxisList &order : collectOrders(ruled)) {
    if (llvm::is_sorted(order))
      continue;
    // Axes that are not in it come behind.
    auto position = [&](const AxisUse &use) {
      return llvm::find(order, llvm::countr_zero(use.axis)) - order.begin();
    };
    llvm::sort(uses, [&](const AxisUse &a, const AxisUse &b) {
      return std::pair(position(a), a.axis) < std::pair(position(b), b.axis);
    });
    tryUses();
  }
}

Candidate CandidateSearch::findBest(const RuledOp &ruled) const {
  if (ruled.rule.hasIndependentOperands())
    return deriveIndependent(ruled);
  const Mesh &mesh = shardings.getMesh();
  SmallVector<SmallVector<AxisUse>> choices;
  for (int16_t index : mesh.getAxes(mesh.getUsedAxes()))
    choices.push_back(propose(ruled, AxisMask(1) << index));

  // Count through all combinations of one use per axis.
  Candidate best;
  best.cost = std::numeric_limits<double>::infinity();
  SmallVector<unsigned> digits(choices.size(), 0);
  while (true) {
    SmallVector<AxisUse> uses;
    for (auto [choice, digit] : llvm::zip_equal(choices, digits))
      uses.push_back(choice[digit]);
    tryOrders(ruled, std::move(uses), best);
    unsigned position = 0;
    while (position < digits.size() &&
           ++digits[position] == choices[position].size())
      digits[position++] = 0;
    if (position == digits.size())
      break;
  }
  if (!std::isinf(best.cost))
    return best;
  // Nothing proposed divides: replicated operands always do.
  return *deriveCandidate(mesh, ruled, {});
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// Completing sums, now or later, and moving to where the result is wanted.
double CandidateSearch::getResultCost(Value result,
                                      const LocalForm &form) const {
  ArrayRef<AxisList> wanted = shardings.getSplit(result);
  RankedTensorType type = getTensorType(result);
  LocalForm from = form, to;
  double cost = 0;
  AxisMask later = 0;
  for (int16_t index : shardings.getMesh().getAxes(form.partial)) {
    AxisMask axis = AxisMask(1) << index;
    if (form.partialKind == LoopKind::Sum && sums.waits(result, axis)) {
      cost += sums.getCost(result, axis);
      later |= axis;
    }
  }
  from.partial &= ~later;
  AxisMask placed =
      (shardings.isReturned(result) ? ~AxisMask(0) : getAxesOf(wanted)) &
      ~later;
  for (auto [axes, wantedAxes] : llvm::zip_equal(form.split, wanted)) {
    AxisList moved = wantedAxes.restrictedTo(placed);
    for (int16_t axis : axes.restrictedTo(~placed))
      moved.insert(axis, axes);
    to.split.push_back(moved);
  }
  return cost + price.ofPlan(type, from, to);
}

LocalSeconds mlir::boost::getLocalSeconds(const RuledOp &ruled,
                                          const Candidate &candidate,
                                          const Mesh &mesh,
                                          const ReshardCost &price) {
  LocalSeconds seconds;
  double ranks = 1, resultParts = 1;
  AxisMask completed = 0;
  for (auto [loop, axes] :
       llvm::zip_equal(ruled.rule.getLoops(), candidate.loopAxes)) {
    ranks *= static_cast<double>(mesh.getSize(axes));
    if (loop.kind == LoopKind::Completed)
      completed |= axes.getSet();
    else if (loop.kind == LoopKind::Parallel)
      resultParts *= static_cast<double>(mesh.getSize(axes));
  }
  if (completed)
    seconds.completing = price.ofAllReduce(
        ruled.rule.getCompletionBytes() / resultParts, completed);
  if (double flops = ruled.rule.getFlops())
    seconds.computing = price.ofComputing(
        flops / ranks, getElementTypeOrSelf(ruled.op->getOperand(0)));
  return seconds;
}

/// Seconds to get an operand in a form. Beside partial sums over `passed`, one
/// that some operation gathers is only brought into shards.
double CandidateSearch::getOperandCost(Value operand, const LocalForm &form,
                                       AxisMask passed) const {
  double cost = values.getCost(operand, form);
  AxisMask shared = 0;
  for (int16_t index : shardings.getMesh().getAxes(passed & ~form.partial))
    if (AxisMask axis = AxisMask(1) << index; sums.isGathered(operand, axis))
      shared |= axis;
  if (!shared)
    return cost;
  LocalForm sharded, whole;
  for (const AxisList &axes : shardings.getSplit(operand)) {
    sharded.split.push_back(axes);
    whole.split.push_back(axes.restrictedTo(~shared));
  }
  return std::min(cost, values.getCost(operand, sharded) +
                            price.ofPlan(getTensorType(operand), whole, form));
}

double CandidateSearch::getCost(const RuledOp &ruled,
                                const Candidate &candidate) const {
  double cost = 0;
  AxisMask passed = 0;
  for (const LocalForm &form : candidate.operands)
    passed |= form.partial;
  for (auto [operand, form] :
       llvm::zip_equal(ruled.op->getOperands(), candidate.operands))
    cost += getOperandCost(operand, form, passed) +
            price.ofTouching(getTensorType(operand), form.split);
  for (auto [result, form] :
       llvm::zip_equal(ruled.op->getResults(), candidate.results))
    cost += getResultCost(result, form) +
            price.ofTouching(getTensorType(result), form.split);
  LocalSeconds local =
      getLocalSeconds(ruled, candidate, shardings.getMesh(), price);
  return cost + local.completing + local.computing;
}
