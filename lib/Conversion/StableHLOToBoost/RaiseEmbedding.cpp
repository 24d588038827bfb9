//===- RaiseEmbedding.cpp - Gathers of table rows to boost.embedding ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds gathers of whole rows of a weight, with or without the fix of negative
// ids and the NaN that fill mode gives for ids out of range. Of a weight that
// is a product, few rows are looked up in its left factor.
//
//===----------------------------------------------------------------------===//

#include "Ids.h"
#include "Views.h"

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Weights.h"
#include <cmath>

namespace mlir::boost {
#define GEN_PASS_DEF_RAISEEMBEDDINGPASS
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

/// Returns true if `gather` selects whole rows of a matrix, one per index, and
/// makes them the last dimension.
static bool takesRows(stablehlo::GatherOp gather) {
  auto dims = gather.getDimensionNumbers();
  RankedTensorType table = getTensorType(gather.getOperand());
  int64_t resultRank = getTensorType(gather.getResult()).getRank();
  if (table.getRank() != 2 || !isa<FloatType>(table.getElementType()) ||
      gather.getSliceSizes() != ArrayRef<int64_t>({1, table.getDimSize(1)}))
    return false;
  if (dims.getCollapsedSliceDims().empty())
    return dims.getOffsetDims() ==
           ArrayRef<int64_t>({resultRank - 2, resultRank - 1});
  return dims.getOffsetDims() == ArrayRef<int64_t>({resultRank - 1}) &&
         dims.getCollapsedSliceDims() == ArrayRef<int64_t>({0});
}

/// The numbers of the rows that `gather` takes: its indices, or the first of
/// two columns, of which the other says where rows begin. As whole ones they
/// begin at 0, whatever it says.
static Value getRowNumbers(stablehlo::GatherOp gather) {
  auto dims = gather.getDimensionNumbers();
  Value indices = gather.getStartIndices();
  if (dims.getStartIndexMap() == ArrayRef<int64_t>({0}))
    return indices;
  auto columns = indices.getDefiningOp<stablehlo::ConcatenateOp>();
  auto dim = static_cast<uint64_t>(dims.getIndexVectorDim());
  if (dims.getStartIndexMap() != ArrayRef<int64_t>({0, 1}) || !columns ||
      columns.getDimension() != dim || columns.getInputs().size() != 2)
    return {};
  return columns.getInputs().front();
}

/// The gather that `root` is, or that it reads when it only replaces rows out
/// of range by NaN; null otherwise.
static stablehlo::GatherOp matchGather(Operation *root) {
  if (auto gather = dyn_cast<stablehlo::GatherOp>(root))
    return gather;
  auto select = dyn_cast<stablehlo::SelectOp>(root);
  if (!select)
    return {};
  auto gather = select.getOnTrue().getDefiningOp<stablehlo::GatherOp>();
  std::optional<double> fill = stablehlo::matchSplat(select.getOnFalse());
  if (!gather || !fill || !std::isnan(*fill) ||
      !isBoundsCheck(select.getPred(), gather.getStartIndices(),
                     getTensorType(gather.getOperand()).getDimSize(0)))
    return {};
  return gather;
}

/// The product of two matrices that `table` is, if as many lookups in the left
/// one, multiplied with the right one, take fewer multiplications; null
/// otherwise.
static stablehlo::DotGeneralOp matchFactors(Value table, int64_t lookups) {
  auto dot = table.getDefiningOp<stablehlo::DotGeneralOp>();
  if (!dot || lookups >= getTensorType(table).getDimSize(0))
    return {};
  auto isMatrix = [](Value factor) {
    return getTensorType(factor).getRank() == 2;
  };
  auto dims = dot.getDotDimensionNumbers();
  if (!isMatrix(dot.getLhs()) || !isMatrix(dot.getRhs()) ||
      dims.getLhsContractingDimensions().size() != 1 ||
      !dims.getLhsBatchingDimensions().empty())
    return {};
  return dot;
}

/// The rows `ids`, of any shape, of a product of two matrices.
static Value lookUpProduct(OpBuilder &builder, Location loc,
                           stablehlo::DotGeneralOp product, Value ids) {
  auto dims = product.getDotDimensionNumbers();
  Value table = product.getLhs();
  if (dims.getLhsContractingDimensions()[0] == 0)
    table = makeTranspose(builder, loc, table, {1, 0});
  SmallVector<int64_t> shape(getTensorType(ids).getShape());
  auto last = static_cast<int64_t>(shape.size());
  shape.push_back(getTensorType(table).getDimSize(1));
  Value rows = EmbeddingOp::create(
      builder, loc, getTensorType(table).clone(shape), table, ids);
  auto rowDims = stablehlo::DotDimensionNumbersAttr::get(
      product.getContext(), /*lhsBatchingDimensions=*/{},
      /*rhsBatchingDimensions=*/{}, /*lhsContractingDimensions=*/{last},
      dims.getRhsContractingDimensions());
  Value result =
      stablehlo::dotGeneral(builder, product.getLoc(), rows, product.getRhs(),
                            rowDims, getTensorType(product).getElementType());
  result.getDefiningOp<stablehlo::DotGeneralOp>().setPrecisionConfigAttr(
      product.getPrecisionConfigAttr());
  return result;
}

static void raiseGather(Operation *root, const Weights &weights) {
  stablehlo::GatherOp gather = matchGather(root);
  if (!gather || !takesRows(gather) || !weights.contains(gather.getOperand()))
    return;
  Value numbers = getRowNumbers(gather);
  if (!numbers)
    return;
  RankedTensorType type = getTensorType(gather.getResult());
  SmallVector<int64_t> shape(type.getShape().drop_back(
      gather.getDimensionNumbers().getOffsetDims().size()));
  int64_t width = type.getShape().back();
  int64_t count = type.getNumElements() / width;
  int64_t limit = getTensorType(gather.getOperand()).getDimSize(0);
  Value ids = matchIds(numbers, count, limit);
  if (!ids)
    return;
  OpBuilder builder(root);
  // JAX's treatment of ids out of range has no effect on those of the batch,
  // which are checked before they are read. Other ids are clamped, as in a
  // gather.
  if (!checkIds(ids, limit)) {
    ids = numbers;
    if (root != gather || !isIdTensor(ids))
      return;
  }
  ids = makeReshape(builder, root->getLoc(), ids, shape);
  shape.push_back(width);
  stablehlo::DotGeneralOp product = matchFactors(gather.getOperand(), count);
  Value rows =
      product ? lookUpProduct(builder, root->getLoc(), product, ids)
              : EmbeddingOp::create(builder, root->getLoc(), type.clone(shape),
                                    gather.getOperand(), ids)
                    .getResult();
  root->getResult(0).replaceAllUsesWith(
      makeReshape(builder, root->getLoc(), rows, type.getShape()));
}

namespace {
struct RaiseEmbedding
    : public mlir::boost::impl::RaiseEmbeddingPassBase<RaiseEmbedding> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      Weights weights(block);
      visitBackwards(block, [&](Operation *op) { raiseGather(op, weights); });
    }
  }
};
} // namespace
