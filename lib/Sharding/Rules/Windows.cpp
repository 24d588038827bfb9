//===- Windows.cpp - Sharding of windows, sorts and scatters --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Along the dimension that is sorted or that windows move over, every element
// may meet every other: it stays unsharded. All others are independent of each
// other. A dimension that indices name may be sharded if it is the only one and
// updates are of one element: a rank leaves out updates of what others hold.
//
//===----------------------------------------------------------------------===//

#include "LocalIds.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/Window.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Rules.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

/// A loop over one dimension of the first `count` operands and the results.
static void addLoopOverAll(ShardingRule &rule, unsigned count, int64_t dim,
                           int64_t size) {
  auto loop = rule.addLoop(LoopKind::Parallel, size);
  for (unsigned index = 0; index < count; ++index)
    loop.operand(index, dim).result(index, dim);
}

static ShardingRule sortRule(stablehlo::SortOp op) {
  ShardingRule rule(op);
  for (auto [dim, size] : llvm::enumerate(getShape(op.getInputs().front())))
    if (static_cast<int64_t>(dim) != op.getSortedDim())
      addLoopOverAll(rule, op.getInputs().size(), dim, size);
  return rule;
}

static ShardingRule reduceWindowRule(stablehlo::ReduceWindowOp op) {
  ShardingRule rule(op);
  ArrayRef<int64_t> shape = getShape(op.getInputs().front());
  for (auto [dim, window] : llvm::enumerate(stablehlo::getWindow(op)))
    if (window.isTrivial())
      addLoopOverAll(rule, op.getInputs().size(), dim, shape[dim]);
  if (stablehlo::matchSimpleCombiner(op.getBody()) ==
      stablehlo::ReductionKind::Add)
    rule.setAdditive({0, 1});
  return rule;
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

namespace {

/// The tensors that a dimension of the updates runs over.
class ScatterLoops {
public:
  ScatterLoops(ShardingRule &rule, stablehlo::ScatterOp op)
      : rule(rule), op(op), dims(op.getScatterDimensionNumbers()),
        count(op.getInputs().size()) {}

  /// A dimension of the update that runs over index vectors. Ranks that hold
  /// different vectors of a sum onto zeros hold parts of the sum.
  void addOuter(int64_t updateDim, int64_t indexDim, bool isSumOntoZeros) {
    ArrayRef<int64_t> batching = dims.getScatterIndicesBatchingDims();
    const int64_t *found = llvm::find(batching, indexDim);
    bool isBatch = found != batching.end();
    if (!isBatch && !isSumOntoZeros)
      return;
    auto loop = rule.addLoop(isBatch ? LoopKind::Parallel : LoopKind::Sum,
                             getShape(op.getUpdates().front())[updateDim])
                    .operand(count, indexDim);
    for (unsigned i = 0; i < count; ++i) {
      loop.operand(count + 1 + i, updateDim);
      if (isBatch) {
        int64_t dim = dims.getInputBatchingDims()[found - batching.begin()];
        loop.operand(i, dim).result(i, dim);
      }
    }
  }

  /// A dimension of the window that is taken completely and not indexed.
  void addWindow(int64_t updateDim, int64_t inputDim) {
    int64_t size = getShape(op.getUpdates().front())[updateDim];
    if (llvm::is_contained(dims.getScatterDimsToOperandDims(), inputDim) ||
        size != getShape(op.getInputs().front())[inputDim])
      return;
    auto loop = rule.addLoop(LoopKind::Parallel, size);
    for (unsigned i = 0; i < count; ++i)
      loop.operand(i, inputDim)
          .operand(count + 1 + i, updateDim)
          .result(i, inputDim);
  }

private:
  ShardingRule &rule;
  stablehlo::ScatterOp op;
  stablehlo::ScatterDimensionNumbersAttr dims;
  unsigned count;
};

} // namespace

// The loop over the dimension that is indexed comes first if there is one.
static constexpr unsigned kIndexedLoop = 0;

/// Returns the dimension of which updates have the one element that an index
/// names, if there is no other.
static std::optional<int64_t> getIndexedDim(stablehlo::ScatterOp op) {
  stablehlo::ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  return getOnlyIndexedDim(dims.getScatterDimsToOperandDims(),
                           dims.getInsertedWindowDims());
}

/// Updates outside of the result, here of the rank's part, have no effect.
static void buildScatter(stablehlo::ScatterOp op, OpBuilder &builder,
                         const LocalBuild &local,
                         SmallVectorImpl<Value> &results) {
  auto clone =
      cast<stablehlo::ScatterOp>(cloneWithTypes(builder, op, local, results));
  std::optional<int64_t> indexed = getIndexedDim(op);
  if (!indexed || local.loopAxes[kIndexedLoop].empty())
    return;
  builder.setInsertionPoint(clone);
  clone.getScatterIndicesMutable().assign(
      buildRelativeIds(builder, op.getLoc(), local.mesh,
                       local.loopAxes[kIndexedLoop], clone.getScatterIndices(),
                       getShape(clone.getInputs().front())[*indexed]));
  builder.setInsertionPointAfter(clone);
}

static ShardingRule scatterRule(stablehlo::ScatterOp op) {
  ShardingRule rule(op);
  stablehlo::ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  bool isSum = stablehlo::matchSimpleCombiner(op.getUpdateComputation()) ==
               stablehlo::ReductionKind::Add;
  bool isOntoZeros =
      isSum && stablehlo::matchSplat(op.getInputs().front()) == 0.0;
  if (std::optional<int64_t> dim = getIndexedDim(op))
    addLoopOverAll(rule, op.getInputs().size(), *dim,
                   getShape(op.getInputs().front())[*dim]);
  ScatterLoops loops(rule, op);
  int64_t indexDim = 0, inputDim = 0;
  for (int64_t updateDim = 0, rank = getShape(op.getUpdates().front()).size();
       updateDim < rank; ++updateDim) {
    if (llvm::is_contained(dims.getUpdateWindowDims(), updateDim)) {
      while (llvm::is_contained(dims.getInsertedWindowDims(), inputDim) ||
             llvm::is_contained(dims.getInputBatchingDims(), inputDim))
        ++inputDim;
      loops.addWindow(updateDim, inputDim++);
      continue;
    }
    if (indexDim == dims.getIndexVectorDim())
      ++indexDim;
    loops.addOuter(updateDim, indexDim++, isOntoZeros);
  }
  return isSum ? rule.setAdditive({0, 2}) : rule;
}

void mlir::boost::attachWindowShardingRules(MLIRContext &context) {
  attachShardingRule<stablehlo::ReduceWindowOp, reduceWindowRule>(context);
  attachShardingRule<stablehlo::ScatterOp, scatterRule, buildScatter>(context);
  attachShardingRule<stablehlo::SortOp, sortRule>(context);
}
