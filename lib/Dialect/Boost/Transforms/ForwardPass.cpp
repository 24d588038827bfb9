//===- ForwardPass.cpp - What the backward pass may recompute -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForwardPass.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

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

/// Classifies a product by comparing its elements with those of the activations
/// that it reads; weights are arguments.
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
  if (isa<CollectiveOpInterface>(op))
    return RecomputeClass::Collective;
  if (isa<LinearOp, hlo::DotGeneralOp>(op))
    return classifyProduct(op);
  if (isa<AttentionOp>(op))
    return RecomputeClass::Attention;
  if (isElementwise(op) ||
      isa<hlo::IotaOp, hlo::ReduceOp, hlo::ConcatenateOp, hlo::PadOp,
          hlo::ReverseOp, hlo::DynamicSliceOp, hlo::DynamicUpdateSliceOp,
          hlo::GatherOp, EmbeddingOp, RankGroupOpInterface>(op))
    return RecomputeClass::Elementwise;
  return RecomputeClass::Never;
}

static bool isPassOverMemory(Operation *op) {
  return getRecomputeClass(op) == RecomputeClass::Elementwise;
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

/// The value, the only one that it is computed from, and so on for a few steps.
SmallVector<Value> ForwardPass::findInputs(Value value) const {
  constexpr size_t kMostSteps = 8;
  SmallVector<Value> inputs = {value};
  while (inputs.size() <= kMostSteps) {
    auto known = onlyInputs.find(inputs.back().getDefiningOp());
    if (known == onlyInputs.end() || !known->second || !*known->second)
      break;
    inputs.push_back(*known->second);
  }
  return inputs;
}

/// The tensor whose elements the result is computed from, one by one; null if
/// it reads none, nothing if it reads several. Of functions of a value it is
/// that value.
std::optional<Value> ForwardPass::findOnlyInput(Operation *op) const {
  if (!isElementwise(op) || op->getNumRegions() != 0)
    return std::nullopt;
  Value only;
  for (Value operand : op->getOperands()) {
    if (isWeightless(operand) || isRepeated(operand) || operand == only)
      continue;
    if (!only) {
      only = operand;
      continue;
    }
    SmallVector<Value> others = findInputs(operand);
    SmallVector<Value> inputs = findInputs(only);
    auto *common = llvm::find_if(
        inputs, [&](Value input) { return llvm::is_contained(others, input); });
    if (common == inputs.end())
      return std::nullopt;
    only = *common;
  }
  return only;
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
}

/// Returns true if all readers of the value in the backward pass are passes
/// over memory, which can read the value's operand equally well.
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
  return onlyInputs.lookup(op) && fusesWithBackward(op->getResult(0), *this);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

void ForwardPass::readLayers() {
  int64_t last = -1;
  numLayers = 0;
  for (auto [position, op] : llvm::enumerate(ops)) {
    LayerAttr layer = mlir::boost::getLayer(op);
    layers.push_back(layer ? layer.getIndex() + 1 : 0);
    if (!layer)
      continue;
    numLayers = std::max(numLayers, layers.back());
    last = position;
  }
  for (int64_t &layer : MutableArrayRef(layers).drop_front(last + 1))
    layer = numLayers + 1;
  // Without layers everything is behind layer 0: one layer.
  numLayers = std::max<int64_t>(numLayers, 1);
}

void ForwardPass::findReaders() {
  for (Operation *op : llvm::reverse(ops)) {
    Readers here{getLayer(op), getLayer(op)};
    if (isView(op))
      if (auto found = readers.find(op->getResult(0)); found != readers.end())
        here = found->second;
    for (Value value : getReadValues(op)) {
      auto [found, isNew] = readers.try_emplace(value, here);
      Readers &all = found->second;
      if (isNew)
        continue;
      all.firstLayer = std::min(all.firstLayer, here.firstLayer);
      all.lastLayer = std::max(all.lastLayer, here.lastLayer);
    }
  }
}

/// Only the next layer reads what it is given by the one before.
bool ForwardPass::isLayerInput(Value value) const {
  auto found = readers.find(value);
  int64_t next = getLayer(value.getDefiningOp()) + 1;
  return found != readers.end() && found->second.firstLayer == next &&
         found->second.lastLayer == next;
}

int64_t ForwardPass::getLayer(Value value) const {
  return getLayer(value.getDefiningOp()) + (isLayerInput(value) ? 1 : 0);
}

bool ForwardPass::isCarried(Value value) const {
  Operation *op = value.getDefiningOp();
  auto found = readers.find(value);
  if (found == readers.end() || isView(op) || isWeightless(value))
    return false;
  int64_t own = getLayer(op);
  return found->second.firstLayer != own || found->second.lastLayer != own;
}

SmallVector<Operation *> ForwardPass::getReaders() const {
  SmallVector<Operation *> readers;
  for (Operation *op = backward->getNextNode(); op->getNextNode();
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
  for (Operation *op : ops) {
    classify(op);
    onlyInputs[op] = findOnlyInput(op);
  }
  readLayers();
  findReaders();
}
