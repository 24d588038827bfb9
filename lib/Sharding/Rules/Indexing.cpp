//===- Indexing.cpp - Sharding of gather ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dimensions of the indices, the batching dimensions and those of slices
// taken completely may be sharded; a dimension that is indexed may not.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Rules.h"

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

static ShardingRule gatherRule(stablehlo::GatherOp op) {
  ShardingRule rule(op);
  stablehlo::GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
  auto operand = cast<RankedTensorType>(op.getOperand().getType());
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
}

void mlir::boost::attachIndexingShardingRules(MLIRContext &context) {
  attachShardingRule<stablehlo::GatherOp, gatherRule, buildGather>(context);
}
