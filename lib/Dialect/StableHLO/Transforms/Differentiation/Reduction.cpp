//===- Reduction.cpp - Gradients of reductions ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, and maxima and minima, whose gradient is shared equally by the elements
// that attain them, as JAX does.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

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
  if (!b.wants(1))
    return;
  int64_t rank = getTensorType(b.ofResult()).getRank();
  b.set(1,
        sumOver(b, b.ofResult(), llvm::to_vector(llvm::seq<int64_t>(0, rank))));
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

static void reduceRule(ReduceOp op, GradientBuilder &b) {
  std::optional<ReductionKind> kind = matchSimpleReduction(op);
  if (kind == ReductionKind::Add)
    return sumRule(op, b);
  if (kind == ReductionKind::Max || kind == ReductionKind::Min)
    return extremumRule(op, b);
  b.refuse("has no gradient unless it is the sum, maximum or minimum of one "
           "tensor");
}

void stablehlo::attachReductionRules(MLIRContext &context) {
  attachDifferentiationRule<ReduceOp, reduceRule>(context);
}
