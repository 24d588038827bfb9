//===- Shape.cpp - Gradients of data movement -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move elements by a static rule: each gradient moves them back
// and adds up what went to several places.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

using Dims = SmallVector<int64_t>;

static Value slice(GradientBuilder &b, Value value, ArrayRef<int64_t> starts,
                   ArrayRef<int64_t> limits, ArrayRef<int64_t> strides) {
  return SliceOp::create(b, b.getLoc(), value, starts, limits, strides);
}

static Value pad(GradientBuilder &b, Value value, ArrayRef<int64_t> low,
                 ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  Type scalar =
      RankedTensorType::get({}, getTensorType(value).getElementType());
  Value zero = splat(b, b.getLoc(), scalar, 0);
  return PadOp::create(b, b.getLoc(), value, zero, low, high, interior);
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

static Dims getSizes(RankedTensorType type, ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims,
                             [&](int64_t dim) { return type.getDimSize(dim); });
}

static void broadcastRule(BroadcastInDimOp op, GradientBuilder &b) {
  RankedTensorType from = getTensorType(op.getOperand());
  RankedTensorType to = getTensorType(op.getResult());
  ArrayRef<int64_t> dims = op.getBroadcastDimensions();

  // The operand's dimensions of size 1 that are repeated are summed away with
  // the new ones, and come back by the last reshape.
  Dims kept;
  for (auto [i, dim] : llvm::enumerate(dims))
    if (from.getDimSize(i) == to.getDimSize(dim))
      kept.push_back(dim);
  Dims summed;
  for (int64_t dim : llvm::seq(to.getRank()))
    if (!llvm::is_contained(kept, dim))
      summed.push_back(dim);
  Dims sorted = kept;
  llvm::sort(sorted);
  Value sum;
  if (llvm::all_of(summed,
                   [&](int64_t dim) { return to.getDimSize(dim) == 1; }))
    sum = reshape(b, b.getLoc(), b.ofResult(), getSizes(to, sorted));
  else
    sum = sumOver(b, b.ofResult(), summed);

  // `sum` has the kept dimensions in the result's order.
  Dims order = llvm::map_to_vector(kept, [&](int64_t dim) -> int64_t {
    return llvm::lower_bound(sorted, dim) - sorted.begin();
  });
  sum = transpose(b, b.getLoc(), sum, order);
  b.set(0, reshape(b, b.getLoc(), sum, from.getShape()));
}

static void reshapeRule(ReshapeOp op, GradientBuilder &b) {
  b.set(0, reshape(b, b.getLoc(), b.ofResult(),
                   getTensorType(op.getOperand()).getShape()));
}

static void transposeRule(TransposeOp op, GradientBuilder &b) {
  b.set(0, transpose(b, b.getLoc(), b.ofResult(),
                     invertPermutationVector(op.getPermutation())));
}

static void reverseRule(ReverseOp op, GradientBuilder &b) {
  b.set(0, ReverseOp::create(b, b.getLoc(), b.ofResult().getType(),
                             b.ofResult(), op.getDimensions()));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static void sliceRule(SliceOp op, GradientBuilder &b) {
  RankedTensorType from = getTensorType(op.getOperand());
  RankedTensorType to = getTensorType(op.getResult());
  Dims low(op.getStartIndices()), high, interior;
  for (int64_t dim : llvm::seq(from.getRank())) {
    int64_t stride = op.getStrides()[dim];
    int64_t covered =
        to.getDimSize(dim) == 0 ? 0 : (to.getDimSize(dim) - 1) * stride + 1;
    interior.push_back(stride - 1);
    high.push_back(from.getDimSize(dim) - low[dim] - covered);
  }
  b.set(0, pad(b, b.ofResult(), low, high, interior));
}

static void concatenateRule(ConcatenateOp op, GradientBuilder &b) {
  int64_t dim = op.getDimension();
  Dims starts(getTensorType(op.getResult()).getRank(), 0);
  Dims strides(starts.size(), 1);
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    Dims limits(getTensorType(input).getShape());
    limits[dim] += starts[dim];
    if (b.wants(i))
      b.set(i, slice(b, b.ofResult(), starts, limits, strides));
    starts[dim] = limits[dim];
  }
}

/// The elements of the result's gradient that were the operand's. Those that
/// negative padding removed get 0.
static Value getPadOperandGradient(PadOp op, GradientBuilder &b) {
  Value gradient = b.ofResult();
  auto nonNegative = [](int64_t value) { return std::max<int64_t>(value, 0); };
  auto removed = [&](ArrayRef<int64_t> padding) {
    return llvm::map_to_vector(
        padding, [&](int64_t value) { return nonNegative(-value); });
  };
  Dims low = removed(op.getEdgePaddingLow()),
       high = removed(op.getEdgePaddingHigh());
  Dims none(low.size(), 0);
  if (low != none || high != none)
    gradient = pad(b, gradient, low, high, none);

  Dims starts = llvm::map_to_vector(op.getEdgePaddingLow(), nonNegative);
  Dims limits, strides;
  for (auto [dim, size] : llvm::enumerate(getTensorType(gradient).getShape())) {
    limits.push_back(size - nonNegative(op.getEdgePaddingHigh()[dim]));
    strides.push_back(op.getInteriorPadding()[dim] + 1);
  }
  return slice(b, gradient, starts, limits, strides);
}

static void padRule(PadOp op, GradientBuilder &b) {
  Value ofOperand = getPadOperandGradient(op, b);
  b.set(0, ofOperand);
  if (b.wants(1))
    b.set(1, SubtractOp::create(b, b.getLoc(), sumOfAll(b, b.ofResult()),
                                sumOfAll(b, ofOperand)));
}

/// A barrier orders the forward pass; its gradient is plain.
static void barrierRule(OptimizationBarrierOp op, GradientBuilder &b) {
  for (unsigned i = 0, e = op->getNumOperands(); i < e; ++i)
    b.set(i, b.ofResult(i));
}

void stablehlo::attachShapeRules(MLIRContext &context) {
  attachDifferentiationRule<BroadcastInDimOp, broadcastRule>(context);
  attachDifferentiationRule<ConcatenateOp, concatenateRule>(context);
  attachDifferentiationRule<OptimizationBarrierOp, barrierRule>(context);
  attachDifferentiationRule<PadOp, padRule>(context);
  attachDifferentiationRule<ReshapeOp, reshapeRule>(context);
  attachDifferentiationRule<ReverseOp, reverseRule>(context);
  attachDifferentiationRule<SliceOp, sliceRule>(context);
  attachDifferentiationRule<TransposeOp, transposeRule>(context);
}
