//===- StableHLOCanonicalize.cpp - One form for equal programs ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Composition of data movement: two broadcasts become one, slices look through
// concatenations, dynamic slices with known starts become static. But for the
// logistic function, nothing here changes a rounding.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/KnownStarts.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// 1 / (1 + exp(-x)) is logistic(x), which has a gradient also where exp(-x)
/// overflows.
LogicalResult DivOp::canonicalize(DivOp op, PatternRewriter &rewriter) {
  // Folding has moved the constant of a sum to the right.
  auto sum = op.getRhs().getDefiningOp<AddOp>();
  if (!sum || matchSplat(op.getLhs()) != 1.0 || matchSplat(sum.getRhs()) != 1.0)
    return failure();
  auto exp = sum.getLhs().getDefiningOp<ExpOp>();
  if (!exp)
    return failure();
  DictionaryAttr attrs = op->getDiscardableAttrDictionary();
  Value x = rewriter.createOrFold<NegOp>(op.getLoc(), exp.getOperand());
  rewriter.replaceOpWithNewOp<LogisticOp>(op, op.getType(), x)
      ->setDiscardableAttrs(attrs);
  return success();
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

/// For a reshape that only inserts dimensions of size 1: where each dimension
/// of the operand went.
static std::optional<SmallVector<int64_t>>
getInsertedUnitDims(RankedTensorType from, RankedTensorType to) {
  SmallVector<int64_t> places;
  int64_t next = 0;
  for (int64_t i = 0; i < to.getRank(); ++i) {
    if (next < from.getRank() && to.getDimSize(i) == from.getDimSize(next)) {
      places.push_back(i);
      ++next;
    }
  }
  // As many elements as before: the other dimensions have size 1.
  if (next != from.getRank())
    return std::nullopt;
  return places;
}

/// broadcast(broadcast(x)) and broadcast(reshape(x)) with unit dimensions
/// inserted are one broadcast.
LogicalResult BroadcastInDimOp::canonicalize(BroadcastInDimOp op,
                                             PatternRewriter &rewriter) {
  SmallVector<int64_t> inner;
  Value source;
  if (auto broadcast = op.getOperand().getDefiningOp<BroadcastInDimOp>()) {
    inner.assign(broadcast.getBroadcastDimensions().begin(),
                 broadcast.getBroadcastDimensions().end());
    source = broadcast.getOperand();
  } else if (auto reshape = op.getOperand().getDefiningOp<ReshapeOp>()) {
    auto places =
        getInsertedUnitDims(reshape.getOperand().getType(), reshape.getType());
    if (!places)
      return failure();
    inner = *places;
    source = reshape.getOperand();
  } else {
    return failure();
  }
  for (int64_t &dim : inner)
    dim = op.getBroadcastDimensions()[dim];
  rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), source,
                                                inner);
  return success();
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
  if (!inner)
    return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getOperand());
  return success();
}

LogicalResult TransposeOp::canonicalize(TransposeOp op,
                                        PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<TransposeOp>();
  if (!inner)
    return failure();
  SmallVector<int64_t> permutation;
  for (int64_t dim : op.getPermutation())
    permutation.push_back(inner.getPermutation()[dim]);
  rewriter.replaceOpWithNewOp<TransposeOp>(op, inner.getOperand(), permutation);
  return success();
}

/// A reduction of dimensions of size 1 from its neutral element is a reshape,
/// but not where ranks hold the other terms.
LogicalResult ReduceOp::canonicalize(ReduceOp op, PatternRewriter &rewriter) {
  if (op->hasAttr(kOneTermAttr))
    return failure();
  std::optional<ReductionKind> kind = matchSimpleReduction(op);
  if (!kind)
    return failure();
  auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
  if (llvm::any_of(op.getDimensions(),
                   [&](int64_t dim) { return type.getDimSize(dim) != 1; }))
    return failure();
  SplatElementsAttr init;
  if (!matchPattern(op.getInitValues()[0], m_Constant(&init)) ||
      init.getSplatValue<Attribute>() !=
          neutralElement(*kind, type.getElementType()))
    return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getResult(0).getType(),
                                         op.getInputs()[0]);
  return success();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// A slice of stride 1 of `value`: all of it but `[start, limit)` of `dim`.
static Value sliceDim(OpBuilder &builder, Location loc, Value value,
                      int64_t dim, int64_t start, int64_t limit) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape());
  SmallVector<int64_t> strides(type.getRank(), 1);
  starts[dim] = start;
  limits[dim] = limit;
  return builder.createOrFold<SliceOp>(loc, value, starts, limits, strides);
}

