//===- MoveSlices.cpp - Parts of tensors are computed by themselves -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-move-slices. Kernels whose bodies read their position, or
// that reduce, stay whole.
//
//===----------------------------------------------------------------------===//

#include "KernelFusion.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_MOVESLICESPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost::rt;

namespace {

/// A rectangular part of a tensor, or of the iterations of a kernel.
struct Part {
  SmallVector<int64_t> offsets, sizes, strides;

  static Part whole(ArrayRef<int64_t> shape) {
    return {SmallVector<int64_t>(shape.size(), 0), SmallVector<int64_t>(shape),
            SmallVector<int64_t>(shape.size(), 1)};
  }
  static Part of(OffsetSizeAndStrideOpInterface slice) {
    return {SmallVector<int64_t>(slice.getStaticOffsets()),
            SmallVector<int64_t>(slice.getStaticSizes()),
            SmallVector<int64_t>(slice.getStaticStrides())};
  }

  /// Returns this part seen through the map, whose constants are positions.
  Part through(AffineMap map) const {
    Part result;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      result.offsets.push_back(dim ? offsets[dim.getPosition()]
                                   : cast<AffineConstantExpr>(expr).getValue());
      result.sizes.push_back(dim ? sizes[dim.getPosition()] : 1);
      result.strides.push_back(dim ? strides[dim.getPosition()] : 1);
    }
    return result;
  }
};

} // namespace

/// Returns true if the kernel computes every element from those at the same
/// position only, independently of the position.
static bool canBeDivided(linalg::GenericOp op) {
  if (!isElementwise(op) || op->getNumResults() != 1 ||
      op.hasIndexSemantics() ||
      !op.getIndexingMapMatchingResult(op->getResult(0)).isPermutation())
    return false;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    auto isPosition = [](AffineExpr expr) {
      return isa<AffineDimExpr, AffineConstantExpr>(expr);
    };
    return llvm::all_of(op.getMatchingIndexingMap(input).getResults(),
                        isPosition);
  });
}

static Value slice(OpBuilder &builder, Location loc, Value value,
                   const Part &part) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || part.sizes == type.getShape())
    return value;
  return tensor::ExtractSliceOp::create(
      builder, loc, RankedTensorType::get(part.sizes, type.getElementType()),
      value, ValueRange(), ValueRange(), ValueRange(), part.offsets, part.sizes,
      part.strides);
}

/// Returns the part of the kernel's result. `known` is an input and its value
/// there.
static Value computePart(OpBuilder &builder, linalg::GenericOp op,
                         const Part &part, std::pair<Value, Value> known = {}) {
  Location loc = op.getLoc();
  AffineMap toResult = op.getIndexingMapMatchingResult(op->getResult(0));
  Part loops = part.through(inversePermutation(toResult));
  SmallVector<Value> inputs;
  for (OpOperand *input : op.getDpsInputOperands())
    inputs.push_back(
        known.first && input->get() == known.first
            ? known.second
            : slice(builder, loc, input->get(),
                    loops.through(op.getMatchingIndexingMap(input))));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value empty =
      tensor::EmptyOp::create(builder, loc, part.sizes, type.getElementType());
  auto result = linalg::GenericOp::create(
      builder, loc, TypeRange(empty.getType()), inputs, ValueRange(empty),
      op.getIndexingMaps(), op.getIteratorTypes(), /*doc=*/StringAttr(),
      /*library_call=*/StringAttr());
  IRMapping mapping;
  op.getRegion().cloneInto(&result.getRegion(), mapping);
  return result->getResult(0);
}

//===----------------------------------------------------------------------===//
// Slices of what a kernel computes
//===----------------------------------------------------------------------===//

/// Returns true if a kernel reads the value, or reshapes of it.
static bool isReadByKernel(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
      return isReadByKernel(user->getResult(0));
    return isa<linalg::GenericOp>(user);
  });
}

/// Returns true if the operation extracts a slice that a kernel reads.
static bool isSliceForKernel(Operation *user) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
  return slice &&
         slice.getSourceType().getRank() == slice.getType().getRank() &&
         isReadByKernel(slice);
}

/// Returns true if computing the slices separately computes no element twice
/// and makes the kernel dead, so that its result needs no memory. Its operands
/// need not be kept for a later phase.
static bool isDividedBySlices(linalg::GenericOp op, const Phases &phases) {
  int64_t elements = 0;
  for (Operation *user : op->getUsers()) {
    if (!isSliceForKernel(user) || !phases.areTogether(op, user))
      return false;
    elements += cast<tensor::ExtractSliceOp>(user).getType().getNumElements();
  }
  return elements <=
         cast<ShapedType>(op->getResult(0).getType()).getNumElements();
}

/// Returns true if the kernel is fused into all its readers later.
static bool isMovedToReaders(linalg::GenericOp op) {
  return findBodyCost(op) == BodyCost::Movement &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           return isa<linalg::GenericOp>(user) || isSliceForKernel(user);
         });
}

namespace {

/// Computes each slice of a kernel's result from slices of its inputs.
struct SliceInputs : OpRewritePattern<linalg::GenericOp> {
  SliceInputs(MLIRContext *context, const Phases &phases)
      : OpRewritePattern(context), phases(phases) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!canBeDivided(op) || llvm::none_of(op->getUsers(), isSliceForKernel) ||
        !(isMovedToReaders(op) || isDividedBySlices(op, phases)))
      return failure();
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      if (!slice)
        continue;
      rewriter.setInsertionPoint(slice);
      rewriter.replaceOp(slice, computePart(rewriter, op, Part::of(slice)));
    }
    if (op->use_empty())
      rewriter.eraseOp(op);
    return success();
  }

