//===- Attention.cpp - Sharding of attention ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By batch and by heads. Query head i reads key head i / (h / kvh), so equal
// cuts of both keep the heads that belong together on one rank.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Rules.h"

using namespace mlir;
using namespace mlir::boost;

static constexpr unsigned kBatchDim = 0, kHeadDim = 2, kLseHeadDim = 1;

/// Flops of the two products of the forward pass.
static double attentionFlops(RankedTensorType query, RankedTensorType key,
                             bool causal) {
  double products = 4.0 * query.getNumElements() * key.getDimSize(1);
  return causal ? products / 2 : products;
}

static ShardingRule attentionRule(AttentionOp op) {
  ShardingRule rule(op);
  auto query = cast<RankedTensorType>(op.getQuery().getType());
  auto key = cast<RankedTensorType>(op.getKey().getType());
  auto batch = rule.addLoop(LoopKind::Parallel, query.getDimSize(kBatchDim));
  auto heads = rule.addLoop(LoopKind::Parallel, key.getDimSize(kHeadDim));
  for (unsigned index : {0, 1, 2}) {
    batch.operand(index, kBatchDim);
    heads.operand(index, kHeadDim);
  }
  batch.result(0, kBatchDim).result(1, kBatchDim);
  heads.result(0, kHeadDim).result(1, kLseHeadDim);
  return rule.setFlops(attentionFlops(query, key, op.getCausal()));
}

static ShardingRule attentionGradRule(AttentionGradOp op) {
  ShardingRule rule(op);
  auto query = cast<RankedTensorType>(op.getQuery().getType());
  auto key = cast<RankedTensorType>(op.getKey().getType());
  unsigned lse = op.getLseMutable().getOperandNumber();
  auto batch = rule.addLoop(LoopKind::Parallel, query.getDimSize(kBatchDim));
  auto heads = rule.addLoop(LoopKind::Parallel, key.getDimSize(kHeadDim));
  for (unsigned index = 0; index < op->getNumOperands(); ++index) {
    batch.operand(index, kBatchDim);
    heads.operand(index, index == lse ? kLseHeadDim : kHeadDim);
  }
  for (unsigned index = 0; index < op->getNumResults(); ++index) {
    batch.result(index, kBatchDim);
    heads.result(index, kHeadDim);
  }
  return rule.setFlops(2.5 * attentionFlops(query, key, op.getCausal()));
}

void mlir::boost::attachAttentionShardingRules(MLIRContext &context) {
  attachShardingRule<AttentionOp, attentionRule>(context);
  attachShardingRule<AttentionGradOp, attentionGradRule>(context);
}
