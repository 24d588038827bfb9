//===- SimplifyCollectives.cpp - boost-simplify-collectives ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites collectives that undo, repeat or slice what another one has done.
// New collectives are counted where the first of the two was.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Sharding/Collectives.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::boost {
#define GEN_PASS_DEF_SIMPLIFYCOLLECTIVESPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {

/// A pattern on collectives of one type, with the mesh they run on.
template <typename OpTy> struct CollectivePattern : OpRewritePattern<OpTy> {
  CollectivePattern(MLIRContext *context, const Mesh &mesh)
      : OpRewritePattern<OpTy>(context), mesh(mesh) {}
  const Mesh &mesh;
};

} // namespace

static void keepComponent(Operation *like, Value made) {
  if (Attribute component = like->getAttr(kComponentAttr))
    made.getDefiningOp()->setAttr(kComponentAttr, component);
  setLayerIfNone(made.getDefiningOp(), getLayer(like));
}

/// Returns true if two collectives communicate over the same axes.
template <typename A, typename B> static bool haveSameAxes(A a, B b) {
  return a.getGridAttr() == b.getGridAttr() &&
         a.getGridAxesAttr() == b.getGridAxesAttr();
}

//===----------------------------------------------------------------------===//
// Axes of one rank
//===----------------------------------------------------------------------===//

namespace {

/// With no other rank in the group every rank keeps what it has.
struct DropSingleRankAxes : OpInterfaceRewritePattern<RankGroupOpInterface> {
  DropSingleRankAxes(MLIRContext *context, const Mesh &mesh)
      : OpInterfaceRewritePattern(context), mesh(mesh) {}

  LogicalResult matchAndRewrite(RankGroupOpInterface op,
                                PatternRewriter &rewriter) const override {
    AxisMask axes = op.getGroupAxes(), used = axes & mesh.getUsedAxes();
    if (used == axes || op.getMovements().empty())
      return rewriter.notifyMatchFailure(op, "all axes have several ranks");
    if (used == 0) {
      rewriter.replaceOp(op, op.getSources());
      return success();
    }
    rewriter.modifyOpInPlace(op, [&] {
      op->setAttr("grid_axes", rewriter.getDenseI16ArrayAttr(
                                   mesh.getAxes(used).getGridAxes()));
    });
    return success();
  }

