//===- Optimizer.cpp - Sharding of the optimizer --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Collectives.h"
#include "boost-mlir/Sharding/Rules.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::boost;

/// Elementwise in the tensors; lr, step and scale are scalars.
static ShardingRule adamwRule(AdamWOp op) {
  return ShardingRule::pointwise(op);
}

static ShardingRule sumOfSquaresRule(SumOfSquaresOp op) {
  ShardingRule rule(op);
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    for (auto [dim, size] :
         llvm::enumerate(cast<RankedTensorType>(type).getShape()))
      rule.addLoop(LoopKind::Completed, size).operand(index, dim);
  return rule.setIndependentOperands();
}

/// Operands sharded over the same axes are summed together and completed over
/// exactly these: along the others every rank holds the same elements, and
/// adding those up would count them several times.
static void buildSumOfSquares(SumOfSquaresOp op, OpBuilder &builder,
                              const LocalBuild &local,
                              SmallVectorImpl<Value> &results) {
  Location loc = op.getLoc();
  llvm::MapVector<AxisMask, SmallVector<Value>> groups;
  for (auto [operand, split] :
       llvm::zip_equal(local.operands, local.operandSplits))
    groups[getAxesOf(split)].push_back(operand);

  Type scalar = op.getType();
  Value total;
  for (auto &[axes, operands] : groups) {
    Value sum = SumOfSquaresOp::create(builder, loc, scalar, operands);
    if (axes)
      sum = buildAllReduce(builder, loc, local.mesh, axes, Reduction::Sum, sum)
                .front();
    total = total ? stablehlo::AddOp::create(builder, loc, total, sum) : sum;
  }
  if (!total)
    total = stablehlo::splat(builder, loc, scalar, 0);
  results.push_back(total);
}

void mlir::boost::attachOptimizerShardingRules(MLIRContext &context) {
  attachShardingRule<AdamWOp, adamwRule>(context);
  attachShardingRule<SumOfSquaresOp, sumOfSquaresRule, buildSumOfSquares>(
      context);
}
