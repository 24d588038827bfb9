//===- CrossEntropy.cpp - Sharding of the loss ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The local form is StableHLO on the rank's part of the vocabulary: one
// all-reduce of the maximum, one of the denominator and the label's logit.
// On an unsharded vocabulary the same without communication, so that nothing
// below this level knows of the operation.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Collectives.h"
#include "boost-mlir/Sharding/Rules.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::boost;

// The loop over the vocabulary comes first in both rules.
static constexpr unsigned kVocabularyLoop = 0;

/// The loops over the dimensions of the labels, in every operand and result.
static void addTokenLoops(ShardingRule &rule, Operation *op,
                          RankedTensorType labels) {
  for (auto [dim, size] : llvm::enumerate(labels.getShape())) {
    auto loop = rule.addLoop(LoopKind::Parallel, size);
    for (unsigned index = 0; index < op->getNumOperands(); ++index)
      loop.operand(index, dim);
    for (unsigned index = 0; index < op->getNumResults(); ++index)
      loop.result(index, dim);
  }
}

static ShardingRule crossEntropyRule(CrossEntropyOp op) {
  ShardingRule rule(op);
  auto logits = cast<RankedTensorType>(op.getLogits().getType());
  auto loss = cast<RankedTensorType>(op.getLoss().getType());
  unsigned last = logits.getRank() - 1;
  rule.addLoop(LoopKind::Completed, logits.getDimSize(last)).operand(0, last);
  addTokenLoops(rule, op, cast<RankedTensorType>(op.getLabels().getType()));
  return rule.setCompletionBytes(3.0 * getDenseBytes(loss));
}

static ShardingRule crossEntropyGradRule(CrossEntropyGradOp op) {
  ShardingRule rule(op);
  auto logits = cast<RankedTensorType>(op.getLogits().getType());
  unsigned last = logits.getRank() - 1;
  rule.addLoop(LoopKind::Parallel, logits.getDimSize(last))
      .operand(0, last)
      .result(0, last);
  addTokenLoops(rule, op, cast<RankedTensorType>(op.getLabels().getType()));
  return rule.setAdditive({op.getGradMutable().getOperandNumber()});
}

namespace {
/// The rank's part of the logits and what both builders say about it.
class LocalVocabulary {
public:
  LocalVocabulary(OpBuilder &builder, Location loc, const LocalBuild &local,
                  Value logits, Type statType)
      : builder(builder), loc(loc), local(local),
        logits(stablehlo::convert(builder, loc, logits, statType)),
        type(cast<RankedTensorType>(this->logits.getType())) {}

  Value getLogits() const { return logits; }
  RankedTensorType getType() const { return type; }

  /// A value per token, repeated over the vocabulary.
  Value repeat(Value perToken) const {
    return stablehlo::broadcastTrailing(builder, loc, perToken,
                                        type.getShape());
  }

  /// Builds a mask of the positions in the (logical) vocabulary that are the
  /// label's.
  Value isLabel(Value labels) const {
    auto labelsType = cast<RankedTensorType>(labels.getType());
    Type idType = labelsType.getElementType();
    int64_t last = type.getRank() - 1;
    Value position = stablehlo::IotaOp::create(
        builder, loc, RankedTensorType::get(type.getShape(), idType),
        builder.getI64IntegerAttr(last));
    const AxisList &axes = local.loopAxes[kVocabularyLoop];
    if (!axes.empty()) {
      Value offset = buildShardOffset(builder, loc, local.mesh, axes,
                                      type.getDimSize(last), idType);
      offset =
          stablehlo::broadcastScalar(builder, loc, offset, type.getShape());
      position = stablehlo::AddOp::create(builder, loc, position, offset);
    }
    return stablehlo::CompareOp::create(builder, loc, position, repeat(labels),
                                        stablehlo::ComparisonDirection::EQ);
  }

