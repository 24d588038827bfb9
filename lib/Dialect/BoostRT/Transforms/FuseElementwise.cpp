//===- FuseElementwise.cpp - Few passes over memory -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-fuse-elementwise: upstream's patterns, with an own answer
// to when a producer moves into its consumer.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <numeric>

namespace mlir::boost::rt {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;

namespace {

/// What a body costs beside the memory that it reads.
enum class BodyCost { Movement, Cheap, Expensive };

} // namespace

static BodyCost findBodyCost(linalg::GenericOp op) {
  BodyCost cost = BodyCost::Movement;
  for (Operation &nested : op.getBody()->without_terminator()) {
    if (isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
            arith::RemSIOp, arith::RemUIOp, tensor::ExtractOp>(nested) ||
        isa<math::MathDialect>(nested.getDialect()))
      return BodyCost::Expensive;
    // A value is read narrow rather than written wide and read again.
    if (!isa<arith::ConstantOp, arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(
            nested))
      cost = BodyCost::Cheap;
  }
  return cost;
}

/// Whether every element of the producer is computed once in the consumer.
static bool computesOnce(linalg::GenericOp producer,
                         linalg::GenericOp consumer) {
  auto product = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<int64_t>());
  };
  return product(producer.getStaticLoopRanges()) ==
         product(consumer.getStaticLoopRanges());
}

/// Whether a body of few operations reads next to nothing: no tensor of several
/// elements, as a mask or a count does. Longer ones are chains, such as those
/// of a random number: each link doubles the copies of the one before it.
static bool isCheapToRepeat(linalg::GenericOp op) {
  constexpr size_t kMaxOperations = 16;
  return op.getBody()->getOperations().size() <= kMaxOperations &&
         llvm::all_of(op.getDpsInputOperands(), [](OpOperand *input) {
           auto type = dyn_cast<ShapedType>(input->get().getType());
           return !type || type.getNumElements() == 1;
         });
}

/// A broadcast reads less than it writes: it moves into every consumer. A
/// transpose or a widening does if no other operation needs it in memory.
static bool isWorthMoving(linalg::GenericOp producer) {
  bool isPermutation =
      llvm::all_of(producer.getDpsInputOperands(), [&](OpOperand *input) {
        return producer.getMatchingIndexingMap(input).isPermutation();
      });
  return !isPermutation ||
         llvm::all_of(producer->getUsers(), llvm::IsaPred<linalg::GenericOp>);
}

/// Whether both together are a kernel of bounded size. One that computes this
/// much for an element, or reads this many streams, gains little by not writing
/// a value and reading it again; and a body is copied whenever it grows, which
/// takes time squared in its size.
static bool fitOneKernel(linalg::GenericOp producer,
                         linalg::GenericOp consumer) {
  constexpr size_t kMaxOperations = 64;
  constexpr unsigned kMaxBuffers = 12;
  auto countOperations = [](linalg::GenericOp op) {
    return op.getBody()->getOperations().size();
  };
  return producer->getNumOperands() + consumer->getNumOperands() <=
             kMaxBuffers &&
         countOperations(producer) + countOperations(consumer) <=
             kMaxOperations;
}

/// Whether a body adds to what is there, as a product of integers does. It must
/// see each element once, even where it has no loop to add over.
static bool accumulates(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.payloadUsesValueFromOperand(&init);
  });
}

/// Whether the producer of the operand moves into the operation that reads it;
/// upstream asks this of pairs that it can fuse.
static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = cast<linalg::GenericOp>(operand->getOwner());
  if (accumulates(producer))
    return false;
  BodyCost cost = findBodyCost(producer);
  if (cost == BodyCost::Movement)
    return isWorthMoving(producer);
  if (!fitOneKernel(producer, consumer))
    return false;
  // Masks and counts are cheaper to compute than to read.
  if (cost == BodyCost::Cheap && isCheapToRepeat(producer))
    return true;
  if (!producer->hasOneUse())
    return false;
  return cost != BodyCost::Expensive || computesOnce(producer, consumer);
}

/// Whether no operation reads a result of `producer` before `consumer` does.
static bool isFirstUser(linalg::GenericOp producer,
                        linalg::GenericOp consumer) {
  return llvm::all_of(producer->getUsers(), [&](Operation *user) {
    return user == consumer || (user->getBlock() == consumer->getBlock() &&
                                consumer->isBeforeInBlock(user));
  });
}

namespace {

/// Computes a value that several operations read together with its first user:
/// both are written in one pass, and that user need not read the value.
struct FuseWithFirstUser : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  /// Whether the consumer needs one element of the producer at a time.
  static bool readsAlike(linalg::GenericOp consumer, linalg::GenericOp producer,
                         OpOperand *operand) {
    AffineMap map = consumer.getMatchingIndexingMap(operand);
    return map.isPermutation() &&
           llvm::all_of(consumer.getDpsInputOperands(), [&](OpOperand *other) {
             return other->get().getDefiningOp() != producer ||
                    consumer.getMatchingIndexingMap(other) == map;
           });
  }

  static bool isCandidate(linalg::GenericOp consumer, OpOperand *operand) {
    auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
    return producer && producer->getBlock() == consumer->getBlock() &&
           !accumulates(producer) &&
           findBodyCost(producer) != BodyCost::Movement &&
           readsAlike(consumer, producer, operand) &&
           computesOnce(producer, consumer) &&
           fitOneKernel(producer, consumer) &&
           linalg::areElementwiseOpsFusable(operand) &&
           isFirstUser(producer, consumer);
  }

  LogicalResult matchAndRewrite(linalg::GenericOp consumer,
                                PatternRewriter &rewriter) const override {
    if (consumer.getNumParallelLoops() != consumer.getNumLoops())
      return failure();
    for (OpOperand *operand : consumer.getDpsInputOperands()) {
      if (!isCandidate(consumer, operand))
        continue;
      auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
      auto fusion = linalg::fuseElementwiseOps(rewriter, operand);
      if (failed(fusion))
        continue;
      // Other readers take what the fusion writes; it may itself still read the
      // producer through another operand.
      for (auto [old, replacement] : fusion->replacements)
        rewriter.replaceUsesWithIf(old, replacement, [&](OpOperand &use) {
          return use.getOwner() != fusion->fusedOp;
        });
      rewriter.eraseOp(consumer);
      if (producer->use_empty())
        rewriter.eraseOp(producer);
      return success();
    }
    return failure();
  }
};

struct FuseElementwisePass
    : boost::rt::impl::FuseElementwisePassBase<FuseElementwisePass> {
  void runOnOperation() override {
    boost::RecomputedScope scope(getOperation());
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal();
    boost::LayerPatternListener layers;
    config.setListener(&layers);
    RewritePatternSet together(&getContext());
    together.add<FuseWithFirstUser>(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(together);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config)) ||
        failed(
            applyPatternsGreedily(getOperation(), std::move(together), config)))
      signalPassFailure();
  }
};

} // namespace
