//===- ThreadMapping.cpp - Which thread computes what ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadMapping.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

/// Bytes of the widest access of a thread.
static constexpr int64_t kAccessBytes = 16;
/// Threads of a block where threads do not meet, and where they do.
static constexpr int64_t kFreeThreads = 256, kMeetingThreads = 256;
/// Warps of a block in which each has a result of its own.
static constexpr int64_t kWarpsPerBlock = 4;
/// A reduction of at most as many elements is the work of a warp.
static constexpr int64_t kMaxWarpElements = 1024;
/// With fewer results than that, a thread for each leaves most of a GPU idle.
static constexpr int64_t kFewResults = 1024;

LaunchSize LaunchSize::forThreads(int64_t count, int64_t threads) {
  return {static_cast<int64_t>(llvm::divideCeil(count, threads)), threads};
}

int64_t mlir::boost::getStoredBytes(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

static Type getElement(const NestOperand &operand) {
  return getElementTypeOrSelf(operand.operand->get().getType());
}

Operation *mlir::boost::findCombiner(linalg::GenericOp op, unsigned number) {
  BlockArgument accumulator = op.getRegionOutputArgs()[number];
  Operation *yield = op.getBody()->getTerminator();
  Operation *combiner = yield->getOperand(number).getDefiningOp();
  bool isCombiner = combiner && combiner->getNumOperands() == 2 &&
                    combiner->getNumResults() == 1 && combiner->hasOneUse() &&
                    accumulator.hasOneUse() &&
                    *accumulator.user_begin() == combiner &&
                    arith::getNeutralElement(combiner);
  return isCombiner ? combiner : nullptr;
}

static bool canCombine(linalg::GenericOp op) {
  return llvm::all_of(
      llvm::seq<unsigned>(op.getNumDpsInits()),
      [&](unsigned number) { return findCombiner(op, number); });
}

static int64_t countIterations(const LoopNest &nest, ArrayRef<int64_t> loops) {
  int64_t count = 1;
  for (int64_t loop : loops)
    count *= nest.loops[loop].extent;
  return count;
}

/// Elements from one iteration of a loop to the next in the input that it walks
/// through the slowest.
static int64_t getInputStride(const LoopNest &nest, int64_t loop,
                              int64_t numInputs) {
  int64_t largest = 0;
  for (int64_t i = 0; i < numInputs; ++i)
    largest = std::max(largest, std::abs(nest.operands[i].strides[loop]));
  return largest;
}

/// Loops by how far apart in memory their iterations are: those over results in
/// the last output, reductions in the inputs.
static SmallVector<int64_t> orderLoops(const LoopNest &nest, bool reductions,
                                       int64_t numInputs) {
  auto weight = [&](int64_t loop) {
    return reductions ? getInputStride(nest, loop, numInputs)
                      : std::abs(nest.operands.back().strides[loop]);
  };
  SmallVector<int64_t> order;
  for (auto [position, loop] : llvm::enumerate(nest.loops))
    if (loop.isReduction == reductions)
      order.push_back(position);
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::pair(-weight(a), a) < std::pair(-weight(b), b);
  });
  return order;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Whether it is long code of libdevice: for several elements at once it would
/// take more registers than there are.
static bool isLongFunction(Operation &op) {
  return isa<math::AcoshOp, math::AsinhOp, math::Atan2Op, math::AtanhOp,
             math::CbrtOp, math::CosOp, math::CoshOp, math::PowFOp, math::SinOp,
             math::SinhOp, math::TanOp>(op);
}

/// Whether every operation of the body can compute vectors.
static bool isElementwise(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return isa<arith::ConstantOp, linalg::IndexOp>(inner) ||
           (OpTrait::hasElementwiseMappableTraits(&inner) &&
            !isLongFunction(inner));
  });
}