/// Simplifies a gather of equal elements to a constant, since starts are
/// clamped, and one of the whole operand to a reshape, as `jnp.take(x, 0,
/// axis)` of an axis of size 1. Neither where ranks hold other elements.
LogicalResult GatherOp::canonicalize(GatherOp op, PatternRewriter &rewriter) {
  if (op->hasAttr(kOneTermAttr))
    return failure();
  SplatElementsAttr splat;
  if (matchPattern(op.getOperand(), m_Constant(&splat))) {
    rewriter.replaceOpWithNewOp<ConstantOp>(op,
                                            splat.resizeSplat(op.getType()));
    return success();
  }
  RankedTensorType operand = op.getOperand().getType();
  if (op.getSliceSizes() != operand.getShape() ||
      op.getType().getNumElements() != operand.getNumElements())
    return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getOperand());
  return success();
}

namespace {

/// A slice of a slice is one slice.
struct ComposeSlices : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<SliceOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> starts, limits, strides;
    for (int64_t i = 0, e = op.getType().getRank(); i < e; ++i) {
      int64_t step = inner.getStrides()[i];
      // Where the inner slice ends within a stride, both may lie behind it.
      auto compose = [&](int64_t place) {
        return std::min(inner.getLimitIndices()[i],
                        inner.getStartIndices()[i] + place * step);
      };
      starts.push_back(compose(op.getStartIndices()[i]));
      limits.push_back(compose(op.getLimitIndices()[i]));
      strides.push_back(op.getStrides()[i] * step);
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, inner.getOperand(), starts, limits,
                                         strides);
    return success();
  }
};

/// A slice of a concatenation takes from the inputs that it touches only.
struct SliceOfConcatenate : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getOperand().getDefiningOp<ConcatenateOp>();
    if (!concat)
      return failure();
    int64_t dim = concat.getDimension();
    int64_t start = op.getStartIndices()[dim];
    int64_t limit = op.getLimitIndices()[dim];
    SmallVector<Value> touched;
    int64_t offset = 0, first = 0;
    for (Value input : concat.getInputs()) {
      int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(dim);
      if (offset < limit && offset + size > start) {
        if (touched.empty())
          first = offset;
        touched.push_back(input);
      }
      offset += size;
    }
    if (touched.size() == concat.getInputs().size())
      return failure();
    Value source =
        rewriter.createOrFold<ConcatenateOp>(concat.getLoc(), touched, dim);
    SmallVector<int64_t> starts(op.getStartIndices());
    SmallVector<int64_t> limits(op.getLimitIndices());
    starts[dim] -= first;
    limits[dim] -= first;
    rewriter.replaceOpWithNewOp<SliceOp>(op, source, starts, limits,
                                         op.getStrides());
    return success();
  }
};

/// A concatenation of concatenations along one dimension is one.
struct FlattenConcatenate : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatenateOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> inputs;
    int64_t dim = op.getDimension();
    for (Value input : op.getInputs()) {
      auto inner = input.getDefiningOp<ConcatenateOp>();
      if (cast<RankedTensorType>(input.getType()).getDimSize(dim) == 0)
        continue;
      if (inner && inner.getDimension() == op.getDimension())
        llvm::append_range(inputs, inner.getInputs());
      else
        inputs.push_back(input);
    }
    if (inputs.empty() || llvm::equal(inputs, op.getInputs()))
      return failure();
    rewriter.replaceOpWithNewOp<ConcatenateOp>(op, inputs, dim);
    return success();
  }
};

/// Adjacent slices of one tensor, put together, are one slice.
struct JoinSlices : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;

  /// Returns true if `next` begins along `dim` where `slice` ends, and is
  /// otherwise equal to it.
  static bool isAdjacent(SliceOp slice, SliceOp next, int64_t dim) {
    if (slice.getOperand() != next.getOperand() ||
        slice.getStrides() != next.getStrides() ||
        slice.getStrides()[dim] != 1 ||
        slice.getLimitIndices()[dim] != next.getStartIndices()[dim])
      return false;
    for (int64_t i = 0, e = slice.getType().getRank(); i < e; ++i)
      if (i != dim && slice.getStartIndices()[i] != next.getStartIndices()[i])
        return false;
    return true;
  }

  LogicalResult matchAndRewrite(ConcatenateOp op,
                                PatternRewriter &rewriter) const override {
    int64_t dim = op.getDimension();
    SmallVector<Value> inputs;
    for (Value input : op.getInputs()) {
      auto next = input.getDefiningOp<SliceOp>();
      auto slice =
          inputs.empty() ? SliceOp() : inputs.back().getDefiningOp<SliceOp>();
      if (!next || !slice || !isAdjacent(slice, next, dim)) {
        inputs.push_back(input);
        continue;
      }
      SmallVector<int64_t> limits(slice.getLimitIndices());
      limits[dim] = next.getLimitIndices()[dim];
      inputs.back() =
          SliceOp::create(rewriter, op.getLoc(), slice.getOperand(),
                          slice.getStartIndices(), limits, slice.getStrides());
    }
    if (inputs.size() == op.getInputs().size())
      return failure();
    rewriter.replaceOpWithNewOp<ConcatenateOp>(op, inputs, dim);
    return success();
  }
};

} // namespace

void SliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<ComposeSlices, SliceOfConcatenate>(context);
}

void ConcatenateOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<FlattenConcatenate, JoinSlices>(context);
}

static bool isZeroPad(PadOp pad) {
  return pad && matchSplat(pad.getPaddingValue()) == 0.0 &&
         llvm::all_of(pad.getInteriorPadding(),
                      [](int64_t n) { return n == 0; }) &&
         llvm::all_of(pad.getEdgePaddingLow(),
                      [](int64_t n) { return n >= 0; }) &&
         llvm::all_of(pad.getEdgePaddingHigh(),
                      [](int64_t n) { return n >= 0; });
}

/// The only dimension along which the operands of `a` and `b` do not stand at
/// the same place of the results, if that of `b` stands right behind that of
/// `a` there; -1 otherwise.
static int64_t findJoin(PadOp a, PadOp b) {
  ArrayRef<int64_t> size = a.getOperand().getType().getShape();
  int64_t join = -1;
  for (int64_t i = 0, e = size.size(); i < e; ++i) {
    int64_t begin = a.getEdgePaddingLow()[i], next = b.getEdgePaddingLow()[i];
    if (begin == next && a.getEdgePaddingHigh()[i] == b.getEdgePaddingHigh()[i])
      continue;
    if (join >= 0 || next != begin + size[i])
      return -1;
    join = i;
  }
  return join;
}

/// The sum of parts side by side, each filled up with zeros, is the parts put
/// together: what the gradients of slices add up to.
LogicalResult AddOp::canonicalize(AddOp op, PatternRewriter &rewriter) {
  auto a = op.getLhs().getDefiningOp<PadOp>();
  auto b = op.getRhs().getDefiningOp<PadOp>();
  if (!isZeroPad(a) || !isZeroPad(b))
    return failure();
  int64_t dim = findJoin(a, b);
  if (dim < 0) {
    std::swap(a, b);
    dim = findJoin(a, b);
  }
  if (dim < 0)
    return failure();
  DictionaryAttr attrs = op->getDiscardableAttrDictionary();
  auto parts = ConcatenateOp::create(
      rewriter, op.getLoc(), ValueRange{a.getOperand(), b.getOperand()}, dim);
  SmallVector<int64_t> high(a.getEdgePaddingHigh());
  high[dim] = b.getEdgePaddingHigh()[dim];
  rewriter
      .replaceOpWithNewOp<PadOp>(op, parts, a.getPaddingValue(),
                                 a.getEdgePaddingLow(), high,
                                 a.getInteriorPadding())
      ->setDiscardableAttrs(attrs);
  return success();
}

std::optional<SmallVector<int64_t>>
stablehlo::getKnownStarts(ValueRange indices, ArrayRef<int64_t> shape,
                          ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> starts;
  for (auto [index, dim, size] : llvm::zip(indices, shape, sizes)) {
    if (dim == size) {
      starts.push_back(0);
      continue;
    }
    DenseElementsAttr value;
    if (!matchPattern(index, m_Constant(&value)))
      return std::nullopt;
    APInt start = value.getSplatValue<APInt>();
    bool isUnsigned = value.getElementType().isUnsignedInteger();
    int64_t known =
        isUnsigned && start.getActiveBits() > 62
            ? dim
            : (isUnsigned ? static_cast<int64_t>(start.getZExtValue())
                          : start.getSExtValue());
    starts.push_back(std::clamp<int64_t>(known, 0, dim - size));
  }
  return starts;
}

LogicalResult DynamicSliceOp::canonicalize(DynamicSliceOp op,
                                           PatternRewriter &rewriter) {
  auto starts =
      getKnownStarts(op.getStartIndices(), op.getOperand().getType().getShape(),
                     op.getSliceSizes());
  if (!starts)
    return failure();
  SmallVector<int64_t> limits;
  for (auto [start, size] : llvm::zip(*starts, op.getSliceSizes()))
    limits.push_back(start + size);
  SmallVector<int64_t> strides(limits.size(), 1);
  rewriter.replaceOpWithNewOp<SliceOp>(op, op.getOperand(), *starts, limits,
                                       strides);
  return success();
}

