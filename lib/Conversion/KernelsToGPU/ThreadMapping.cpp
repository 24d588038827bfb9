//===- ThreadMapping.cpp - Which thread computes what ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadMapping.h"

#include "boost-mlir/Dialect/BoostRT/Utils/Combiner.h"
#include "boost-mlir/Dialect/BoostRT/Utils/KernelBody.h"
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
/// With fewer threads than that, one for each result leaves most of a GPU idle.
static constexpr int64_t kManyThreads = 1 << 16;
/// Elements that a thread reduces at least where several share a result.
static constexpr int64_t kMinShare = 4;
/// Bytes of a line of memory, which neighboring threads read together.
static constexpr int64_t kLineBytes = 128;
/// Bytes of memory that the threads of a block share, at most.
static constexpr int64_t kMaxSharedBytes = 48 << 10;
/// Iterations of a tile: of elements of up to two bytes, and of others; and
/// fewer are not worth one.
static constexpr int64_t kNarrowTile = 64, kWideTile = 32, kMinTiled = 16;

StringRef mlir::boost::getName(ThreadMapping::Worker worker) {
  switch (worker) {
  case ThreadMapping::Worker::Thread:
    return "thread";
  case ThreadMapping::Worker::Warp:
    return "warp";
  case ThreadMapping::Worker::Block:
    return "block";
  case ThreadMapping::Worker::Columns:
    return "columns";
  case ThreadMapping::Worker::Tile:
    return "tile";
  case ThreadMapping::Worker::Row:
  case ThreadMapping::Worker::ColumnSums:
    return "row";
  }
  llvm_unreachable("unknown worker");
}

LaunchSize LaunchSize::forThreads(int64_t count, int64_t threads) {
  return {static_cast<int64_t>(llvm::divideCeil(count, threads)), threads};
}

int64_t mlir::boost::getStoredBytes(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

static Type getElement(const NestOperand &operand) {
  return getElementTypeOrSelf(operand.operand->get().getType());
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

/// Returns true for long functions of libdevice, which would need too many
/// registers for several elements at once.
static bool isLongFunction(Operation &op) {
  return isa<math::AcoshOp, math::AsinhOp, math::Atan2Op, math::AtanhOp,
             math::CbrtOp, math::CosOp, math::CoshOp, math::PowFOp, math::SinOp,
             math::SinhOp, math::TanOp>(op);
}

/// Returns true if every operation of the body can compute vectors.
static bool isElementwise(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return isa<arith::ConstantOp, linalg::IndexOp>(inner) ||
           (OpTrait::hasElementwiseMappableTraits(&inner) &&
            !isLongFunction(inner));
  });
}

/// Returns true if an operand has `width` adjacent elements along the loop, at
/// an address that is aligned for one access, or for several of 16 bytes.
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

