//===- ForwardPass.cpp - What the backward pass may recompute -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers are found, not read from names: where a single activation carries the
// forward pass on there is a checkpoint, and the layers are the longest stretch
// of checkpoints between which the same products, attention and collectives
// repeat.
//
//===----------------------------------------------------------------------===//

#include "ForwardPass.h"

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

/// Longest period, in checkpoints, that is tried for a layer.
static constexpr int64_t kMaxPeriod = 64;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

SetVector<Value> mlir::boost::getReadValues(Operation *op) {
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

static bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<hlo::SelectOp, hlo::ClampOp, hlo::BroadcastInDimOp, hlo::ReshapeOp,
             hlo::SliceOp, hlo::TransposeOp, hlo::BitcastConvertOp>(op);
}

/// Reads its operand in place.
static bool isView(Operation *op) {
  return isa<hlo::ReshapeOp, hlo::SliceOp, hlo::BroadcastInDimOp>(op);
}

static int64_t countElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

/// Whether a product has fewer elements than the activations it is made of:
/// weights are arguments.
static RecomputeClass classifyProduct(Operation *op) {
  int64_t largest = 0;
  for (Value operand : op->getOperands())
    if (!isa<BlockArgument>(operand))
      largest = std::max(largest, countElements(operand));
  return countElements(op->getResult(0)) < largest
             ? RecomputeClass::DownProjection
             : RecomputeClass::UpProjection;
}

RecomputeClass mlir::boost::getRecomputeClass(Operation *op) {
  if (isa<AllReduceOp, shard::AllGatherOp, shard::ReduceScatterOp,
          shard::AllToAllOp>(op))
    return RecomputeClass::Collective;
  if (!isMemoryEffectFree(op))
    return RecomputeClass::Never;
  if (isa<LinearOp, hlo::DotGeneralOp>(op))
    return classifyProduct(op);
  if (isa<AttentionOp>(op))
    return RecomputeClass::Attention;
  if (isElementwise(op) ||
      isa<hlo::IotaOp, hlo::ReduceOp, hlo::ConcatenateOp, hlo::PadOp,
          hlo::ReverseOp, hlo::DynamicSliceOp, hlo::DynamicUpdateSliceOp,
          hlo::GatherOp, EmbeddingOp, ProcessIndexOp, shard::AllSliceOp>(op))
    return RecomputeClass::Elementwise;
  return RecomputeClass::Never;
}

static bool isPassOverMemory(Operation *op) {
  return getRecomputeClass(op) == RecomputeClass::Elementwise;
}

/// What a layer is recognized by: everything but passes over memory.
static bool isHeavy(Operation *op) {
  return !isPassOverMemory(op) && !op->hasTrait<OpTrait::ConstantLike>();
}

