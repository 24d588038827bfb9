//===- Reduction.cpp - Gradients of reductions ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, products, and maxima and minima, whose gradient is shared equally by
// the elements that attain them, as JAX does.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "boost-mlir/Dialect/StableHLO/IR/Window.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Repeats a value of the result's shape along the reduced dimensions.
static Value spread(GradientBuilder &b, ReduceOp op, Value value) {
  RankedTensorType type = getTensorType(op.getInputs()[0]);
  SmallVector<int64_t> kept;
  for (int64_t dim : llvm::seq(type.getRank()))
    if (!llvm::is_contained(op.getDimensions(), dim))
      kept.push_back(dim);
  return broadcastInDim(b, b.getLoc(), value, type.getShape(), kept);
}

static void sumRule(ReduceOp op, GradientBuilder &b) {
  if (b.wants(0))
    b.set(0, spread(b, op, b.ofResult()));
  if (b.wants(1))
    b.set(1, sumOfAll(b, b.ofResult()));
}

static void extremumRule(ReduceOp op, GradientBuilder &b) {
  if (b.wants(1))
    return b.refuse("takes the maximum or minimum from an initial value that "
                    "depends on a parameter");
  Location loc = b.getLoc();
  Value input = op.getInputs()[0];
  Type elementType = getTensorType(input).getElementType();
  Value attained =
      CompareOp::create(b, loc, input, spread(b, op, op.getResults()[0]),
                        ComparisonDirection::EQ);
  // Counted in f32: bf16 cannot tell 256 from 257.
  Value ones = convert(b, loc, attained, getAccumulationType(elementType));
  Value count = reduceSum(b, loc, ones, op.getDimensions());
  Value share =
      DivOp::create(b, loc, b.ofResult(), convert(b, loc, count, elementType));
  Value shares = spread(b, op, share);
  b.set(0, SelectOp::create(b, loc, attained, shares,
                            splatLike(b, loc, shares, 0)));
}

/// The products of all elements before (or after) each along the last
/// dimension.
static Value productOfOthers(GradientBuilder &b, Value value, bool isAfter) {
  Location loc = b.getLoc();
  RankedTensorType type = getTensorType(value);
  int64_t rank = type.getRank(), length = type.getShape().back();
  SmallVector<WindowDim> window(rank);
  window.back().size = length;
  (isAfter ? window.back().high : window.back().low) = length - 1;
  Value one =
      splat(b, loc, RankedTensorType::get({}, type.getElementType()), 1);
  ReduceWindowOp products = createReduceWindow(b, loc, value, one, window);
  buildCombiner(b, loc, products.getBody(), type.getElementType(),
                ReductionKind::Mul);
  // Moved by one place, so that no element is in its own product.
  SmallVector<int64_t> low(rank, 0), high(rank, 0), none(rank, 0);
  low.back() = isAfter ? -1 : 1;
  high.back() = -low.back();
  return PadOp::create(b, loc, products.getResult(0), one, low, high, none);
}

/// The gradient of a product is the product of the others, also where an
/// element is 0: products from both sides meet at each.
static void productRule(ReduceOp op, GradientBuilder &b) {
  if (b.wants(1))
    return b.refuse("starts a product from an initial value that depends on a "
                    "parameter");
  Location loc = b.getLoc();
  Value input = op.getInputs()[0];
  RankedTensorType type = getTensorType(input);
  if (type.getNumElements() == 0)
    return b.set(0, splatLike(b, loc, input, 0));
  SmallVector<int64_t> order, shape;
  int64_t length = 1;
  for (int64_t dim : llvm::seq(type.getRank()))
    if (!llvm::is_contained(op.getDimensions(), dim)) {
      order.push_back(dim);
      shape.push_back(type.getDimSize(dim));
    }
  for (int64_t dim : op.getDimensions()) {
    order.push_back(dim);
    length *= type.getDimSize(dim);
  }
  shape.push_back(length);
  Value rows = transpose(b, loc, input, order);
  SmallVector<int64_t> orderedShape(getTensorType(rows).getShape());
  rows = reshape(b, loc, rows, shape);
  Value others =
      MulOp::create(b, loc, productOfOthers(b, rows, /*isAfter=*/false),
                    productOfOthers(b, rows, /*isAfter=*/true));
  others = reshape(b, loc, others, orderedShape);
  others = transpose(b, loc, others, invertPermutationVector(order));
  b.set(0, MulOp::create(b, loc, spread(b, op, b.ofResult()), others));
}

static void reduceRule(ReduceOp op, GradientBuilder &b) {
  std::optional<ReductionKind> kind = matchSimpleReduction(op);
  if (kind == ReductionKind::Add)
    return sumRule(op, b);
  if (kind == ReductionKind::Max || kind == ReductionKind::Min)
    return extremumRule(op, b);
  if (kind == ReductionKind::Mul)
    return productRule(op, b);
  b.refuse("has no gradient unless it is the sum, product, maximum or minimum "
           "of one tensor");
}

void stablehlo::attachReductionRules(MLIRContext &context) {
  attachDifferentiationRule<ReduceOp, reduceRule>(context);
}
