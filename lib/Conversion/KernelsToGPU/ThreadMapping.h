//===- ThreadMapping.h - Which thread computes what -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides the loops of a kernel's linalg.generic among the threads of a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_THREADMAPPING_H
#define BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_THREADMAPPING_H

#include "boost-mlir/Dialect/BoostRT/Utils/LoopNest.h"

namespace mlir::boost {

/// Threads of a warp.
constexpr int64_t kWarpSize = 32;

/// Blocks of a launch, and threads of each.
struct LaunchSize {
  int64_t blocks = 0;
  int64_t threads = 0;

  /// Blocks of `threads` for `count` threads in all.
  static LaunchSize forThreads(int64_t count, int64_t threads);
};

struct ThreadMapping {
  /// The threads that compute one element of the results.
  enum class Worker {
    /// A thread an element, or a vector of them.
    Thread,
    /// A warp or a block an element.
    Warp,
    Block,
    /// The threads of a block that are `lanes` apart an element, or a vector of
    /// them, together.
    Columns,
    /// A block a tile of elements: it reads inputs along another loop than it
    /// writes along.
    Tile,
    /// A block a row, which is all elements of an iteration of the first loops.
    Row,
    /// A block the sums of the columns of its rows.
    ColumnSums
  };

  Worker worker = Worker::Thread;
  /// Elements of a result.
  int64_t results = 1;
  /// Loops from the slowest in memory to the fastest: those over the results,
  /// and the reductions. Threads that meet share the last reduction.
  SmallVector<int64_t> parallel, reductions;
  /// The loop that is computed in vectors of `width` elements, or -1.
  int64_t vectorLoop = -1;
  int64_t width = 1;
  /// Kernels of rows: the first loops, whose iterations are rows, or chunks of
  /// rows and the rows of a chunk.
  int64_t rowLoops = 0;
  /// Columns: threads of a block with neighboring results.
  int64_t lanes = 1;
  /// Tile: the operands that are read along `tileLoop`, in vectors of
  /// `tileWidth` elements, and iterations of this loop and of the last one over
  /// the results in a tile.
  SmallVector<int64_t> tiled;
  int64_t tileLoop = -1, tileWidth = 1, tileSize = 0;
  LaunchSize size;

  /// Kernels of rows: the loops that the threads of a block share.
  ArrayRef<int64_t> getSharedLoops() const;
  /// Vectors, or elements, of a row that the threads of a block share.
  int64_t countVectors(const rt::LoopNest &nest) const;
  /// Elements from one row of a tile in shared memory to the next: a word more
  /// than it has, so that threads that read a column do not all wait for one
  /// bank.
  int64_t getTilePitch() const { return tileSize + (tileSize > 32 ? 2 : 1); }
};

/// Returns the name of a form of kernels, for documentation and attributes.
StringRef getName(ThreadMapping::Worker worker);

/// Bytes of an element in memory.
int64_t getStoredBytes(Type element);

/// `alignments` has, for each operand of the nest, a number of bytes that its
/// address is a multiple of in all launches.
ThreadMapping mapThreads(linalg::GenericOp op, const rt::LoopNest &nest,
                         ArrayRef<int64_t> alignments);

/// Maps one of several operations of a kernel that boostrt-join-row-kernels
/// made, whose first `rowLoops` loops are over rows. The mapping is `Block`,
/// `Row` or `ColumnSums`, and has no threads of its own.
ThreadMapping mapRowThreads(linalg::GenericOp op, const rt::LoopNest &nest,
                            int64_t rowLoops, ArrayRef<int64_t> alignments);

/// Threads of a block that does such operations to a row.
int64_t chooseRowThreads(ArrayRef<ThreadMapping> mappings,
                         ArrayRef<rt::LoopNest> nests);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_THREADMAPPING_H
