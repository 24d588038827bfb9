//===- Embedding.cpp - Sharding of table look-ups -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharded along the row size there is nothing to communicate. Sharded along the
// rows, a rank looks up the ids it holds and contributes zero for the others.
//
//===----------------------------------------------------------------------===//

#include "LocalIds.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Rules.h"

using namespace mlir;
using namespace mlir::boost;

// The loop over the rows of the table comes first in both rules.
static constexpr unsigned kRowLoop = 0;

static ShardingRule embeddingRule(EmbeddingOp op) {
  ShardingRule rule(op);
  auto table = cast<RankedTensorType>(op.getTable().getType());
  auto ids = cast<RankedTensorType>(op.getIds().getType());
  rule.addLoop(LoopKind::Sum, table.getDimSize(0)).operand(0, 0);
  rule.addLoop(LoopKind::Parallel, table.getDimSize(1))
      .operand(0, 1)
      .result(0, ids.getRank());
  for (auto [dim, size] : llvm::enumerate(ids.getShape()))
    rule.addLoop(LoopKind::Parallel, size).operand(1, dim).result(0, dim);
  return rule.setAdditive({0});
}

static ShardingRule embeddingGradRule(EmbeddingGradOp op) {
  ShardingRule rule(op);
  auto table = cast<RankedTensorType>(op.getDTable().getType());
  auto ids = cast<RankedTensorType>(op.getIds().getType());
  rule.addLoop(LoopKind::Parallel, table.getDimSize(0)).result(0, 0);
  rule.addLoop(LoopKind::Parallel, table.getDimSize(1))
      .operand(1, ids.getRank())
      .result(0, 1);
  for (auto [dim, size] : llvm::enumerate(ids.getShape()))
    rule.addLoop(LoopKind::Sum, size).operand(0, dim).operand(1, dim);
  return rule.setAdditive({1});
}

static LocalIds getLocalIds(OpBuilder &builder, Location loc,
                            const LocalBuild &local, Value ids,
                            int64_t localRows) {
  return buildLocalIds(builder, loc, local.mesh, local.loopAxes[kRowLoop], ids,
                       localRows);
}

/// `rows` where the id is held, else zero.
static Value keepHeldRows(OpBuilder &builder, Location loc, Value held,
                          Value rows) {
  auto type = cast<RankedTensorType>(rows.getType());
  Value mask =
      stablehlo::broadcastTrailing(builder, loc, held, type.getShape());
  Value zero = stablehlo::splatLike(builder, loc, rows, 0);
  return stablehlo::SelectOp::create(builder, loc, type, mask, rows, zero);
}

static void buildEmbedding(EmbeddingOp op, OpBuilder &builder,
                           const LocalBuild &local,
                           SmallVectorImpl<Value> &results) {
  if (local.loopAxes[kRowLoop].empty()) {
    cloneWithTypes(builder, op, local, results);
    return;
  }
  Location loc = op.getLoc();
  Value table = local.operands[0];
  int64_t rows = cast<RankedTensorType>(table.getType()).getDimSize(0);
  LocalIds ids = getLocalIds(builder, loc, local, local.operands[1], rows);
  Value found = EmbeddingOp::create(builder, loc, local.resultTypes.front(),
                                    table, ids.ids);
  results.push_back(keepHeldRows(builder, loc, ids.held, found));
}

static void buildEmbeddingGrad(EmbeddingGradOp op, OpBuilder &builder,
                               const LocalBuild &local,
                               SmallVectorImpl<Value> &results) {
  if (local.loopAxes[kRowLoop].empty()) {
    cloneWithTypes(builder, op, local, results);
    return;
  }
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(local.resultTypes.front());
  LocalIds ids =
      getLocalIds(builder, loc, local, local.operands[0], type.getDimSize(0));
  Value grad = keepHeldRows(builder, loc, ids.held, local.operands[1]);
  results.push_back(EmbeddingGradOp::create(builder, loc, type, ids.ids, grad));
}

void mlir::boost::attachEmbeddingShardingRules(MLIRContext &context) {
  attachShardingRule<EmbeddingOp, embeddingRule, buildEmbedding>(context);
  attachShardingRule<EmbeddingGradOp, embeddingGradRule, buildEmbeddingGrad>(
      context);
}