/// Functions that are not worth evaluating for every element that is read.
static bool isTranscendental(Operation *op) {
  return isa<hlo::CosineOp, hlo::SineOp, hlo::ExpOp, hlo::Expm1Op, hlo::LogOp,
             hlo::Log1pOp, hlo::LogisticOp, hlo::TanhOp, hlo::PowOp,
             hlo::RsqrtOp, hlo::SqrtOp>(op);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool ForwardPass::isWeightless(Value value) const {
  Operation *op = value.getDefiningOp();
  return op &&
         (op->hasTrait<OpTrait::ConstantLike>() || weightless.contains(value));
}

/// A value that is repeated so often that reading it costs next to nothing: a
/// statistic along its row, a gamma along its column.
static bool isRepeated(Value value) {
  constexpr int64_t leastCopies = 16;
  auto broadcast = value.getDefiningOp<hlo::BroadcastInDimOp>();
  return broadcast && leastCopies * countElements(broadcast.getOperand()) <=
                          countElements(value);
}

/// The tensor whose elements the result is computed from, one by one; null if
/// it reads none, nothing if it reads several.
std::optional<Value> ForwardPass::findOnlyInput(Operation *op) const {
  if (!isElementwise(op) || op->getNumRegions() != 0)
    return std::nullopt;
  Value only;
  for (Value operand : op->getOperands()) {
    if (isWeightless(operand) || isRepeated(operand) || operand == only)
      continue;
    if (only)
      return std::nullopt;
    only = operand;
  }
  return only;
}

bool ForwardPass::readsOnlyArguments(Operation *op) const {
  return isPassOverMemory(op) && !isa<EmbeddingOp, hlo::GatherOp>(op) &&
         llvm::all_of(getReadValues(op), [&](Value value) {
           return isa<BlockArgument>(value) || isWeightless(value) ||
                  ofArguments.contains(value);
         });
}

/// The activation behind the result: the nearest value that is no function of
/// one other. None behind products and collectives, which a layer keeps or
/// recomputes by itself, and behind what is made of arguments.
Value ForwardPass::findCarrier(Operation *op) const {
  if (!isPassOverMemory(op) || op->getNumResults() != 1 ||
      ofArguments.contains(op->getResult(0)))
    return {};
  std::optional<Value> only = findOnlyInput(op);
  if (!only)
    return op->getResult(0);
  return *only ? carriers.lookup(*only) : Value();
}

void ForwardPass::classify(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return;
  bool isCount = isa<hlo::IotaOp, ProcessIndexOp>(op);
  bool isFold = isElementwise(op) && !isTranscendental(op) &&
                llvm::all_of(op->getOperands(),
                             [&](Value value) { return isWeightless(value); });
  if (isCount || isFold)
    weightless.insert_range(op->getResults());
  if (readsOnlyArguments(op))
    ofArguments.insert_range(op->getResults());
  if (Value carrier = findCarrier(op))
    carriers[op->getResult(0)] = carrier;
}

/// Whether all that the backward pass computes from the value are passes over
/// memory, which read what it is a function of just as well.
static bool fusesWithBackward(Value value, const ForwardPass &forward) {
  SmallVector<Value> values = {value};
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      Operation *top =
          forward.getBackward()->getBlock()->findAncestorOpInBlock(*user);
      if (top->isBeforeInBlock(forward.getBackward()))
        continue;
      if (isa<hlo::ReshapeOp>(top))
        values.push_back(top->getResult(0));
      else if (!isPassOverMemory(top))
        return false;
    }
  return true;
}

