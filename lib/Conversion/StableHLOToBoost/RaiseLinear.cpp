//===- RaiseLinear.cpp - dot_general with a parameter to boost.linear -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds products of activations with a weight that comes from a parameter.
// Weights of higher rank, as of a fused head dimension, are read as matrices.
//
//===----------------------------------------------------------------------===//

#include "Views.h"

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"

namespace mlir::boost {
#define GEN_PASS_DEF_RAISELINEARPASS
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

namespace {
/// One side of a dot_general and the dimensions it contracts.
struct Side {
  Value value;
  ArrayRef<int64_t> contracting;

  ArrayRef<int64_t> getShape() const { return getTensorType(value).getShape(); }
  /// Whether the contracted dimensions are the first ones, in order.
  bool contractsLeading() const {
    return llvm::equal(contracting, llvm::seq<int64_t>(0, contracting.size()));
  }
  /// Whether the contracted dimensions are the last ones, in order.
  bool contractsTrailing() const {
    int64_t rank = getShape().size();
    return llvm::equal(contracting,
                       llvm::seq<int64_t>(rank - contracting.size(), rank));
  }
};
} // namespace

/// The weight as a matrix, with a transpose below it absorbed into
/// `transposed`.
static Value makeMatrix(OpBuilder &builder, Location loc, const Side &weight,
                        bool &transposed) {
  size_t count = weight.contracting.size();
  transposed = !weight.contractsLeading();
  ArrayRef<int64_t> shape = weight.getShape();
  size_t outer = transposed ? shape.size() - count : count;
  Value matrix =
      makeReshape(builder, loc, weight.value,
                  {ShapedType::getNumElements(shape.take_front(outer)),
                   ShapedType::getNumElements(shape.drop_front(outer))});
  if (auto transpose = matrix.getDefiningOp<stablehlo::TransposeOp>()) {
    if (transpose.getPermutation() != ArrayRef<int64_t>({1, 0}))
      return matrix;
    transposed = !transposed;
    return transpose.getOperand();
  }
  return matrix;
}

/// Replaces `dot` by a linear if one side is a weight; leaves it alone
/// otherwise.
static void raiseDot(stablehlo::DotGeneralOp dot) {
  auto dims = dot.getDotDimensionNumbers();
  if (!dims.getLhsBatchingDimensions().empty())
    return;
  Side input{dot.getLhs(), dims.getLhsContractingDimensions()};
  Side weight{dot.getRhs(), dims.getRhsContractingDimensions()};
  bool weightFirst = getParameter(input.value) && !getParameter(weight.value);
  if (weightFirst)
    std::swap(input, weight);
  if (!getParameter(weight.value) || getParameter(input.value) ||
      input.contracting.empty() || !input.contractsTrailing() ||
      weight.getShape().size() <= weight.contracting.size() ||
      !(weight.contractsLeading() || weight.contractsTrailing()))
    return;
  Type element = getTensorType(dot).getElementType();
  if (!isa<FloatType>(element) ||
      (element != getTensorType(input.value).getElementType() &&
       !element.isF32()))
    return;

  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  bool transposed;
  Value matrix = makeMatrix(builder, loc, weight, transposed);
  size_t count = input.contracting.size();
  ArrayRef<int64_t> batch = input.getShape().drop_back(count);
  SmallVector<int64_t> inShape(batch), outShape(batch);
  inShape.push_back(
      ShapedType::getNumElements(input.getShape().take_back(count)));
  outShape.push_back(getTensorType(matrix).getDimSize(transposed ? 0 : 1));
  Value result = LinearOp::create(
      builder, loc, RankedTensorType::get(outShape, element),
      makeReshape(builder, loc, input.value, inShape), matrix, transposed);

  // Free dimensions of the left side come first in the result.
  ArrayRef<int64_t> free = weight.contractsLeading()
                               ? weight.getShape().drop_front(count)
                               : weight.getShape().drop_back(count);
  SmallVector<int64_t> split(batch);
  split.append(free.begin(), free.end());
  result = makeReshape(builder, loc, result, split);
  if (weightFirst) {
    auto order =
        llvm::to_vector(llvm::seq<int64_t>(batch.size(), split.size()));
    llvm::append_range(order, llvm::seq<int64_t>(0, batch.size()));
    result = makeTranspose(builder, loc, result, order);
  }
  dot.replaceAllUsesWith(result);
}

namespace {
struct RaiseLinear
    : public mlir::boost::impl::RaiseLinearPassBase<RaiseLinear> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      visitBackwards(block, [](Operation *op) {
        if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op))
          raiseDot(dot);
      });
  }
};
} // namespace
