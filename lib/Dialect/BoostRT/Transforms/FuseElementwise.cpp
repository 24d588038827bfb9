//===- FuseElementwise.cpp - Few passes over memory -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-fuse-elementwise: upstream's patterns, with an own answer
// to when a producer moves into its consumer.
//
//===----------------------------------------------------------------------===//

#include "KernelFusion.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <numeric>

namespace mlir::boost::rt {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost::rt;

/// Returns true if the consumer computes every element of the producer once.
static bool computesOnce(linalg::GenericOp producer,
                         linalg::GenericOp consumer) {
  auto product = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<int64_t>());
  };
  return product(producer.getStaticLoopRanges()) ==
         product(consumer.getStaticLoopRanges());
}

/// Returns true if a body is short. Long bodies are chains, such as those of a
/// random number: each link doubles the copies of the one before it.
static bool isShort(linalg::GenericOp op) {
  constexpr size_t kMaxOperations = 16;
  return op.getBody()->getOperations().size() <= kMaxOperations;
}

/// Returns true if a short body reads no tensor of several elements, as a mask
/// or a count does.
static bool isCheapToRepeat(linalg::GenericOp op) {
  return isShort(op) &&
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

static int64_t getBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? boost::getDenseBytes(type) : 0;
}

/// Bytes that a reader of the producer's result reads in place of it if it
/// computes the elements itself: inputs that it does not read anyhow.
static int64_t countAddedBytes(linalg::GenericOp producer,
                               linalg::GenericOp reader) {
  int64_t bytes = 0;
  llvm::SmallDenseSet<Value> inputs(producer.getInputs().begin(),
                                    producer.getInputs().end());
  for (Value input : inputs)
    if (!llvm::is_contained(reader.getInputs(), input))
      bytes += getBytes(input);
  return bytes;
}

/// Returns true if fewer bytes move if each of several kernels of a phase
/// recomputes the elements that it reads of the producer, whose operands are
/// available in this phase. If not, the first of them computes and writes the
/// producer, if it is elementwise.
static bool isLessToRepeat(linalg::GenericOp producer, const Phases &phases) {
  constexpr int64_t kMostReaders = 4;
  llvm::SmallSetVector<Operation *, 4> readers;
  int64_t added = 0, read = 0, uses = 0;
  bool isReducedByAll = true;
  for (OpOperand &use : producer->getUses()) {
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!reader || ++uses > kMostReaders ||
        reader->getBlock() != producer->getBlock() ||
        !phases.areTogether(producer, reader) ||
        !computesOnce(producer, reader) || !fitOneKernel(producer, reader) ||
        !linalg::areElementwiseOpsFusable(&use))
      return false;
    isReducedByAll &= !isElementwise(reader);
    if (readers.insert(reader))
      added += countAddedBytes(producer, reader);
  }
  // A reader of both becomes one kernel with the one that it reads.
  auto isLink = [&](Operation *reader) {
    return isElementwise(cast<linalg::GenericOp>(reader)) &&
           llvm::any_of(reader->getUsers(), [&](Operation *user) {
             return readers.contains(user);
           });
  };
  if (readers.size() < 2 || llvm::any_of(readers, isLink))
    return false;
  for (Value input : producer.getInputs())
    read += getBytes(input);
  auto moves = static_cast<int64_t>(readers.size()) + (isReducedByAll ? 1 : 0);
  return added < read + moves * getBytes(producer->getResult(0));
}

/// Returns true if an operation only widens elements and moves into all of its
/// readers: what it widens then stays narrow in memory.
static bool widensForReaders(linalg::GenericOp op) {
  if (op->hasOneUse() || op->use_empty() || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1 || findBodyCost(op) != BodyCost::Movement)
    return false;
  Type from = getElementTypeOrSelf(op.getInputs().front());
  Type to = getElementTypeOrSelf(op->getResult(0));
  return op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isPermutation() &&
         from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth() &&
         isWorthMoving(op);
}

/// Returns true if the producer of the operand should be fused into its reader;
/// upstream calls this for pairs that it can fuse.
static bool shouldFuse(OpOperand *operand, const Phases &phases) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = cast<linalg::GenericOp>(operand->getOwner());
  if (accumulates(producer) || widensForReaders(consumer))
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
    return cost == BodyCost::Cheap && isShort(producer) &&
           producer->getNumResults() == 1 && !addsProducts(producer) &&
           isLessToRepeat(producer, phases);
  return cost != BodyCost::Expensive || computesOnce(producer, consumer);
}

/// Returns true if no operation reads a result of `producer` before `consumer`
/// does.
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

  /// Returns true if the consumer reads one element of the producer per
  /// iteration.
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
    if (getOperation().isExternal())
      return;
    Phases phases(getOperation().front());
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(
        patterns,
        [&](OpOperand *operand) { return shouldFuse(operand, phases); });
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
