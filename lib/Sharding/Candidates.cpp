//===- Candidates.cpp - Ways to spread one operation ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/Candidates.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::boost;

/// Work on the rank in bytes sent between ranks: a byte of memory traffic, a
/// floating-point operation. Of the order that accelerators have in common.
static constexpr double kTouchedByteCost = 0.1;
static constexpr double kFlopCost = 1e-3;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Proposals
//===----------------------------------------------------------------------===//

bool CandidateSearch::isCutBy(Value value, unsigned dim, AxisMask axis) const {
  return llvm::any_of(values.get(value), [&](const LocalVersion &version) {
    return (version.form.split[dim] & axis) != 0;
  });
}

/// Whether every operand with the reduction loop is already cut along it.
/// Gathering operands that a placement has cut along a contraction is then not
/// considered, so that choices do not depend on the size of a batch.
bool CandidateSearch::isContractedBy(const RuledOp &ruled, int loop,
                                     AxisMask axis) const {
  if (ruled.rule.getLoops()[loop].kind != LoopKind::Sum)
    return false;
  for (auto [operand, loops] :
       llvm::zip_equal(ruled.op->getOperands(), ruled.rule.getOperands()))
    for (auto [dim, dimLoop] : llvm::enumerate(loops))
      if (dimLoop == loop && !isCutBy(operand, dim, axis))
        return false;
  return true;
}

/// The loss works on a cut vocabulary, so in the head the output of the weight
/// is cut rather than the contraction, also where the weight is the embedding
/// and no argument is cut along the vocabulary.
void CandidateSearch::preferVocabulary(const RuledOp &ruled, AxisMask axis,
                                       SmallVectorImpl<int> &loops) const {
  ArrayRef<ShardingLoop> infos = ruled.rule.getLoops();
  auto isSum = [&](int loop) { return infos[loop].kind == LoopKind::Sum; };
  auto region = ruled.op->getAttrOfType<StringAttr>(kRegionAttr);
  if (!region || region.getValue() != kHeadRegion ||
      ruled.phase != Phase::Forward || llvm::none_of(loops, isSum))
    return;
  for (auto [operand, dims] :
       llvm::zip_equal(ruled.op->getOperands(), ruled.rule.getOperands())) {
    if (!isa<BlockArgument>(operand))
      continue;
    for (int loop : dims) {
      if (loop == kNoLoop || infos[loop].kind != LoopKind::Parallel ||
          infos[loop].extent % shardings.getMesh().getSize(axis) != 0)
        continue;
      loops.assign({loop});
      return;
    }
  }
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
      if (isCutBy(operand, dim, axis))
        propose(loop);
  for (OpResult result : ruled.op->getResults())
    for (auto [wanted, loop] :
         llvm::zip_equal(shardings.getSplit(result),
                         ruled.rule.getResults()[result.getResultNumber()]))
      if (wanted & axis)
        propose(loop);
  preferVocabulary(ruled, axis, proposed);
  return proposed;
}

