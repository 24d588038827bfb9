//===- Contraction.cpp - Gradients of dot_general -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of one side is the contraction of the result's gradient with the
// other side, over the free dimensions of the other side. Of its two operand
// orders the rule takes the one whose result needs no transpose, if any.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

using Dims = SmallVector<int64_t>;

namespace {
/// The dimensions of one operand of a dot_general by their part in it.
struct Side {
  Value value;
  Dims batching, contracting, free;
};
} // namespace

static Side getSide(Value value, ArrayRef<int64_t> batching,
                    ArrayRef<int64_t> contracting) {
  Side side{value, Dims(batching), Dims(contracting), {}};
  for (int64_t dim : llvm::seq(getTensorType(value).getRank()))
    if (!llvm::is_contained(batching, dim) &&
        !llvm::is_contained(contracting, dim))
      side.free.push_back(dim);
  return side;
}

static Dims sequence(int64_t begin, int64_t size) {
  return llvm::to_vector(llvm::seq<int64_t>(begin, begin + size));
}

/// The dimensions of `target` that the contracting dimensions of `other`, as
/// they stand in `other`, belong to.
static Dims getPairedContracting(const Side &target, const Side &other) {
  Dims order = sequence(0, other.contracting.size());
  llvm::sort(order, [&](int64_t a, int64_t c) {
    return other.contracting[a] < other.contracting[c];
  });
  return llvm::map_to_vector(order,
                             [&](int64_t i) { return target.contracting[i]; });
}

/// Returns the dimension of `target` for each dimension of the product, with
/// the gradient as its left or right operand.
static Dims getProductDims(const Side &target, const Side &other,
                           bool gradientLeft) {
  Dims paired = getPairedContracting(target, other);
  Dims dims = target.batching;
  llvm::append_range(dims, gradientLeft ? target.free : paired);
  llvm::append_range(dims, gradientLeft ? paired : target.free);
  return dims;
}

static bool isIdentity(ArrayRef<int64_t> dims) {
  return llvm::equal(dims, llvm::seq<int64_t>(0, dims.size()));
}

static Type getWider(Value a, Value c) {
  auto first = cast<FloatType>(getTensorType(a).getElementType());
  auto second = cast<FloatType>(getTensorType(c).getElementType());
  return first.getWidth() < second.getWidth() ? second : first;
}

/// `freeBegin` is where the free dimensions of `other` begin in the result.
static Value getSideGradient(GradientBuilder &b, DotGeneralOp op,
                             const Side &target, const Side &other,
                             int64_t freeBegin) {
  Location loc = b.getLoc();
  Type wide = getWider(b.ofResult(), other.value);
  Value gradient = convert(b, loc, b.ofResult(), wide);
  Value value = convert(b, loc, other.value, wide);

  Dims batching = sequence(0, other.batching.size());
  Dims contracting = sequence(freeBegin, other.free.size());
  bool left = isIdentity(getProductDims(target, other, true)) ||
              !isIdentity(getProductDims(target, other, false));
  auto numbers = [&](const Dims &lhsBatching, const Dims &rhsBatching,
                     const Dims &lhsContracting, const Dims &rhsContracting) {
    return DotDimensionNumbersAttr::get(b.getContext(), lhsBatching,
                                        rhsBatching, lhsContracting,
                                        rhsContracting);
  };
  Value product = left ? dotGeneral(b, loc, gradient, value,
                                    numbers(batching, other.batching,
                                            contracting, other.free))
                       : dotGeneral(b, loc, value, gradient,
                                    numbers(other.batching, batching,
                                            other.free, contracting));
  product.getDefiningOp<DotGeneralOp>().setPrecisionConfigAttr(
      op.getPrecisionConfigAttr());

  Dims order = invertPermutationVector(getProductDims(target, other, left));
  product = transpose(b, loc, product, order);
  return convert(b, loc, product, getTensorType(target.value).getElementType());
}

static void dotGeneralRule(DotGeneralOp op, GradientBuilder &b) {
  DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  Side lhs = getSide(op.getLhs(), dims.getLhsBatchingDimensions(),
                     dims.getLhsContractingDimensions());
  Side rhs = getSide(op.getRhs(), dims.getRhsBatchingDimensions(),
                     dims.getRhsContractingDimensions());
  int64_t freeBegin = lhs.batching.size();
  if (b.wants(0))
    b.set(0, getSideGradient(b, op, lhs, rhs, freeBegin + lhs.free.size()));
  if (b.wants(1))
    b.set(1, getSideGradient(b, op, rhs, lhs, freeBegin));
}

void stablehlo::attachContractionRules(MLIRContext &context) {
  attachDifferentiationRule<DotGeneralOp, dotGeneralRule>(context);
}