  /// Reduces a value over the rank's part of the vocabulary.
  Value reduce(Value operand, stablehlo::ReductionKind kind) const {
    Value result =
        stablehlo::reduce(builder, loc, operand, {type.getRank() - 1}, kind);
    markOneTerm(result.getDefiningOp<stablehlo::ReduceOp>(),
                local.loopAxes[kVocabularyLoop].getSet());
    return result;
  }

  /// Completes values over the ranks that hold the rest of the vocabulary.
  SmallVector<Value> allReduce(Reduction reduction, ValueRange values) const {
    AxisMask axes = local.loopAxes[kVocabularyLoop].getSet();
    if (!axes)
      return llvm::to_vector(values);
    return llvm::to_vector(
        buildAllReduce(builder, loc, local.mesh, axes, reduction, values));
  }

private:
  OpBuilder &builder;
  Location loc;
  const LocalBuild &local;
  Value logits;
  RankedTensorType type;
};
} // namespace

static void buildCrossEntropy(CrossEntropyOp op, OpBuilder &builder,
                              const LocalBuild &local,
                              SmallVectorImpl<Value> &results) {
  Location loc = op.getLoc();
  auto statType = getElementTypeOrSelf(op.getLoss().getType());
  LocalVocabulary vocabulary(builder, loc, local, local.operands[0], statType);
  Value logits = vocabulary.getLogits();

  Value max = vocabulary.reduce(logits, stablehlo::ReductionKind::Max);
  max = vocabulary.allReduce(Reduction::Max, max).front();
  Value shifted = stablehlo::SubtractOp::create(builder, loc, logits,
                                                vocabulary.repeat(max));
  Value exp = stablehlo::ExpOp::create(builder, loc, shifted);
  Value denominator = vocabulary.reduce(exp, stablehlo::ReductionKind::Add);
  Value isLabel = vocabulary.isLabel(local.operands[1]);
  Value zero = stablehlo::splatLike(builder, loc, logits, 0);
  Value picked = stablehlo::SelectOp::create(builder, loc, vocabulary.getType(),
                                             isLabel, logits, zero);
  picked = vocabulary.reduce(picked, stablehlo::ReductionKind::Add);

  SmallVector<Value> sums =
      vocabulary.allReduce(Reduction::Sum, {denominator, picked});
  Value log = stablehlo::LogOp::create(builder, loc, sums[0]);
  Value lse = stablehlo::AddOp::create(builder, loc, log, max);
  Value loss = stablehlo::SubtractOp::create(builder, loc, lse, sums[1]);
  results.append({loss, lse});
}

static void buildCrossEntropyGrad(CrossEntropyGradOp op, OpBuilder &builder,
                                  const LocalBuild &local,
                                  SmallVectorImpl<Value> &results) {
  Location loc = op.getLoc();
  auto statType = getElementTypeOrSelf(op.getLse().getType());
  LocalVocabulary vocabulary(builder, loc, local, local.operands[0], statType);
  Value shifted =
      stablehlo::SubtractOp::create(builder, loc, vocabulary.getLogits(),
                                    vocabulary.repeat(local.operands[2]));
  Value softmax = stablehlo::ExpOp::create(builder, loc, shifted);
  Value oneHot = stablehlo::convert(
      builder, loc, vocabulary.isLabel(local.operands[1]), statType);
  Value difference =
      stablehlo::SubtractOp::create(builder, loc, softmax, oneHot);
  Value grad = stablehlo::MulOp::create(builder, loc, difference,
                                        vocabulary.repeat(local.operands[3]));
  Type elementType = getElementTypeOrSelf(local.resultTypes.front());
  results.push_back(stablehlo::convert(builder, loc, grad, elementType));
}

void mlir::boost::attachCrossEntropyShardingRules(MLIRContext &context) {
  attachShardingRule<CrossEntropyOp, crossEntropyRule, buildCrossEntropy>(
      context);
  attachShardingRule<CrossEntropyGradOp, crossEntropyGradRule,
                     buildCrossEntropyGrad>(context);
}
