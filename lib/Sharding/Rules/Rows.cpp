//===- Rows.cpp - Sharding of norms and bottlenecks by rows ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms and bottlenecks are decomposed before a program is partitioned, which
// shards their features. Before that only their rows may be spread.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Rules.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

template <typename NormOp> static ShardingRule normRule(NormOp op) {
  ShardingRule rule(op);
  ArrayRef<int64_t> rows = getTensorType(op.getInput()).getShape().drop_back();
  for (auto [dim, size] : llvm::enumerate(rows))
    rule.addLoop(LoopKind::Parallel, size).operand(0, dim).result(0, dim);
  return rule;
}

static ShardingRule bottleneckRule(BottleneckOp op) {
  ShardingRule rule(op);
  ArrayRef<int64_t> rows = getTensorType(op.getInput()).getShape().drop_back();
  // Branches that share one factor `up` have one result, which counts them in
  // its first dimension.
  auto getFirstRow = [&](Value result) {
    size_t rank = getTensorType(result).getRank();
    return result == op.getLatentOut() || rank == rows.size() + 1 ? 0u : 1u;
  };
  for (auto [dim, size] : llvm::enumerate(rows)) {
    auto loop = rule.addLoop(LoopKind::Parallel, size).operand(0, dim);
    if (op.getLatent())
      loop.operand(op->getNumOperands() - 1, dim);
    for (OpResult result : op->getResults())
      loop.result(result.getResultNumber(), getFirstRow(result) + dim);
  }
  return rule;
}

void mlir::boost::attachRowShardingRules(MLIRContext &context) {
  attachShardingRule<RMSNormOp, normRule<RMSNormOp>>(context);
  attachShardingRule<LayerNormOp, normRule<LayerNormOp>>(context);
  attachShardingRule<BottleneckOp, bottleneckRule>(context);
}