  const Mesh &mesh;
};

//===----------------------------------------------------------------------===//
// All-reduces
//===----------------------------------------------------------------------===//

/// Results that no one reads, and operands given twice.
struct DropSpareOperands : CollectivePattern<AllReduceOp> {
  using CollectivePattern::CollectivePattern;
  LogicalResult matchAndRewrite(AllReduceOp op,
                                PatternRewriter &rewriter) const override {
    llvm::SetVector<Value> kept;
    for (auto [input, result] :
         llvm::zip_equal(op.getInputs(), op.getResults()))
      if (!result.use_empty())
        kept.insert(input);
    if (kept.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(op, "every operand is needed");
    auto smaller = AllReduceOp::create(
        rewriter, op.getLoc(), TypeRange(ValueRange(kept.getArrayRef())),
        op.getReductionAttr(), kept.getArrayRef(), op.getGridAttr(),
        op.getGridAxesAttr());
    smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    SmallVector<Value> results;
    for (Value input : op.getInputs()) {
      auto found = llvm::find(kept, input);
      results.push_back(found == kept.end()
                            ? Value()
                            : smaller.getResults()[found - kept.begin()]);
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// The all-reduce of one value that `op`, of one value too, reduces again.
static AllReduceOp getReducedBefore(AllReduceOp op) {
  if (op.getInputs().size() != 1)
    return nullptr;
  auto before = op.getInputs().front().getDefiningOp<AllReduceOp>();
  bool isSame = before && before.getReduction() == op.getReduction() &&
                before.getGridAttr() == op.getGridAttr();
  return isSame ? before : nullptr;
}

/// The maximum of equal values is that value.
struct DropRepeatedExtremum : CollectivePattern<AllReduceOp> {
  using CollectivePattern::CollectivePattern;
  LogicalResult matchAndRewrite(AllReduceOp op,
                                PatternRewriter &rewriter) const override {
    AllReduceOp before = getReducedBefore(op);
    if (!before || op.getReduction() == Reduction::Sum)
      return rewriter.notifyMatchFailure(op, "no extremum is taken again");
    if (getMask(op.getGridAxes()) & ~getMask(before.getGridAxes()))
      return rewriter.notifyMatchFailure(op, "it is taken over further axes");
    rewriter.replaceOp(op, op.getInputs());
    return success();
  }
};

/// One message instead of two of the same size.
struct JoinAxes : CollectivePattern<AllReduceOp> {
  using CollectivePattern::CollectivePattern;
  LogicalResult matchAndRewrite(AllReduceOp op,
                                PatternRewriter &rewriter) const override {
    AllReduceOp before = getReducedBefore(op);
    if (!before || before.getInputs().size() != 1 || !before->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no all-reduce of its own before");
    AxisMask axes = getMask(op.getGridAxes());
    AxisMask axesBefore = getMask(before.getGridAxes());
    if (axes & axesBefore)
      return rewriter.notifyMatchFailure(op, "an axis is reduced twice");
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputsMutable().assign(before.getInputs());
      op.setGridAxes(mesh.getAxes(axes | axesBefore).getGridAxes());
    });
    rewriter.eraseOp(before);
    return success();
  }
};

/// A slice of a sum is all that is needed of it. The sum over other axes is
/// taken of the slice.
struct ScatterSlicedSum : CollectivePattern<shard::AllSliceOp> {
  using CollectivePattern::CollectivePattern;
  LogicalResult matchAndRewrite(shard::AllSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto reduce = slice.getInput().getDefiningOp<AllReduceOp>();
    if (!reduce || reduce.getInputs().size() != 1 || !reduce->hasOneUse() ||
        reduce.getReduction() != Reduction::Sum ||
        slice.getGridAxes().size() != 1)
      return rewriter.notifyMatchFailure(slice, "not the one user of a sum");
    int16_t axis = slice.getGridAxes().front();
    AxisMask axes = getMask(reduce.getGridAxes());
    AxisMask others = axes & ~(AxisMask(1) << axis);
    if (others == axes)
      return rewriter.notifyMatchFailure(slice, "the sum is over other axes");
    rewriter.setInsertionPoint(reduce);
    Value part = buildReduceScatter(rewriter, reduce.getLoc(), mesh, axis,
                                    slice.getSliceAxis().getSExtValue(),
                                    reduce.getInputs().front());
    keepComponent(reduce, part);
    if (others) {
      part = buildAllReduce(rewriter, reduce.getLoc(), mesh, others,
                            Reduction::Sum, part)
                 .front();
      keepComponent(reduce, part);
    }
    rewriter.replaceOp(slice, part);
    rewriter.eraseOp(reduce);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Gathers and slices
//===----------------------------------------------------------------------===//

struct SliceGathered : CollectivePattern<shard::AllSliceOp> {
  using CollectivePattern::CollectivePattern;
  LogicalResult matchAndRewrite(shard::AllSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto gather = slice.getInput().getDefiningOp<AllGatherOp>();
    if (!gather || gather.getInputs().size() != 1 ||
        !haveSameAxes(gather, slice))
      return rewriter.notifyMatchFailure(slice, "not of what was gathered");
    int64_t sliced = slice.getSliceAxis().getSExtValue();
    int64_t gathered = gather.getDims().front();
    if (sliced == gathered) {
      rewriter.replaceOp(slice, gather.getInputs());
      return success();
    }
    if (!gather->hasOneUse() || slice.getGridAxes().size() != 1)
      return rewriter.notifyMatchFailure(slice, "others read what is gathered");
    Value moved = buildAllToAll(rewriter, gather.getLoc(), mesh,
                                slice.getGridAxes().front(), sliced, gathered,
                                gather.getInputs().front());
    keepComponent(gather, moved);
    rewriter.replaceOp(slice, moved);
    return success();
  }
};

struct GatherSliced : CollectivePattern<AllGatherOp> {
  using CollectivePattern::CollectivePattern;
  LogicalResult matchAndRewrite(AllGatherOp gather,
                                PatternRewriter &rewriter) const override {
    if (gather.getInputs().size() != 1)
      return rewriter.notifyMatchFailure(gather, "gathers several tensors");
    auto slice = gather.getInputs().front().getDefiningOp<shard::AllSliceOp>();
    if (!slice || !haveSameAxes(gather, slice) ||
        slice.getSliceAxis().getSExtValue() != gather.getDims().front())
      return rewriter.notifyMatchFailure(gather, "not of what was sliced");
    rewriter.replaceOp(gather, slice.getInput());
    return success();
  }
};

struct SimplifyCollectivesPass
    : public boost::impl::SimplifyCollectivesPassBase<SimplifyCollectivesPass> {
  void runOnOperation() override {
    FailureOr<Mesh> mesh = Mesh::get(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<DropSingleRankAxes, DropSpareOperands, DropRepeatedExtremum,
                 JoinAxes, ScatterSlicedSum, SliceGathered, GatherSliced>(
        &getContext(), *mesh);
    // Only collectives: what else could fold is not this pass's business.
    if (failed(applyPatternsGreedily(
            getOperation(), std::move(patterns),
            GreedyRewriteConfig().enableFolding(false).enableConstantCSE(
                false))))
      return signalPassFailure();
  }
};
} // namespace
