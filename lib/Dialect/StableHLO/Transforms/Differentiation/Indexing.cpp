//===- Indexing.cpp - Gradients of computed indexing ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading at computed places becomes adding to them. A gather clamps its
// indices and a scatter skips those outside, so the rule clamps them first.
//
//===----------------------------------------------------------------------===//

#include "../WindowPlaces.h"
#include "Rules.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// The largest valid start of each component of an index.
static SmallVector<int64_t> getStartLimits(GatherOp op) {
  ArrayRef<int64_t> shape = getTensorType(op.getOperand()).getShape();
  return llvm::map_to_vector(
      op.getDimensionNumbers().getStartIndexMap(),
      [&](int64_t dim) { return shape[dim] - op.getSliceSizes()[dim]; });
}

/// Returns true if an integer type can represent all of `values`, none of which
/// is negative.
static bool canHold(Type type, ArrayRef<int64_t> values) {
  unsigned bits =
      type.getIntOrFloatBitWidth() - (type.isUnsignedInteger() ? 0 : 1);
  return llvm::all_of(values, [&](int64_t value) {
    return llvm::isUIntN(bits, static_cast<uint64_t>(value));
  });
}

static Value getClampedIndices(GatherOp op, GradientBuilder &b) {
  Location loc = b.getLoc();
  Value indices = op.getStartIndices();
  SmallVector<int64_t> limits = getStartLimits(op);
  // A limit that the type of the indices does not have would wrap.
  if (!canHold(getTensorType(indices).getElementType(), limits))
    indices = convert(b, loc, indices, b.getI64Type());
  RankedTensorType type = getTensorType(indices);
  Type scalar = RankedTensorType::get({}, type.getElementType());
  Value low = splat(b, loc, scalar, 0), high;
  if (llvm::all_equal(limits)) {
    high = splat(b, loc, scalar, limits.empty() ? 0 : limits[0]);
  } else {
    auto vector = RankedTensorType::get({static_cast<int64_t>(limits.size())},
                                        type.getElementType());
    auto values = llvm::map_to_vector(limits, [&](int64_t limit) -> Attribute {
      return b.getIntegerAttr(type.getElementType(), limit);
    });
    Value limit =
        ConstantOp::create(b, loc, DenseElementsAttr::get(vector, values));
    high = broadcastInDim(b, loc, limit, type.getShape(),
                          {op.getDimensionNumbers().getIndexVectorDim()});
    low = broadcastScalar(b, loc, low, type.getShape());
  }
  return ClampOp::create(b, loc, type, low, indices, high);
}

/// Zeros of `type` with updates added to them, in the accumulation type.
static Value scatterAdd(GradientBuilder &b, RankedTensorType type,
                        Value indices, Value updates,
                        ScatterDimensionNumbersAttr numbers) {
  Location loc = b.getLoc();
  Type sumType = getAccumulationType(type.getElementType());
  Value zeros = splat(b, loc, type.clone(sumType), 0);
  auto scatter = ScatterOp::create(b, loc, zeros.getType(), zeros, indices,
                                   convert(b, loc, updates, sumType), numbers,
                                   /*indices_are_sorted=*/b.getBoolAttr(false),
                                   /*unique_indices=*/b.getBoolAttr(false));
  buildCombiner(b, loc, scatter.getUpdateComputation(), sumType,
                ReductionKind::Add);
  return convert(b, loc, scatter.getResult(0), type.getElementType());
}

Value stablehlo::addAlong(GradientBuilder &b, RankedTensorType type,
                          int64_t dim, Value places, Value updates) {
  ScatterDimensionNumbersAttr numbers =
      getScatterAlong(b.getContext(), type.getRank(), dim);
  SmallVector<int64_t> shape(getTensorType(places).getShape());
  shape.push_back(1);
  Value indices = reshape(b, b.getLoc(), places, shape);
  return scatterAdd(b, type, indices, updates, numbers);
}

static void gatherRule(GatherOp op, GradientBuilder &b) {
  if (!b.wants(0))
    return;
  GatherDimensionNumbersAttr from = op.getDimensionNumbers();
  auto numbers = ScatterDimensionNumbersAttr::get(
      b.getContext(), from.getOffsetDims(), from.getCollapsedSliceDims(),
      from.getOperandBatchingDims(), from.getStartIndicesBatchingDims(),
      from.getStartIndexMap(), from.getIndexVectorDim());
  Value indices = getClampedIndices(op, b);
  b.set(0, scatterAdd(b, getTensorType(op.getOperand()), indices, b.ofResult(),
                      numbers));
}

static void dynamicSliceRule(DynamicSliceOp op, GradientBuilder &b) {
  if (!b.wants(0))
    return;
  Location loc = b.getLoc();
  Value zeros = splatLike(b, loc, op.getOperand(), 0);
  b.set(0, DynamicUpdateSliceOp::create(b, loc, zeros.getType(), zeros,
                                        b.ofResult(), op.getStartIndices()));
}

static void dynamicUpdateSliceRule(DynamicUpdateSliceOp op,
                                   GradientBuilder &b) {
  Location loc = b.getLoc();
  if (b.wants(0)) {
    Value zeros = splatLike(b, loc, op.getUpdate(), 0);
    b.set(0, DynamicUpdateSliceOp::create(b, loc, b.ofResult().getType(),
                                          b.ofResult(), zeros,
                                          op.getStartIndices()));
  }
  if (b.wants(1)) {
    RankedTensorType type = getTensorType(op.getUpdate());
    b.set(1, DynamicSliceOp::create(b, loc, type, b.ofResult(),
                                    op.getStartIndices(), type.getShape()));
  }
}

void stablehlo::attachIndexingRules(MLIRContext &context) {
  attachDifferentiationRule<DynamicSliceOp, dynamicSliceRule>(context);
  attachDifferentiationRule<DynamicUpdateSliceOp, dynamicUpdateSliceRule>(
      context);
  attachDifferentiationRule<GatherOp, gatherRule>(context);
}
