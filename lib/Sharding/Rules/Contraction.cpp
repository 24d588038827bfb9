//===- Contraction.cpp - Sharding of products and reductions --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Collectives.h"
#include "boost-mlir/Sharding/Rules.h"

using namespace mlir;
using namespace mlir::boost;

/// Two flops for each iteration of the loops.
static void countProducts(ShardingRule &rule) {
  double flops = 2;
  for (const ShardingLoop &loop : rule.getLoops())
    flops *= loop.extent;
  rule.setFlops(flops);
}

/// Result dimensions: batching, free of lhs, free of rhs.
static ShardingRule dotRule(stablehlo::DotGeneralOp op) {
  ShardingRule rule(op);
  stablehlo::DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  ArrayRef<int64_t> lhsBatch = dims.getLhsBatchingDimensions();
  ArrayRef<int64_t> rhsBatch = dims.getRhsBatchingDimensions();
  ArrayRef<int64_t> lhsContract = dims.getLhsContractingDimensions();
  ArrayRef<int64_t> rhsContract = dims.getRhsContractingDimensions();
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  unsigned resultDim = 0;
  for (auto [l, r] : llvm::zip_equal(lhsBatch, rhsBatch))
    rule.addLoop(LoopKind::Parallel, lhs.getDimSize(l))
        .operand(0, l)
        .operand(1, r)
        .result(0, resultDim++);
  for (int64_t dim = 0; dim < lhs.getRank(); ++dim)
    if (!llvm::is_contained(lhsBatch, dim) &&
        !llvm::is_contained(lhsContract, dim))
      rule.addLoop(LoopKind::Parallel, lhs.getDimSize(dim))
          .operand(0, dim)
          .result(0, resultDim++);
  for (int64_t dim = 0; dim < rhs.getRank(); ++dim)
    if (!llvm::is_contained(rhsBatch, dim) &&
        !llvm::is_contained(rhsContract, dim))
      rule.addLoop(LoopKind::Parallel, rhs.getDimSize(dim))
          .operand(1, dim)
          .result(0, resultDim++);
  for (auto [l, r] : llvm::zip_equal(lhsContract, rhsContract))
    rule.addLoop(LoopKind::Sum, lhs.getDimSize(l)).operand(0, l).operand(1, r);
  countProducts(rule);
  return rule.setAdditive({0}).setAdditive({1});
}

static ShardingRule linearRule(LinearOp op) {
  ShardingRule rule(op);
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto weight = cast<RankedTensorType>(op.getWeight().getType());
  unsigned last = input.getRank() - 1;
  unsigned inDim = op.getTransposed() ? 1 : 0;
  for (unsigned dim = 0; dim < last; ++dim)
    rule.addLoop(LoopKind::Parallel, input.getDimSize(dim))
        .operand(0, dim)
        .result(0, dim);
  auto output = rule.addLoop(LoopKind::Parallel, weight.getDimSize(1 - inDim))
                    .operand(1, 1 - inDim)
                    .result(0, last);
  if (op.getShardOutput())
    rule.setPreferredLoop(static_cast<int>(output.getIndex()));
  rule.addLoop(LoopKind::Sum, weight.getDimSize(inDim))
      .operand(0, last)
      .operand(1, inDim);
  countProducts(rule);
  return rule.setAdditive({0}).setAdditive({1});
}

/// Returns the kind of a reduction over spread dimensions: how its parts
/// combine. Unshardable where the body is not understood, or where a sum starts
/// from something other than zero, which every rank would add.
static LoopKind reducedLoopKind(stablehlo::ReduceOp op) {
  std::optional<stablehlo::ReductionKind> kind = matchSimpleReduction(op);
  if (!kind)
    return LoopKind::Unshardable;
  switch (*kind) {
  case stablehlo::ReductionKind::Add:
    return stablehlo::matchSplat(op.getInitValues().front()) == 0.0
               ? LoopKind::Sum
               : LoopKind::Unshardable;
  case stablehlo::ReductionKind::Max:
    return LoopKind::Max;
  case stablehlo::ReductionKind::Min:
    return LoopKind::Min;
  default:
    return LoopKind::Unshardable;
  }
}

static ShardingRule reduceRule(stablehlo::ReduceOp op) {
  ShardingRule rule(op);
  LoopKind kind = reducedLoopKind(op);
  auto type = cast<RankedTensorType>(op.getInputs().front().getType());
  unsigned inputs = op.getInputs().size();
  unsigned resultDim = 0;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    bool reduced = llvm::is_contained(op.getDimensions(), int64_t(dim));
    auto loop = rule.addLoop(reduced ? kind : LoopKind::Parallel, size);
    for (unsigned index = 0; index < inputs; ++index) {
      loop.operand(index, dim);
      if (!reduced)
        loop.result(index, resultDim);
    }
    resultDim += !reduced;
  }
  if (matchSimpleReduction(op) == stablehlo::ReductionKind::Add)
    rule.setAdditive({0, 1});
  return rule;
}

static void buildReduce(stablehlo::ReduceOp op, OpBuilder &builder,
                        const LocalBuild &local,
                        SmallVectorImpl<Value> &results) {
  auto reduce =
      cast<stablehlo::ReduceOp>(cloneWithTypes(builder, op, local, results));
  AxisMask axes = 0;
  for (int64_t dim : op.getDimensions())
    axes |= local.loopAxes[dim].getSet();
  markOneTerm(reduce, axes);
}

void mlir::boost::attachContractionShardingRules(MLIRContext &context) {
  attachShardingRule<stablehlo::DotGeneralOp, dotRule>(context);
  attachShardingRule<LinearOp, linearRule>(context);
  attachShardingRule<stablehlo::ReduceOp, reduceRule, buildReduce>(context);
}