/// An update at a known place is a concatenation of what is before, the update,
/// and what is behind, dimension by dimension.
LogicalResult DynamicUpdateSliceOp::canonicalize(DynamicUpdateSliceOp op,
                                                 PatternRewriter &rewriter) {
  RankedTensorType type = op.getType(), update = op.getUpdate().getType();
  if (update == type) {
    rewriter.replaceOp(op, op.getUpdate());
    return success();
  }
  if (update.getNumElements() == 0) {
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
  auto starts =
      getKnownStarts(op.getStartIndices(), type.getShape(), update.getShape());
  if (!starts)
    return failure();
  int64_t dim = 0;
  while (type.getDimSize(dim) == update.getDimSize(dim))
    ++dim;
  int64_t begin = (*starts)[dim], end = begin + update.getDimSize(dim);
  Location loc = op.getLoc();
  Value slab = sliceDim(rewriter, loc, op.getOperand(), dim, begin, end);
  // In the slab this dimension is whole, so its start no longer matters.
  Value updated = DynamicUpdateSliceOp::create(
      rewriter, loc, slab, op.getUpdate(), op.getStartIndices());
  // One of these may be empty, and leaves the concatenation again.
  Value before = sliceDim(rewriter, loc, op.getOperand(), dim, 0, begin);
  Value behind =
      sliceDim(rewriter, loc, op.getOperand(), dim, end, type.getDimSize(dim));
  rewriter.replaceOpWithNewOp<ConcatenateOp>(
      op, ValueRange{before, updated, behind}, dim);
  return success();
}

/// Subtracting updates is adding their negation, whose gradient is known.
LogicalResult ScatterOp::canonicalize(ScatterOp op, PatternRewriter &rewriter) {
  Block &body = op.getUpdateComputation().front();
  auto subtraction = dyn_cast<SubtractOp>(body.front());
  if (op.getInputs().size() != 1 || !subtraction ||
      subtraction.getLhs() != body.getArgument(0) ||
      subtraction.getRhs() != body.getArgument(1) ||
      body.getTerminator()->getOperand(0) != subtraction.getResult())
    return failure();
  Value negated = NegOp::create(rewriter, op.getLoc(), op.getUpdates().front());
  rewriter.modifyOpInPlace(op, [&] { op.getUpdatesMutable().assign(negated); });
  rewriter.setInsertionPoint(subtraction);
  rewriter.replaceOpWithNewOp<AddOp>(subtraction, subtraction.getLhs(),
                                     subtraction.getRhs());
  return success();
}

//===----------------------------------------------------------------------===//
// Tensors without elements
//===----------------------------------------------------------------------===//

namespace {

/// Replaces results without elements by constants.
struct EmptyResults : RewritePattern {
  explicit EmptyResults(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto isEmpty = [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 0;
    };
    if (!isa_and_present<StableHLODialect>(op->getDialect()) ||
        op->hasTrait<OpTrait::ConstantLike>() || op->getNumResults() == 0 ||
        !llvm::all_of(op->getResultTypes(), isEmpty) || !isMemoryEffectFree(op))
      return failure();
    SmallVector<Value> empty;
    for (Type type : op->getResultTypes())
      empty.push_back(
          ConstantOp::create(rewriter, op->getLoc(),
                             DenseElementsAttr::get(cast<ShapedType>(type),
                                                    ArrayRef<Attribute>())));
    rewriter.replaceOp(op, empty);
    return success();
  }
};

/// A product that sums nothing is zero.
struct EmptySums : OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DotGeneralOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (cast<RankedTensorType>(op.getLhs().getType()).getNumElements() != 0)
      return failure();
    rewriter.replaceOpWithNewOp<ConstantOp>(
        op, DenseElementsAttr::get(
                type, rewriter.getZeroAttr(type.getElementType())));
    return success();
  }
};

} // namespace

void StableHLODialect::getCanonicalizationPatterns(
    RewritePatternSet &results) const {
  results.add<EmptyResults, EmptySums>(getContext());
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

LogicalResult OptimizationBarrierOp::canonicalize(OptimizationBarrierOp op,
                                                  PatternRewriter &rewriter) {
  if (!op.use_empty())
    return failure();
  rewriter.eraseOp(op);
  return success();
}
