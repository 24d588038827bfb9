//===- ExpandInnerProducts.cpp - Sums in place of products 1 x 1 ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_EXPANDINNERPRODUCTSPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Returns the type that elements are multiplied and added up in, or null for
/// types whose products stay.
static Type getSumType(DotGeneralOp op) {
  Type result = op.getType().getElementType();
  if (result.isSignlessInteger() && !result.isInteger(1))
    return result;
  if (!isa<FloatType>(result))
    return {};
  Type sum = Float32Type::get(op.getContext());
  for (Value value : {op.getLhs(), op.getRhs(), op.getResult()}) {
    Type element = getElementTypeOrSelf(value);
    if (element.getIntOrFloatBitWidth() > sum.getIntOrFloatBitWidth())
      sum = element;
  }
  return sum;
}

/// Returns what `value` has the elements of in the same order. A row or a
/// column is often an operand with one more dimension.
static Value skipReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto broadcast = dyn_cast<BroadcastInDimOp>(op);
    bool keepsOrder = broadcast
                          ? llvm::is_sorted(broadcast.getBroadcastDimensions())
                          : isa<ReshapeOp>(op);
    Value operand = keepsOrder ? op->getOperand(0) : Value();
    if (!operand ||
        cast<RankedTensorType>(operand.getType()).getNumElements() !=
            cast<RankedTensorType>(value.getType()).getNumElements())
      return value;
    value = operand;
  }
  return value;
}

/// Returns `operand` in `element` type as [batch..., contracted...].
static Value getVectors(OpBuilder &builder, Location loc, Value operand,
                        ArrayRef<int64_t> batch, ArrayRef<int64_t> contracted,
                        Type element) {
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> order(batch);
  llvm::append_range(order, contracted);
  SmallVector<int64_t> kept(order), sizes, permutation;
  llvm::sort(kept);
  for (int64_t dim : kept)
    sizes.push_back(type.getDimSize(dim));
  for (int64_t dim : order)
    permutation.push_back(llvm::find(kept, dim) - kept.begin());
  Value dense = reshape(builder, loc, skipReshapes(operand), sizes);
  return convert(builder, loc, transpose(builder, loc, dense, permutation),
                 element);
}

/// Returns true if no dimension but those of batches and sums has more than one
/// element.
static bool isInnerProduct(DotGeneralOp op) {
  DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  size_t numBatch = dims.getLhsBatchingDimensions().size();
  return llvm::all_of(op.getType().getShape().drop_front(numBatch),
                      [](int64_t size) { return size == 1; });
}

static void expand(DotGeneralOp op, Type type) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  Value lhs =
      getVectors(builder, loc, op.getLhs(), dims.getLhsBatchingDimensions(),
                 dims.getLhsContractingDimensions(), type);
  Value rhs =
      getVectors(builder, loc, op.getRhs(), dims.getRhsBatchingDimensions(),
                 dims.getRhsContractingDimensions(), type);
  Value sum = MulOp::create(builder, loc, lhs, rhs);
  SmallVector<int64_t> summed(dims.getLhsContractingDimensions().size());
  std::iota(summed.begin(), summed.end(),
            dims.getLhsBatchingDimensions().size());
  if (!summed.empty())
    sum = reduceSum(builder, loc, sum, summed);
  sum = reshape(builder, loc, sum, op.getType().getShape());
  op.replaceAllUsesWith(
      convert(builder, loc, sum, op.getType().getElementType()));
  op.erase();
}

namespace {

struct ExpandInnerProductsPass
    : stablehlo::impl::ExpandInnerProductsPassBase<ExpandInnerProductsPass> {
  void runOnOperation() override {
    SmallVector<DotGeneralOp> products;
    getOperation()->walk([&](DotGeneralOp op) {
      if (!op.getAlgorithm() && isInnerProduct(op))
        products.push_back(op);
    });
    for (DotGeneralOp op : products)
      if (Type type = getSumType(op))
        expand(op, type);
  }
};

} // namespace
