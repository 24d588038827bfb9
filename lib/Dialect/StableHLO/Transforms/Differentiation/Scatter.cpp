//===- Scatter.cpp - Gradients of scatters --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adding to computed places becomes reading from them; so does writing, where
// of several updates of one place only the last one counts, and taking extrema,
// where those that attain one share its gradient.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// The part of every input dimension that one window covers.
static SmallVector<int64_t> getWindowSizes(ScatterOp op) {
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  RankedTensorType input = getTensorType(op.getInputs()[0]);
  RankedTensorType update = getTensorType(op.getUpdates()[0]);
  SmallVector<int64_t> sizes(input.getRank(), 1);
  const int64_t *next = dims.getUpdateWindowDims().begin();
  for (int64_t dim : llvm::seq(input.getRank()))
    if (!llvm::is_contained(dims.getInsertedWindowDims(), dim) &&
        !llvm::is_contained(dims.getInputBatchingDims(), dim))
      sizes[dim] = update.getDimSize(*next++);
  return sizes;
}

/// Reads the elements that every update writes to, zero for those outside: a
/// gather from `from` with a window of zeros around the indexed dimensions, so
/// that its clamping only reads zeros.
static Value readUpdates(GradientBuilder &b, ScatterOp op, Value from) {
  Location loc = b.getLoc();
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  SmallVector<int64_t> sizes = getWindowSizes(op);
  SmallVector<int64_t> margin(sizes.size(), 0), none(sizes.size(), 0);
  for (int64_t dim : dims.getScatterDimsToOperandDims())
    margin[dim] = sizes[dim];
  RankedTensorType type = getTensorType(from);
  Value zero =
      splat(b, loc, RankedTensorType::get({}, type.getElementType()), 0);
  Value padded = PadOp::create(b, loc, from, zero, margin, margin, none);

  Value indices = convert(b, loc, op.getScatterIndices(), b.getI64Type());
  RankedTensorType indexType = getTensorType(indices);
  SmallVector<int64_t> offsets =
      llvm::map_to_vector(dims.getScatterDimsToOperandDims(),
                          [&](int64_t dim) { return margin[dim]; });
  Value offset;
  if (llvm::all_equal(offsets)) {
    offset = splat(b, loc, indexType, offsets.empty() ? 0 : offsets[0]);
  } else {
    auto vector = RankedTensorType::get({static_cast<int64_t>(offsets.size())},
                                        b.getI64Type());
    Value values = ConstantOp::create(
        b, loc, DenseElementsAttr::get(vector, ArrayRef(offsets)));
    offset = broadcastInDim(b, loc, values, indexType.getShape(),
                            {dims.getIndexVectorDim()});
  }
  indices = AddOp::create(b, loc, indices, offset);
  auto numbers = GatherDimensionNumbersAttr::get(
      b.getContext(), dims.getUpdateWindowDims(), dims.getInsertedWindowDims(),
      dims.getInputBatchingDims(), dims.getScatterIndicesBatchingDims(),
      dims.getScatterDimsToOperandDims(), dims.getIndexVectorDim());
  return GatherOp::create(b, loc, padded, indices, numbers, sizes);
}

/// Builds the same scatter with other inputs and updates.
static Value rescatter(GradientBuilder &b, ScatterOp op, Value input,
                       Value updates, std::optional<ReductionKind> kind) {
  Location loc = b.getLoc();
  auto scatter = ScatterOp::create(
      b, loc, input.getType(), input, op.getScatterIndices(), updates,
      op.getScatterDimensionNumbers(), op.getIndicesAreSortedAttr(),
      op.getUniqueIndicesAttr());
  Type element = getTensorType(input).getElementType();
  if (kind) {
    buildCombiner(b, loc, scatter.getUpdateComputation(), element, *kind);
    return scatter.getResult(0);
  }
  OpBuilder::InsertionGuard guard(b);
  Type scalar = RankedTensorType::get({}, element);
  Block *body = b.createBlock(&scatter.getUpdateComputation(), {},
                              {scalar, scalar}, {loc, loc});
  ReturnOp::create(b, loc, body->getArgument(1));
  return scatter.getResult(0);
}

