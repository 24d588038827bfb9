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
  /// What computes an element of the results, or a vector of them.
  enum class Worker { Thread, Warp, Block };

  Worker worker = Worker::Thread;
  /// Elements of a result.
  int64_t results = 1;
  /// Loops from the slowest in memory to the fastest: those over the results,
  /// and the reductions.
  SmallVector<int64_t> parallel, reductions;
  /// The loop that is computed in vectors of `width` elements, or -1.
  int64_t vectorLoop = -1;
  int64_t width = 1;
  LaunchSize size;
};

/// The operation that joins partial results of output `number`, if it is one of
/// two operands that has a neutral element, else null.
Operation *findCombiner(linalg::GenericOp op, unsigned number);

/// Bytes of an element in memory.
int64_t getStoredBytes(Type element);

/// `alignments` has, for each operand of the nest, a number of bytes that its
/// address is a multiple of in all launches.
ThreadMapping mapThreads(linalg::GenericOp op, const rt::LoopNest &nest,
                         ArrayRef<int64_t> alignments);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_THREADMAPPING_H