private:
  const Phases &phases;
};

} // namespace

//===----------------------------------------------------------------------===//
// Kernels that read joined tensors
//===----------------------------------------------------------------------===//

/// The insertions that a tensor consists of, the last one first; nothing if
/// others may read what is there in between, or if there are too many.
static SmallVector<tensor::InsertSliceOp> findInsertions(Value whole) {
  constexpr size_t kMostParts = 8;
  SmallVector<tensor::InsertSliceOp> insertions;
  while (auto insertion = whole.getDefiningOp<tensor::InsertSliceOp>()) {
    if (insertions.size() == kMostParts ||
        insertion.getSourceType().getRank() !=
            insertion.getDestType().getRank() ||
        (!insertions.empty() && !whole.hasOneUse()))
      return {};
    insertions.push_back(insertion);
    whole = insertion.getDest();
  }
  if (!whole.getDefiningOp<tensor::EmptyOp>())
    return {};
  return insertions;
}

/// Returns true if the parts are adjacent along one dimension and cover the
/// whole.
static bool coverWhole(ArrayRef<tensor::InsertSliceOp> insertions) {
  if (insertions.empty())
    return false;
  ArrayRef<int64_t> shape =
      tensor::InsertSliceOp(insertions.front()).getDestType().getShape();
  for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim) {
    SmallVector<std::pair<int64_t, int64_t>> stretches;
    for (tensor::InsertSliceOp each : insertions) {
      Part part = Part::of(each), all = Part::whole(shape);
      stretches.push_back({part.offsets[dim], part.sizes[dim]});
      all.offsets[dim] = part.offsets[dim];
      all.sizes[dim] = part.sizes[dim];
      if (part.offsets != all.offsets || part.sizes != all.sizes ||
          part.strides != all.strides) {
        stretches.clear();
        break;
      }
    }
    llvm::sort(stretches);
    int64_t end = 0;
    for (auto [offset, size] : stretches)
      end = offset == end ? offset + size : -1;
    if (end == shape[dim])
      return true;
  }
  return false;
}

/// Returns true if a kernel computes the part for this insertion only, and the
/// computation of `reader` can be fused into it.
static bool canComputeFor(tensor::InsertSliceOp insertion,
                          linalg::GenericOp reader) {
  auto producer = insertion.getSource().getDefiningOp<linalg::GenericOp>();
  return producer && producer->hasOneUse() && isElementwise(producer) &&
         fitOneKernel(producer, reader);
}

namespace {

/// Computes what a kernel makes of a joined tensor part by part, with the
/// kernels that compute the parts, and joins the results.
struct ComputeParts : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The insertions that an input consists of, if `op` alone reads it.
  static SmallVector<tensor::InsertSliceOp> findParts(linalg::GenericOp op,
                                                      OpOperand *input) {
    Value whole = input->get();
    if (!op.getMatchingIndexingMap(input).isPermutation() ||
        !llvm::all_of(whole.getUses(), [&](OpOperand &use) {
          return use.getOwner() == op && op.isDpsInput(&use) &&
                 op.getMatchingIndexingMap(&use) ==
                     op.getMatchingIndexingMap(input);
        }))
      return {};
    SmallVector<tensor::InsertSliceOp> insertions = findInsertions(whole);
    if (!coverWhole(insertions) ||
        !llvm::all_of(insertions, [&](tensor::InsertSliceOp insertion) {
          return canComputeFor(insertion, op);
        }))
      return {};
    return insertions;
  }

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!canBeDivided(op))
      return failure();
    for (OpOperand *input : op.getDpsInputOperands()) {
      SmallVector<tensor::InsertSliceOp> insertions = findParts(op, input);
      if (insertions.empty())
        continue;
      AffineMap toResult =
          op.getIndexingMapMatchingResult(op->getResult(0))
              .compose(inversePermutation(op.getMatchingIndexingMap(input)));
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      Value whole = tensor::EmptyOp::create(
          rewriter, op.getLoc(), type.getShape(), type.getElementType());
      for (tensor::InsertSliceOp insertion : llvm::reverse(insertions)) {
        Part part = Part::of(insertion).through(toResult);
        Value result = computePart(rewriter, op, part,
                                   {input->get(), insertion.getSource()});
        whole = tensor::InsertSliceOp::create(
            rewriter, op.getLoc(), result, whole, ValueRange(), ValueRange(),
            ValueRange(), part.offsets, part.sizes, part.strides);
      }
      rewriter.replaceOp(op, whole);
      return success();
    }
    return failure();
  }
};

struct MoveSlicesPass : boost::rt::impl::MoveSlicesPassBase<MoveSlicesPass> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    boost::RecomputedScope scope(getOperation());
    Phases phases(getOperation().front());
    RewritePatternSet patterns(&getContext());
    patterns.add<ComputeParts>(&getContext());
    patterns.add<SliceInputs>(&getContext(), phases);
    GreedyRewriteConfig config;
    boost::LayerPatternListener layers;
    config.setListener(&layers);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
