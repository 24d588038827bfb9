//===- Indexing.cpp - Sharding of gather ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dimensions of the indices, the batching dimensions and those of slices
// taken completely may be sharded. So may the dimension that is indexed, if it
// is the only one and slices are of one element: a rank contributes zero for
// what others hold.
//
//===----------------------------------------------------------------------===//

#include "LocalIds.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Rules.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

/// Dimensions `0 .. rank - 1` that are not among `excluded`.
static SmallVector<int64_t> dimsExcept(int64_t rank,
                                       ArrayRef<int64_t> excluded) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(excluded, dim))
      dims.push_back(dim);
  return dims;
}

/// One loop per batch dimension of the result: a dimension of the indices and
/// possibly a batching dimension of the operand.
static void addBatchLoops(ShardingRule &rule, stablehlo::GatherOp op) {
  stablehlo::GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
  auto indices = cast<RankedTensorType>(op.getStartIndices().getType());
  auto result = cast<RankedTensorType>(op.getType());
  SmallVector<int64_t> resultDims =
      dimsExcept(result.getRank(), dims.getOffsetDims());
  SmallVector<int64_t> indexDims =
      dimsExcept(indices.getRank(), dims.getIndexVectorDim());
  ArrayRef<int64_t> batching = dims.getStartIndicesBatchingDims();
  for (auto [resultDim, indexDim] : llvm::zip_equal(resultDims, indexDims)) {
    auto loop = rule.addLoop(LoopKind::Parallel, result.getDimSize(resultDim))
                    .operand(1, indexDim)
                    .result(0, resultDim);
    auto *found = llvm::find(batching, indexDim);
    if (found != batching.end())
      loop.operand(0, dims.getOperandBatchingDims()[found - batching.begin()]);
  }
}

// The loop over the dimension that is indexed comes first if there is one.
static constexpr unsigned kIndexedLoop = 0;

/// Returns the dimension of the operand of which slices take the one element
/// that an index names, if there is no other.
static std::optional<int64_t> getIndexedDim(stablehlo::GatherOp op) {
  stablehlo::GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
  return getOnlyIndexedDim(dims.getStartIndexMap(),
                           dims.getCollapsedSliceDims());
}

static ShardingRule gatherRule(stablehlo::GatherOp op) {
  ShardingRule rule(op);
  stablehlo::GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
  auto operand = cast<RankedTensorType>(op.getOperand().getType());
  if (std::optional<int64_t> dim = getIndexedDim(op))
    rule.addLoop(LoopKind::Sum, operand.getDimSize(*dim)).operand(0, *dim);
  addBatchLoops(rule, op);
  SmallVector<int64_t> dropped(dims.getCollapsedSliceDims());
  llvm::append_range(dropped, dims.getOperandBatchingDims());
  SmallVector<int64_t> sliceDims = dimsExcept(operand.getRank(), dropped);
  for (auto [resultDim, operandDim] :
       llvm::zip_equal(dims.getOffsetDims(), sliceDims)) {
    int64_t size = operand.getDimSize(operandDim);
    if (op.getSliceSizes()[operandDim] == size)
      rule.addLoop(LoopKind::Parallel, size)
          .operand(0, operandDim)
          .result(0, resultDim);
  }
  return rule.setAdditive({0});
}

/// Returns the slices of `gather` whose index is held, and zero for others.
static Value keepHeld(OpBuilder &builder, stablehlo::GatherOp gather,
                      Value held) {
  Location loc = gather.getLoc();
  RankedTensorType type = getTensorType(gather);
  stablehlo::GatherDimensionNumbersAttr dims = gather.getDimensionNumbers();
  SmallVector<int64_t> places(getTensorType(held).getShape());
  if (dims.getIndexVectorDim() < static_cast<int64_t>(places.size()))
    places.erase(places.begin() + dims.getIndexVectorDim());
  Value mask = stablehlo::broadcastInDim(
      builder, loc, stablehlo::reshape(builder, loc, held, places),
      type.getShape(), dimsExcept(type.getRank(), dims.getOffsetDims()));
  Value zero = stablehlo::splatLike(builder, loc, gather, 0);
  return stablehlo::SelectOp::create(builder, loc, type, mask, gather, zero);
}

static void buildGather(stablehlo::GatherOp op, OpBuilder &builder,
                        const LocalBuild &local,
                        SmallVectorImpl<Value> &results) {
  auto clone =
      cast<stablehlo::GatherOp>(cloneWithTypes(builder, op, local, results));
  auto global = cast<RankedTensorType>(op.getOperand().getType());
  auto part = cast<RankedTensorType>(clone.getOperand().getType());
  SmallVector<int64_t> sizes(op.getSliceSizes());
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (size == global.getDimSize(dim))
      size = part.getDimSize(dim);
  clone.setSliceSizes(sizes);
  std::optional<int64_t> indexed = getIndexedDim(op);
  if (!indexed || local.loopAxes[kIndexedLoop].empty())
    return;
  // Elements that others hold are replaced by zero. Without the mark, a gather
  // from one element would become a reshape, whose result is no partial sum.
  clone->setAttr(kOneTermAttr, builder.getUnitAttr());
  builder.setInsertionPoint(clone);
  LocalIds ids = buildLocalIds(
      builder, op.getLoc(), local.mesh, local.loopAxes[kIndexedLoop],
      clone.getStartIndices(), part.getDimSize(*indexed));
  clone.getStartIndicesMutable().assign(ids.ids);
  builder.setInsertionPointAfter(clone);
  results.front() = keepHeld(builder, clone, ids.held);
}

void mlir::boost::attachIndexingShardingRules(MLIRContext &context) {
  attachShardingRule<stablehlo::GatherOp, gatherRule, buildGather>(context);
}
