//===- Attention.cpp - Sharding of attention ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By batch and by heads. Query head i reads key head i / (h / kvh), so equal
// shards of both keep the heads that belong together on one rank. A key head
// that is the only one is whole on every rank. The gradient of what is repeated
// over either is a sum over the ranks.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Rules.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

/// Batch entries; heads of activations; heads of lse, bias and mask.
static constexpr unsigned kBatchDim = 0, kHeadDim = 2, kScoreHeadDim = 1;

/// `products` products of queries and keys.
template <typename OpT> static double flopsOf(OpT op, double products) {
  double queries =
      cast<RankedTensorType>(op.getQuery().getType()).getNumElements();
  double flops = products * 2 * queries * getShape(op.getKey())[1];
  return op.getCausal() ? flops / 2 : flops;
}

namespace {
enum class Loop { Batch, Heads };

/// A tensor of attention: the dimension that the heads are, and whether it may
/// be repeated where its size is 1, as biases and masks are. One head of keys
/// and values is read by all heads of the queries.
struct Layout {
  unsigned headDim = kHeadDim;
  bool repeatsBatch = false, repeatsHeads = false;

  unsigned getDim(Loop loop) const {
    return loop == Loop::Batch ? kBatchDim : headDim;
  }
  bool mayRepeat(Loop loop) const {
    return loop == Loop::Batch ? repeatsBatch : repeatsHeads;
  }
};
} // namespace

static constexpr Layout kQuery = {}, kKey = {kHeadDim, false, true},
                        kLse = {kScoreHeadDim},
                        kScores = {kScoreHeadDim, true, true};

template <typename OpT> static SmallVector<Layout> getLayouts(OpT op) {
  SmallVector<Layout> layouts(op->getNumOperands(), kQuery);
  auto set = [&](MutableOperandRange operands, Layout layout) {
    for (OpOperand &operand : operands)
      layouts[operand.getOperandNumber()] = layout;
  };
  layouts[op.getKeyMutable().getOperandNumber()] = kKey;
  layouts[op.getValueMutable().getOperandNumber()] = kKey;
  set(op.getBiasMutable(), kScores);
  set(op.getMaskMutable(), kScores);
  if constexpr (!std::is_same_v<OpT, AttentionOp>) {
    layouts[op.getLseMutable().getOperandNumber()] = kLse;
    set(op.getLseGradMutable(), kLse);
  }
  return layouts;
}

/// Adds the loop over batch entries or over heads: `size` is what the scores
/// have of it, `extent` how many parts it can be sharded into.
template <typename OpT>
static void addLoop(ShardingRule &rule, OpT op, Loop which, int64_t extent,
                    int64_t size, ArrayRef<Layout> results) {
  auto isRepeated = [&](Value tensor, Layout layout) {
    return layout.mayRepeat(which) && size != 1 &&
           getShape(tensor)[layout.getDim(which)] == 1;
  };
  // A result that is repeated is the sum of what each repetition would get.
  bool isSum =
      llvm::any_of(llvm::zip_equal(op->getResults(), results), [&](auto pair) {
        return isRepeated(std::get<0>(pair), std::get<1>(pair));
      });
  auto loop = rule.addLoop(isSum ? LoopKind::Sum : LoopKind::Parallel, extent);
  for (auto [i, operand, layout] :
       llvm::enumerate(op->getOperands(), getLayouts(op))) {
    if (isRepeated(operand, layout))
      continue;
    if (layout.mayRepeat(which) && size == 1)
      loop.operandOrRepeated(i, layout.getDim(which));
    else
      loop.operand(i, layout.getDim(which));
  }
  for (auto [i, result, layout] : llvm::enumerate(op->getResults(), results))
    if (!isRepeated(result, layout))
      loop.result(i, layout.getDim(which));
}

template <typename OpT>
static ShardingRule makeRule(OpT op, ArrayRef<Layout> results,
                             double products) {
  ShardingRule rule(op);
  ArrayRef<int64_t> query = getShape(op.getQuery());
  addLoop(rule, op, Loop::Batch, query[kBatchDim], query[kBatchDim], results);
  int64_t heads = query[kHeadDim], keyHeads = getShape(op.getKey())[kHeadDim];
  addLoop(rule, op, Loop::Heads, keyHeads == 1 ? heads : keyHeads, heads,
          results);
  return rule.setFlops(flopsOf(op, products));
}

static ShardingRule attentionRule(AttentionOp op) {
  return makeRule(op, {kQuery, kLse}, 2);
}

static ShardingRule attentionGradRule(AttentionGradOp op) {
  return makeRule(op, {kQuery, kKey, kKey}, 5);
}

static ShardingRule attentionBiasGradRule(AttentionBiasGradOp op) {
  return makeRule(op, {kScores}, 2);
}

void mlir::boost::attachAttentionShardingRules(MLIRContext &context) {
  attachShardingRule<AttentionOp, attentionRule>(context);
  attachShardingRule<AttentionGradOp, attentionGradRule>(context);
  attachShardingRule<AttentionBiasGradOp, attentionBiasGradRule>(context);
}
