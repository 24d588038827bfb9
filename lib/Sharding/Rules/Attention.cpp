//===- Attention.cpp - Sharding of attention ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By batch and by heads. Query head i reads key head i / (h / kvh), so equal
// shards of both keep the heads that belong together on one rank. The gradient
// of a bias that is repeated over either is a sum over the ranks.
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
/// A tensor of attention: the dimension that the heads are, and whether it may
/// be repeated, as biases and masks are where their size is 1.
struct Layout {
  unsigned headDim = kHeadDim;
  bool mayRepeat = false;
};
} // namespace

template <typename OpT> static SmallVector<Layout> getLayouts(OpT op) {
  SmallVector<Layout> layouts(op->getNumOperands());
  auto set = [&](MutableOperandRange operands, Layout layout) {
    for (OpOperand &operand : operands)
      layouts[operand.getOperandNumber()] = layout;
  };
  set(op.getBiasMutable(), {kScoreHeadDim, true});
  set(op.getMaskMutable(), {kScoreHeadDim, true});
  if constexpr (!std::is_same_v<OpT, AttentionOp>) {
    layouts[op.getLseMutable().getOperandNumber()] = {kScoreHeadDim, false};
    set(op.getLseGradMutable(), {kScoreHeadDim, false});
  }
  return layouts;
}

/// Adds the loop over batch entries or over heads: `size` is what the scores
/// have of it, `extent` how many parts it can be sharded into.
template <typename OpT>
static void addLoop(ShardingRule &rule, OpT op, int64_t extent, int64_t size,
                    ArrayRef<Layout> results,
                    function_ref<unsigned(Layout)> dimOf) {
  auto isRepeated = [&](Value tensor, Layout layout) {
    return layout.mayRepeat && size != 1 &&
           getShape(tensor)[dimOf(layout)] == 1;
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
    if (layout.mayRepeat && size == 1)
      loop.operandOrRepeated(i, dimOf(layout));
    else
      loop.operand(i, dimOf(layout));
  }
  for (auto [i, layout] : llvm::enumerate(results))
    if (!isSum)
      loop.result(i, dimOf(layout));
}

template <typename OpT>
static ShardingRule makeRule(OpT op, ArrayRef<Layout> results,
                             double products) {
  ShardingRule rule(op);
  ArrayRef<int64_t> query = getShape(op.getQuery());
  addLoop(rule, op, query[kBatchDim], query[kBatchDim], results,
          [](Layout) { return kBatchDim; });
  addLoop(rule, op, getShape(op.getKey())[kHeadDim], query[kHeadDim], results,
          [](Layout layout) { return layout.headDim; });
  return rule.setFlops(flopsOf(op, products));
}

static ShardingRule attentionRule(AttentionOp op) {
  return makeRule(op, {Layout{}, Layout{kScoreHeadDim}}, 2);
}

static ShardingRule attentionGradRule(AttentionGradOp op) {
  return makeRule(op, {Layout{}, Layout{}, Layout{}}, 5);
}

static ShardingRule attentionBiasGradRule(AttentionBiasGradOp op) {
  return makeRule(op, {Layout{kScoreHeadDim, true}}, 2);
}

void mlir::boost::attachAttentionShardingRules(MLIRContext &context) {
  attachShardingRule<AttentionOp, attentionRule>(context);
  attachShardingRule<AttentionGradOp, attentionGradRule>(context);
  attachShardingRule<AttentionBiasGradOp, attentionBiasGradRule>(context);
}