static bool canVectorize(const ThreadMapping &mapping, const LoopNest &nest,
                         int64_t loop, int64_t width,
                         ArrayRef<int64_t> alignments, int64_t numInputs) {
  if (nest.loops[loop].extent % width != 0)
    return false;
  for (auto [number, operand] : llvm::enumerate(nest.operands)) {
    // Elements of these come from a tile.
    if (llvm::is_contained(mapping.tiled, number))
      continue;
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
    if (canVectorize(mapping, nest, loop, width, alignments,
                     op.getNumDpsInputs())) {
      mapping.vectorLoop = loop;
      mapping.width = width;
      return;
    }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Returns true if the input is contiguous along `loop`, and not along the last
/// loop.
static bool isTransposed(const NestOperand &input, int64_t loop, int64_t last) {
  return loop != last && input.strides[loop] == 1 &&
         std::abs(input.strides[last]) > 1;
}

/// The loop along which the first transposed input lies, or -1.
static int64_t findTileLoop(const ThreadMapping &mapping, const LoopNest &nest,
                            int64_t numInputs) {
  for (const NestOperand &input : ArrayRef(nest.operands).take_front(numInputs))
    for (int64_t loop : mapping.parallel)
      if (isTransposed(input, loop, mapping.parallel.back()))
        return loop;
  return -1;
}

/// Returns true if the vectors of all tiled operands can have this width.
static bool canLoadTiles(const ThreadMapping &mapping, const LoopNest &nest,
                         int64_t width, ArrayRef<int64_t> alignments) {
  return nest.loops[mapping.tileLoop].extent % width == 0 &&
         llvm::all_of(mapping.tiled, [&](int64_t number) {
           return hasVectors(nest.operands[number], mapping.tileLoop, width,
                             alignments[number]);
         });
}

/// Chooses the tiled operands, and the size of the tile and of its vectors.
/// Fails if they do not fit into shared memory.
static LogicalResult sizeTiles(ThreadMapping &mapping, const LoopNest &nest,
                               ArrayRef<int64_t> alignments,
                               int64_t numInputs) {
  int64_t narrowest = kAccessBytes, widest = 1, bytes = 0;
  for (int64_t number = 0; number < numInputs; ++number) {
    const NestOperand &input = nest.operands[number];
    if (!isTransposed(input, mapping.tileLoop, mapping.parallel.back()))
      continue;
    int64_t size = getStoredBytes(getElement(input));
    mapping.tiled.push_back(number);
    narrowest = std::min(narrowest, size);
    widest = std::max(widest, size);
    bytes += size;
  }
  mapping.tileSize = widest <= 2 ? kNarrowTile : kWideTile;
  mapping.tileWidth = std::min<int64_t>(8, kAccessBytes / narrowest);
  while (mapping.tileWidth > 1 &&
         !canLoadTiles(mapping, nest, mapping.tileWidth, alignments))
    mapping.tileWidth /= 2;
  return success(bytes * mapping.tileSize * mapping.getTilePitch() <=
                 kMaxSharedBytes);
}

/// A block for every tile of elements, if outputs lie along one loop and inputs
/// along another.
static bool mapToTiles(ThreadMapping &mapping, linalg::GenericOp op,
                       const LoopNest &nest, ArrayRef<int64_t> alignments) {
  if (mapping.parallel.size() < 2)
    return false;
  int64_t last = mapping.parallel.back();
  ThreadMapping tiles = mapping;
  tiles.worker = ThreadMapping::Worker::Tile;
  tiles.tileLoop = findTileLoop(mapping, nest, op.getNumDpsInputs());
  if (tiles.tileLoop < 0 || nest.loops[tiles.tileLoop].extent < kMinTiled ||
      nest.loops[last].extent < kMinTiled ||
      failed(sizeTiles(tiles, nest, alignments, op.getNumDpsInputs())))
    return false;
  chooseVectors(tiles, op, nest, last, alignments);
  tiles.size = {1, kMeetingThreads};
  for (int64_t loop : tiles.parallel) {
    int64_t extent = nest.loops[loop].extent;
    bool isTiled = loop == last || loop == tiles.tileLoop;
    tiles.size.blocks *= static_cast<int64_t>(
        llvm::divideCeil(extent, isTiled ? tiles.tileSize : 1));
  }
  mapping = std::move(tiles);
  return true;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Returns true if the elements of one result are closer together in memory
/// than those of different results.
static bool reducesFastest(const LoopNest &nest, const ThreadMapping &mapping,
                           int64_t numInputs) {
  int64_t reduction =
      getInputStride(nest, mapping.reductions.back(), numInputs);
  return llvm::none_of(mapping.parallel, [&](int64_t loop) {
    int64_t own = getInputStride(nest, loop, numInputs);
    return own > 0 && own < reduction;
  });
}

/// A warp or a block for every result.
static void mapToGroups(ThreadMapping &mapping, linalg::GenericOp op,
                        const LoopNest &nest, ArrayRef<int64_t> alignments) {
  bool isShort = countIterations(nest, mapping.reductions) <= kMaxWarpElements;
  mapping.worker =
      isShort ? ThreadMapping::Worker::Warp : ThreadMapping::Worker::Block;
  mapping.size = isShort ? LaunchSize::forThreads(mapping.results * kWarpSize,
                                                  kWarpsPerBlock * kWarpSize)
                         : LaunchSize{mapping.results, kMeetingThreads};
  chooseVectors(mapping, op, nest, mapping.reductions.back(), alignments);
}

/// The powers of two next to a positive number.
static int64_t roundDown(int64_t number) {
  return static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(number)));
}
static int64_t roundUp(int64_t number) {
  return static_cast<int64_t>(llvm::bit_ceil(static_cast<uint64_t>(number)));
}

/// Several threads for every result, or every vector of them, if that makes
/// more of them: those side by side read a line of memory, those behind each
/// other share the longest reduction.
static bool mapToColumns(ThreadMapping &mapping, linalg::GenericOp op,
                         const LoopNest &nest) {
  int64_t vectors = mapping.results / mapping.width;
  int64_t narrowest = kAccessBytes, sharedBytes = 0;
  for (const NestOperand &operand : nest.operands)
    if (operand.strides[mapping.parallel.back()] == 1)
      narrowest = std::min(narrowest, getStoredBytes(getElement(operand)));
  for (Value output : op.getDpsInits())
    sharedBytes +=
        kMeetingThreads * mapping.width *
        getStoredBytes(getComputeType(getElementTypeOrSelf(output.getType())));
  SmallVector<int64_t> reductions = mapping.reductions;
  llvm::sort(reductions, [&](int64_t a, int64_t b) {
    return std::pair(nest.loops[a].extent, a) <
           std::pair(nest.loops[b].extent, b);
  });
  int64_t shared = nest.loops[reductions.back()].extent;
  int64_t lanes =
      std::min(roundUp(vectors), kLineBytes / (narrowest * mapping.width));
  int64_t groups =
      std::min(roundDown(kMeetingThreads / lanes),
               roundDown(std::max<int64_t>(1, shared / kMinShare)));
  if (vectors >= kManyThreads || groups < 2 || sharedBytes > kMaxSharedBytes)
    return false;
  mapping.worker = ThreadMapping::Worker::Columns;
  mapping.reductions = std::move(reductions);
  mapping.lanes = std::min(roundUp(vectors), kMeetingThreads / groups);
  mapping.size = {
      static_cast<int64_t>(llvm::divideCeil(vectors, mapping.lanes)),
      mapping.lanes * groups};
  return true;
}

/// Vectors that a thread computes one after the other: as many loads of the
/// inputs that are read in vectors as keep the memory busy, where blocks for
/// all processors are left and all threads do as many.
static int64_t chooseRounds(const ThreadMapping &mapping, const LoopNest &nest,
                            int64_t numInputs) {
  constexpr int64_t kMaxLoads = 4, kEnoughBlocks = 1024;
  if (mapping.width == 1 || !mapping.reductions.empty())
    return 1;
  int64_t loads =
      llvm::count_if(ArrayRef(nest.operands).take_front(numInputs),
                     [&](const NestOperand &input) {
                       return input.strides[mapping.vectorLoop] != 0;
                     });
  int64_t rounds =
      loads == 0 ? 1 : roundDown(std::max(loads, kMaxLoads) / loads);
  int64_t vectors = mapping.results / mapping.width;
  while (rounds > 1 && (vectors % (rounds * kFreeThreads) != 0 ||
                        vectors / (rounds * kFreeThreads) < kEnoughBlocks))
    rounds /= 2;
  return rounds;
}

ThreadMapping mlir::boost::mapThreads(linalg::GenericOp op,
                                      const LoopNest &nest,
                                      ArrayRef<int64_t> alignments) {
  int64_t numInputs = op.getNumDpsInputs();
  ThreadMapping mapping;
  mapping.parallel = orderLoops(nest, /*reductions=*/false, numInputs);
  mapping.reductions = orderLoops(nest, /*reductions=*/true, numInputs);
  mapping.results = countIterations(nest, mapping.parallel);
  bool isShared = !mapping.reductions.empty() && canCombine(op);
  if (isShared && reducesFastest(nest, mapping, numInputs)) {
    mapToGroups(mapping, op, nest, alignments);
    return mapping;
  }
  if (mapping.reductions.empty() && mapToTiles(mapping, op, nest, alignments))
    return mapping;
  if (!mapping.parallel.empty())
    chooseVectors(mapping, op, nest, mapping.parallel.back(), alignments);
  if (isShared && mapToColumns(mapping, op, nest))
    return mapping;
  mapping.size = LaunchSize::forThreads(
      mapping.results / mapping.width / chooseRounds(mapping, nest, numInputs),
      kFreeThreads);
  return mapping;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The loops over results or over reductions behind those over rows. Those of a
/// result come in the order of memory.
static SmallVector<int64_t> orderBehindRows(const LoopNest &nest,
                                            bool reductions, int64_t rowLoops,
                                            int64_t numInputs) {
  SmallVector<int64_t> order = orderLoops(nest, reductions, numInputs);
  llvm::erase_if(order, [&](int64_t loop) { return loop < rowLoops; });
  return order;
}

ThreadMapping mlir::boost::mapRowThreads(linalg::GenericOp op,
                                         const LoopNest &nest, int64_t rowLoops,
                                         ArrayRef<int64_t> alignments) {
  int64_t numInputs = op.getNumDpsInputs();
  ThreadMapping mapping;
  mapping.rowLoops = rowLoops;
  mapping.parallel =
      orderBehindRows(nest, /*reductions=*/false, rowLoops, numInputs);
  mapping.reductions =
      orderBehindRows(nest, /*reductions=*/true, rowLoops, numInputs);
  if (sumsColumns(op))
    mapping.worker = ThreadMapping::Worker::ColumnSums;
  else
    mapping.worker = mapping.reductions.empty() ? ThreadMapping::Worker::Row
                                                : ThreadMapping::Worker::Block;
  ArrayRef<int64_t> shared = mapping.getSharedLoops();
  if (!shared.empty())
    chooseVectors(mapping, op, nest, shared.back(), alignments);
  return mapping;
}

ArrayRef<int64_t> ThreadMapping::getSharedLoops() const {
  return worker == Worker::Block ? reductions : parallel;
}

int64_t ThreadMapping::countVectors(const LoopNest &nest) const {
  return countIterations(nest, getSharedLoops()) / width;
}

/// Bytes of a row of the largest operand.
static int64_t getRowBytes(const LoopNest &nest, int64_t rowLoops) {
  int64_t largest = 0;
  for (const NestOperand &operand : nest.operands) {
    int64_t bytes = getStoredBytes(getElement(operand));
    for (size_t loop = rowLoops; loop < nest.loops.size(); ++loop)
      bytes *= operand.strides[loop] == 0 ? 1 : nest.loops[loop].extent;
    largest = std::max(largest, bytes);
  }
  return largest;
}

int64_t mlir::boost::chooseRowThreads(ArrayRef<ThreadMapping> mappings,
                                      ArrayRef<LoopNest> nests) {
  // Later operations read a row from the cache of the processor: the rows of
  // all blocks that it runs at a time have to fit.
  constexpr int64_t kCacheBytes = 128 << 10, kThreadsOfProcessor = 2048;
  constexpr int64_t kMaxThreads = 1024;
  // There are fewer blocks if each has several rows.
  constexpr int64_t kThreadsOfChunk = 512;
  bool isChunk = mappings.front().rowLoops > 1;
  int64_t vectors = 1, bytes = 0;
  for (auto [mapping, nest] : llvm::zip_equal(mappings, nests)) {
    vectors = std::max(vectors, mapping.countVectors(nest));
    bytes = std::max(bytes, getRowBytes(nest, mapping.rowLoops));
  }
  int64_t warps = static_cast<int64_t>(llvm::divideCeil(vectors, kWarpSize));
  int64_t threads =
      std::min(isChunk ? kThreadsOfChunk : kMeetingThreads, warps * kWarpSize);
  while (threads >= kMeetingThreads && threads < kMaxThreads &&
         kThreadsOfProcessor / threads * bytes > kCacheBytes)
    threads *= 2;
  return threads;
}