/// Whether an operand has `width` elements of the loop side by side, at an
/// address that one access, or several of 16 bytes, can take.
static bool hasVectors(const NestOperand &operand, int64_t loop, int64_t width,
                       int64_t alignment) {
  int64_t bytes =
      std::min(kAccessBytes, width * getStoredBytes(getElement(operand)));
  if (operand.strides[loop] != 1 || alignment % bytes != 0)
    return false;
  for (auto [other, stride] : llvm::enumerate(operand.strides))
    if (static_cast<int64_t>(other) != loop &&
        (stride < 0 || stride % width != 0))
      return false;
  return true;
}

static bool canVectorize(const LoopNest &nest, int64_t loop, int64_t width,
                         ArrayRef<int64_t> alignments, int64_t numInputs) {
  if (nest.loops[loop].extent % width != 0)
    return false;
  for (auto [number, operand] : llvm::enumerate(nest.operands)) {
    bool isOutput = static_cast<int64_t>(number) >= numInputs;
    // Inputs may be the same for all lanes; so are the results of a reduction.
    bool isSame = operand.strides[loop] == 0 &&
                  (!isOutput || nest.loops[loop].isReduction);
    if (!isSame && !hasVectors(operand, loop, width, alignments[number]))
      return false;
  }
  return true;
}

/// Chooses the widest vectors of the loop; none if only one element fits.
static void chooseVectors(ThreadMapping &mapping, linalg::GenericOp op,
                          const LoopNest &nest, int64_t loop,
                          ArrayRef<int64_t> alignments) {
  if (!isElementwise(op))
    return;
  int64_t narrowest = kAccessBytes;
  for (const NestOperand &operand : nest.operands)
    if (operand.strides[loop] == 1)
      narrowest = std::min(narrowest, getStoredBytes(getElement(operand)));
  // More than eight elements would take too many registers.
  for (int64_t width = std::min<int64_t>(8, kAccessBytes / narrowest);
       width > 1; width /= 2)
    if (canVectorize(nest, loop, width, alignments, op.getNumDpsInputs())) {
      mapping.vectorLoop = loop;
      mapping.width = width;
      return;
    }
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Whether the elements of one result lie closer together than those of
/// different ones.
static bool reducesFastest(const LoopNest &nest, const ThreadMapping &mapping,
                           int64_t numInputs) {
  int64_t reduction =
      getInputStride(nest, mapping.reductions.back(), numInputs);
  return llvm::none_of(mapping.parallel, [&](int64_t loop) {
    int64_t own = getInputStride(nest, loop, numInputs);
    return own > 0 && own < reduction;
  });
}

ThreadMapping mlir::boost::mapThreads(linalg::GenericOp op,
                                      const LoopNest &nest,
                                      ArrayRef<int64_t> alignments) {
  int64_t numInputs = op.getNumDpsInputs();
  ThreadMapping mapping;
  mapping.parallel = orderLoops(nest, /*reductions=*/false, numInputs);
  mapping.reductions = orderLoops(nest, /*reductions=*/true, numInputs);
  mapping.results = countIterations(nest, mapping.parallel);
  int64_t elements = countIterations(nest, mapping.reductions);
  bool isFast =
      !mapping.reductions.empty() && reducesFastest(nest, mapping, numInputs);
  bool leavesThreadsIdle =
      mapping.results < kFewResults && elements > kWarpSize;
  if (!mapping.reductions.empty() && (isFast || leavesThreadsIdle) &&
      canCombine(op)) {
    bool isShort = elements <= kMaxWarpElements;
    mapping.worker =
        isShort ? ThreadMapping::Worker::Warp : ThreadMapping::Worker::Block;
    mapping.size = isShort ? LaunchSize::forThreads(mapping.results * kWarpSize,
                                                    kWarpsPerBlock * kWarpSize)
                           : LaunchSize{mapping.results, kMeetingThreads};
    chooseVectors(mapping, op, nest, mapping.reductions.back(), alignments);
    return mapping;
  }
  if (!mapping.parallel.empty())
    chooseVectors(mapping, op, nest, mapping.parallel.back(), alignments);
  mapping.size =
      LaunchSize::forThreads(mapping.results / mapping.width, kFreeThreads);
  return mapping;
}