void CandidateSearch::proposePasses(const RuledOp &ruled, AxisMask axis,
                                    SmallVectorImpl<AxisUse> &uses) const {
  SmallVector<unsigned, 2> partial;
  SmallVector<bool> isZero;
  for (auto [index, operand] : llvm::enumerate(ruled.op->getOperands())) {
    isZero.push_back(sums.isPartialOverAny(operand));
    if (llvm::any_of(values.get(operand), [&](const LocalVersion &version) {
          return (version.form.partial & axis) &&
                 version.form.partialKind == LoopKind::Sum;
        }))
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
                    ArrayRef<AxisMask> loopAxes) {
  auto allDivide = [&](ValueRange tensors, ArrayRef<DimLoops> maps) {
    for (auto [value, loops] : llvm::zip_equal(tensors, maps))
      for (auto [dim, loop] : llvm::enumerate(loops))
        if (loop != kNoLoop &&
            typeOf(value).getDimSize(dim) % mesh.getSize(loopAxes[loop]) != 0)
          return false;
    return true;
  };
  return allDivide(ruled.op->getOperands(), ruled.rule.getOperands()) &&
         allDivide(ruled.op->getResults(), ruled.rule.getResults());
}

static Split splitOf(ArrayRef<int> loops, ArrayRef<AxisMask> loopAxes) {
  Split split;
  for (int loop : loops)
    split.push_back(loop == kNoLoop ? 0 : loopAxes[loop]);
  return split;
}

FailureOr<Candidate> mlir::boost::deriveCandidate(const Mesh &mesh,
                                                  const RuledOp &ruled,
                                                  ArrayRef<AxisUse> uses) {
  Candidate candidate;
  candidate.loopAxes.assign(ruled.rule.getLoops().size(), 0);
  for (const AxisUse &use : uses)
    if (use.loop != kNoLoop)
      candidate.loopAxes[use.loop] |= use.axis;
  if (!divides(mesh, ruled, candidate.loopAxes))
    return failure();

  for (const DimLoops &loops : ruled.rule.getOperands())
    candidate.operands.push_back({splitOf(loops, candidate.loopAxes)});
  LocalForm result;
  for (const AxisUse &use : uses) {
    for (unsigned operand : use.passed)
      candidate.operands[operand].partial |= use.axis;
    if (!use.passed.empty())
      result.partial |= use.axis;
  }
  for (auto [loop, axes] :
       llvm::zip_equal(ruled.rule.getLoops(), candidate.loopAxes)) {
    if (!axes || !isReduction(loop.kind))
      continue;
    // Terms of a sum cannot at once be terms of a maximum.
    if (result.partial && result.partialKind != loop.kind)
      return failure();
    result.partial |= axes;
    result.partialKind = loop.kind;
  }
  for (const DimLoops &loops : ruled.rule.getResults()) {
    result.split = splitOf(loops, candidate.loopAxes);
    candidate.results.push_back(result);
  }
  return candidate;
}

/// Every operand as it is wanted, or else as the ranks already hold least of
/// it.
Candidate CandidateSearch::deriveIndependent(const RuledOp &ruled) const {
  Candidate candidate;
  candidate.loopAxes.assign(ruled.rule.getLoops().size(), 0);
  for (Value operand : ruled.op->getOperands()) {
    ArrayRef<AxisMask> wanted = shardings.getSplit(operand);
    LocalForm form;
    form.split.assign(wanted.begin(), wanted.end());
    double least = std::numeric_limits<double>::infinity();
    for (const LocalVersion &version : values.get(operand))
      if (double bytes = price.localBytes(typeOf(operand), version.form.split);
          !getAxesOf(wanted) && bytes < least) {
        least = bytes;
        form.split = version.form.split;
      }
    candidate.operands.push_back(form);
  }
  for (OpResult result : ruled.op->getResults())
    candidate.results.push_back({Split(typeOf(result).getRank(), 0)});
  return candidate;
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
    if (FailureOr<Candidate> candidate = deriveCandidate(mesh, ruled, uses);
        succeeded(candidate)) {
      candidate->cost = getCost(ruled, *candidate);
      if (candidate->cost < best.cost)
        best = std::move(*candidate);
    }
    unsigned position = 0;
    while (position < digits.size() &&
           ++digits[position] == choices[position].size())
      digits[position++] = 0;
    if (position == digits.size())
      break;
  }
  if (!std::isinf(best.cost))
    return best;
  // Nothing proposed divides: whole operands always do.
  return *deriveCandidate(mesh, ruled, {});
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// Completing sums, now or later, and moving to where the result is wanted.
double CandidateSearch::getResultCost(Value result,
                                      const LocalForm &form) const {
  ArrayRef<AxisMask> wanted = shardings.getSplit(result);
  RankedTensorType type = typeOf(result);
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
  AxisMask placed = getAxesOf(wanted) & ~later;
  for (auto [axes, wantedAxes] : llvm::zip_equal(form.split, wanted))
    to.split.push_back((axes & ~placed) | (wantedAxes & placed));
  return cost + price.ofPlan(type, from, to);
}

double CandidateSearch::getCost(const RuledOp &ruled,
                                const Candidate &candidate) const {
  const Mesh &mesh = shardings.getMesh();
  double cost = 0;
  for (auto [operand, form] :
       llvm::zip_equal(ruled.op->getOperands(), candidate.operands))
    cost += values.getCost(operand, form) +
            kTouchedByteCost * price.localBytes(typeOf(operand), form.split);
  for (auto [result, form] :
       llvm::zip_equal(ruled.op->getResults(), candidate.results))
    cost += getResultCost(result, form) +
            kTouchedByteCost * price.localBytes(typeOf(result), form.split);

  double ranks = 1, cutResults = 1;
  AxisMask completed = 0;
  for (auto [loop, axes] :
       llvm::zip_equal(ruled.rule.getLoops(), candidate.loopAxes)) {
    ranks *= mesh.getSize(axes);
    if (loop.kind == LoopKind::Completed)
      completed |= axes;
    else if (loop.kind == LoopKind::Parallel)
      cutResults *= mesh.getSize(axes);
  }
  if (completed)
    cost += price.ofAllReduce(ruled.rule.getCompletionBytes() / cutResults,
                              completed);
  return cost + kFlopCost * ruled.rule.getFlops() / ranks;
}
