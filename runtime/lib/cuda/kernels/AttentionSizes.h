//===- AttentionSizes.h - Shapes of attention -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that the host passes to the kernels of attention besides
// pointers, and their shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONSIZES_H
#define BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONSIZES_H

#include "boost-runtime/AttentionWorkspace.h"

namespace boost_rt {

/// A parameter of kernels; as in Functions.def.
struct AttentionSizes {
  int64_t b, sq, sk, h, kvh, dh;
  int64_t biasStrides[4], maskStrides[4];
  double scale, softCap;
  int32_t causal;
  /// True if rows of queries, keys and values begin at multiples of 16 bytes.
  int32_t isWide;
};

/// The largest magnitude of a log-sum-exp that gradients divide by, as on the
/// CPU: rounding it to f32 costs probabilities 2^-15 at most.
inline constexpr double attentionLargestExactLse = 1024;

//===----------------------------------------------------------------------===//
// Kernels without tensor cores
//===----------------------------------------------------------------------===//

/// Threads are a square of this side.
inline constexpr int attentionSide = 16;
/// Queries and keys of a tile of scores, for what numbers of these bytes are
/// computed in.
constexpr int attentionTile(int computeBytes) {
  return computeBytes == 4 ? 64 : 32;
}
/// Columns of queries and keys that are in shared memory at a time.
inline constexpr int attentionDepth = 32;

/// Numbers of tensors in shared memory: columns of two, or a tile of one. Rows
/// are one longer, so that columns of them are in different banks.
constexpr int attentionStaged(int computeBytes) {
  int tile = attentionTile(computeBytes);
  int columns = 2 * tile * (attentionDepth + 1), square = tile * (tile + 1);
  return columns > square ? columns : square;
}

/// Dynamic shared memory in bytes: staged operands, a tile of scores, and three
/// numbers for each of its rows. 33.5 KiB for f32, 25.5 KiB for f64.
constexpr uint32_t attentionSharedBytes(int computeBytes) {
  int tile = attentionTile(computeBytes);
  int numbers = attentionStaged(computeBytes) + tile * (tile + 1) + 3 * tile;
  return static_cast<uint32_t>(numbers * computeBytes);
}

//===----------------------------------------------------------------------===//
// Kernels with tensor cores
//===----------------------------------------------------------------------===//

inline constexpr int matrixWarps = 4, matrixThreads = 32 * matrixWarps;
/// Rows that a block owns, 16 for each warp; keys of a step forward.
inline constexpr int matrixRows = 16 * matrixWarps, matrixKeys = 64;
/// The others of a step backward. There are registers for no more.
constexpr int matrixOthers(int columns) { return columns <= 64 ? 64 : 32; }

/// The columns that the kernels are made for. The size of a head is rounded up
/// to one of these.
inline constexpr int matrixColumns[] = {32, 64, 96, attentionLargestMatrixHead};

/// The number of blocks that the registers of a multiprocessor suffice for.
constexpr int matrixForwardBlocks(int columns) { return columns <= 64 ? 3 : 2; }
inline constexpr int matrixBackwardBlocks = 2;

/// Dynamic shared memory in bytes: keys and values of two steps, and a flag for
/// each warp. 64 KiB for 128 columns.
constexpr uint32_t matrixForwardBytes(int columns) {
  return static_cast<uint32_t>(2 * 2 * matrixKeys * columns * 2 +
                               matrixWarps * 4);
}

/// Dynamic shared memory in bytes: keys and values of two steps. 32 KiB for 64
/// and 128 columns.
constexpr uint32_t matrixQueriesBytes(int columns) {
  return static_cast<uint32_t>(2 * 2 * matrixOthers(columns) * columns * 2);
}

/// Dynamic shared memory in bytes: own keys and values; queries of two steps
/// and their gradients, statistics and flags. 50.5 KiB for 64 columns and 65.3
/// KiB for 128.
constexpr uint32_t matrixKeysBytes(int columns) {
  return static_cast<uint32_t>(
      2 * matrixRows * columns * 2 +
      2 * matrixOthers(columns) *
          (2 * columns * 2 + attentionStatisticsBytes + 4));
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONSIZES_H