bool ForwardPass::isFree(Operation *op) const {
  if (isa<hlo::ReshapeOp, hlo::SliceOp>(op) || isWeightless(op->getResult(0)))
    return true;
  return findOnlyInput(op) && fusesWithBackward(op->getResult(0), *this);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// Positions of the activations that at some point carry the pass on alone.
SmallVector<int64_t> ForwardPass::findCheckpoints() const {
  DenseMap<Value, int64_t> lastUse;
  for (Operation *op : ops)
    for (Value value : getReadValues(op))
      if (Value carrier = carriers.lookup(value))
        lastUse[carrier] = positions.lookup(op);
  // Number of live carriers and the sum of their positions: with one carrier
  // the sum is its position.
  SmallVector<int64_t> births(ops.size() + 1), sums(ops.size() + 1);
  for (auto [carrier, last] : lastUse) {
    int64_t born = positions.lookup(carrier.getDefiningOp());
    ++births[born + 1], --births[last + 1];
    sums[born + 1] += born, sums[last + 1] -= born;
  }
  SmallVector<int64_t> checkpoints;
  int64_t live = 0, sum = 0;
  for (size_t position = 0; position < ops.size(); ++position) {
    live += births[position];
    sum += sums[position];
    if (live == 1 && (checkpoints.empty() || sum > checkpoints.back()))
      checkpoints.push_back(sum);
  }
  return checkpoints;
}

namespace {
/// A stretch of `count` equal units of `period` segments.
struct Repetition {
  int64_t start = 0, period = 0, count = 0;
  int64_t length() const { return period * count; }
};
} // namespace

/// The repetition that covers most; of several the one with most units.
static Repetition findRepetition(ArrayRef<size_t> segments) {
  Repetition best;
  int64_t size = segments.size();
  for (int64_t period = 1; period <= std::min(size / 2, kMaxPeriod); ++period) {
    int64_t run = 0;
    for (int64_t i = 0; i + period < size; ++i) {
      run = segments[i] == segments[i + period] ? run + 1 : 0;
      Repetition here{i - run + 1, period, run / period + 1};
      if (here.count > 1 && here.length() > best.length())
        best = here;
    }
  }
  return best;
}

/// The checkpoints that layers begin with, and the one behind the last.
SmallVector<int64_t>
ForwardPass::findLayerInputs(ArrayRef<int64_t> checkpoints) const {
  SmallVector<int64_t> ends;
  SmallVector<size_t> segments;
  for (int64_t checkpoint : checkpoints) {
    llvm::hash_code hash = 0;
    bool isEmpty = true;
    int64_t start = ends.empty() ? 0 : ends.back();
    for (Operation *op : ArrayRef(ops).slice(start, checkpoint + 1 - start)) {
      if (!isHeavy(op))
        continue;
      isEmpty = false;
      hash = llvm::hash_combine(hash, op->getName());
      for (Type type : op->getResultTypes())
        hash = llvm::hash_combine(hash, type);
    }
    // Checkpoints with only passes over memory between them are one.
    if (isEmpty && !ends.empty()) {
      ends.back() = checkpoint;
      continue;
    }
    segments.push_back(hash);
    ends.push_back(checkpoint);
  }
  // What stands before the first checkpoint is no segment between two.
  if (segments.empty())
    return {};
  Repetition found = findRepetition(ArrayRef(segments).drop_front());
  SmallVector<int64_t> inputs;
  if (found.count > 1)
    for (int64_t i = 0; i <= found.count; ++i)
      inputs.push_back(ends[found.start + i * found.period]);
  return inputs;
}

void ForwardPass::assignLayers(ArrayRef<int64_t> inputs) {
  layers.assign(ops.size(), inputs.empty() ? 1 : 0);
  if (inputs.empty())
    return;
  numLayers = inputs.size() - 1;
  int64_t layer = 0;
  for (size_t position = 0; position < ops.size(); ++position) {
    layers[position] = layer;
    if (layer < static_cast<int64_t>(inputs.size()) &&
        inputs[layer] == static_cast<int64_t>(position)) {
      layerInputs.insert(ops[position]->getResult(0));
      ++layer;
    }
  }
}

void ForwardPass::computeLastLayers() {
  for (Operation *op : llvm::reverse(ops)) {
    int64_t layer = getLayer(op);
    if (isView(op))
      layer = std::max(layer, lastLayers.lookup(op->getResult(0)));
    for (Value value : getReadValues(op)) {
      int64_t &last = lastLayers[value];
      last = std::max(last, layer);
    }
  }
}

int64_t ForwardPass::getLayer(Value value) const {
  return getLayer(value.getDefiningOp()) +
         (layerInputs.contains(value) ? 1 : 0);
}

bool ForwardPass::isCarried(Value value) const {
  if (layerInputs.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  return !isView(op) && !isWeightless(value) &&
         lastLayers.lookup(value) > getLayer(op);
}

SmallVector<Operation *> ForwardPass::getReaders() const {
  SmallVector<Operation *> readers;
  for (Operation *op = backward->getNextNode(); op && op->getNextNode();
       op = op->getNextNode())
    readers.push_back(op);
  return readers;
}

ForwardPass::ForwardPass(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return;
  for (Operation &op : function.front()) {
    if (auto phase = dyn_cast<PhaseOp>(op)) {
      backward = phase;
      break;
    }
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
  if (!backward)
    return;
  for (Operation *op : ops)
    classify(op);
  assignLayers(findLayerInputs(findCheckpoints()));
  computeLastLayers();
}