/// Finds the updates that remain at the end: every one writes its number.
static Value findWinners(GradientBuilder &b, ScatterOp op) {
  Location loc = b.getLoc();
  Type number = b.getI64Type();
  RankedTensorType type = getTensorType(op.getUpdates()[0]);
  auto flat = RankedTensorType::get({type.getNumElements()}, number);
  Value numbers = IotaOp::create(b, loc, flat, 0);
  numbers = AddOp::create(b, loc, numbers, splat(b, loc, flat, 1));
  numbers = reshape(b, loc, numbers, type.getShape());
  Value none = splat(b, loc, getTensorType(op.getInputs()[0]).clone(number), 0);
  Value written = rescatter(b, op, none, numbers, std::nullopt);
  return CompareOp::create(b, loc, readUpdates(b, op, written), numbers,
                           ComparisonDirection::EQ);
}

static void replaceRule(ScatterOp op, GradientBuilder &b) {
  Location loc = b.getLoc();
  if (b.wants(0)) {
    Value zeros = splatLike(b, loc, op.getUpdates()[0], 0);
    b.set(0, rescatter(b, op, b.ofResult(), zeros, std::nullopt));
  }
  if (!b.wants(2))
    return;
  Value gradient = readUpdates(b, op, b.ofResult());
  if (!op.getUniqueIndices())
    gradient = SelectOp::create(b, loc, findWinners(b, op), gradient,
                                splatLike(b, loc, gradient, 0));
  b.set(2, gradient);
}

static void productRule(ScatterOp op, GradientBuilder &b) {
  if (b.wants(0))
    b.set(0, rescatter(b, op, b.ofResult(), op.getUpdates()[0],
                       ReductionKind::Mul));
  if (!b.wants(2))
    return;
  if (!op.getUniqueIndices())
    return b.refuse("has no gradient with respect to its factors unless "
                    "'unique_indices' promises that places are different");
  Value slope = MulOp::create(b, b.getLoc(), b.ofResult(), op.getInputs()[0]);
  b.set(2, readUpdates(b, op, slope));
}

/// The gradient of a place is shared equally by all that attain its extremum,
/// updates and the input, as JAX does.
static void extremumRule(ScatterOp op, GradientBuilder &b) {
  Location loc = b.getLoc();
  Value input = op.getInputs()[0], updates = op.getUpdates()[0];
  Value result = op.getResult(0);
  Type elementType = getTensorType(input).getElementType();
  auto attains = [&](Value candidate, Value extremum) -> Value {
    return CompareOp::create(b, loc, candidate, extremum,
                             ComparisonDirection::EQ);
  };
  Value isKept = attains(input, result);
  Value isTaken = attains(updates, readUpdates(b, op, result));
  // Counted in f32: bf16 cannot tell 256 from 257.
  Type countType = getAccumulationType(elementType);
  Value kept = convert(b, loc, isKept, countType);
  Value taken =
      rescatter(b, op, splatLike(b, loc, kept, 0),
                convert(b, loc, isTaken, countType), ReductionKind::Add);
  Value count = AddOp::create(b, loc, kept, taken);
  Value share =
      DivOp::create(b, loc, b.ofResult(), convert(b, loc, count, elementType));
  if (b.wants(0))
    b.set(0,
          SelectOp::create(b, loc, isKept, share, splatLike(b, loc, share, 0)));
  if (!b.wants(2))
    return;
  Value shares = readUpdates(b, op, share);
  b.set(2, SelectOp::create(b, loc, isTaken, shares,
                            splatLike(b, loc, shares, 0)));
}

static void scatterRule(ScatterOp op, GradientBuilder &b) {
  Block &body = op.getUpdateComputation().front();
  bool isReplacement = op.getInputs().size() == 1 &&
                       llvm::hasSingleElement(body) &&
                       body.front().getOperand(0) == body.getArgument(1);
  std::optional<ReductionKind> kind =
      matchSimpleCombiner(op.getUpdateComputation());
  if (isReplacement)
    return replaceRule(op, b);
  if (kind == ReductionKind::Mul)
    return productRule(op, b);
  if (kind == ReductionKind::Max || kind == ReductionKind::Min)
    return extremumRule(op, b);
  if (kind != ReductionKind::Add)
    return b.refuse("has no gradient unless it writes, adds, multiplies, or "
                    "takes the maximum or minimum of one tensor");
  b.set(0, b.ofResult());
  if (b.wants(2))
    b.set(2, readUpdates(b, op, b.ofResult()));
}

void stablehlo::attachScatterRules(MLIRContext &context) {
  attachDifferentiationRule<ScatterOp, scatterRule>(context);
}
