//===- AttentionTile.cuh - Tiles of scores, without tensor cores *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common part of attention and its gradients: a square tile of scores, of
// which every thread holds some in registers, and the products that make it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONTILE_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONTILE_CUH

#include "AttentionScores.cuh"

namespace boost_rt {

/// Threads are a square; one holds the numbers of every 16th row and column.
template <typename T> class AttentionTile {
public:
  using Compute = ComputeOf<T>;
  static constexpr int size = attentionTile(sizeof(Compute));
  static constexpr int per = size / attentionSide;
  /// Distance of the rows of a square in shared memory, in elements.
  static constexpr int stride = size + 1;
  using Block = Compute[per][per];

  static_assert(attentionSide * attentionSide == kThreads);

  __device__ explicit AttentionTile(const AttentionSizes &sizes)
      : sizes(sizes), staged(reinterpret_cast<Compute *>(sharedMemory)),
        square(staged + attentionStaged(sizeof(Compute))),
        delta(square + size * stride), lost(delta + size),
        isHidden(reinterpret_cast<int *>(lost + size)) {}

  __device__ static int getRow(int i) {
    return threadIdx.x / attentionSide + attentionSide * i;
  }
  __device__ static int getColumn(int j) {
    return threadIdx.x % attentionSide + attentionSide * j;
  }

  /// Calls visit(i, j) for the numbers of the thread.
  template <typename Visit>
  __device__ __forceinline__ static void forEach(Visit visit) {
#pragma unroll
    for (int i = 0; i < per; ++i)
#pragma unroll
      for (int j = 0; j < per; ++j)
        visit(i, j);
  }

  /// sums += a b^T of rows of two tensors.
  __device__ void addProducts(Block &sums, const HeadRows<const T> &a,
                              int64_t firstOfA, const HeadRows<const T> &b,
                              int64_t firstOfB) const {
    constexpr int width = attentionDepth + 1;
    for (int64_t column = 0; column < sizes.dh; column += attentionDepth) {
      __syncthreads();
      stage<attentionDepth, width>(staged, a, firstOfA, column);
      stage<attentionDepth, width>(staged + size * width, b, firstOfB, column);
      __syncthreads();
      multiply<width, 1, width, 1, attentionDepth>(sums, staged,
                                                   staged + size * width);
    }
  }

  /// sums += A b, where A is `tile`; of b, the columns from `column`.
  __device__ void addTimes(Block &sums, const Block &tile,
                           const HeadRows<const T> &b, int64_t firstOfB,
                           int64_t column) const {
    shareSquare(tile, b, firstOfB, column);
    multiply<stride, 1, 1, stride, size>(sums, square, staged);
  }

  /// Adds the product of the transpose of A.
  __device__ void addTransposedTimes(Block &sums, const Block &tile,
                                     const HeadRows<const T> &b,
                                     int64_t firstOfB, int64_t column) const {
    shareSquare(tile, b, firstOfB, column);
    multiply<1, stride, 1, stride, size>(sums, square, staged);
  }

  /// The numbers of all threads, in rows of `stride`. Only for who multiplies
  /// no tile by others.
  __device__ Compute *share(const Block &tile) const {
    putSquare(tile);
    __syncthreads();
    return square;
  }

  /// Writes rows from `first` and columns from `column`.
  __device__ void store(const HeadRows<T> &to, int64_t first, int64_t column,
                        const Block &values) const {
    forEach([&](int i, int j) {
      int64_t row = first + getRow(i), at = column + getColumn(j);
      if (row < to.rows && at < sizes.dh)
        to.data[row * to.stride + at] = T(values[i][j]);
    });
  }

  const AttentionSizes &sizes;

private:
  __device__ void putSquare(const Block &tile) const {
    forEach([&](int i, int j) {
      square[getRow(i) * stride + getColumn(j)] = tile[i][j];
    });
  }

  __device__ void shareSquare(const Block &tile, const HeadRows<const T> &b,
                              int64_t firstOfB, int64_t column) const {
    __syncthreads();
    putSquare(tile);
    stage<size, stride>(staged, b, firstOfB, column);
    __syncthreads();
  }

  /// Rows from `first` and columns from `column` become numbers in shared
  /// memory; zeros where there are none.
  template <int width, int rowStride>
  __device__ void stage(Compute *to, const HeadRows<const T> &from,
                        int64_t first, int64_t column) const {
    if (sizes.isWide)
      stageVectors<width, rowStride, kPack<T>>(to, from, first, column);
    else
      stageVectors<width, rowStride, 1>(to, from, first, column);
  }

  template <int width, int rowStride, int together>
  __device__ void stageVectors(Compute *to, const HeadRows<const T> &from,
                               int64_t first, int64_t column) const {
    constexpr int perRow = width / together;
#pragma unroll 1
    for (int i = threadIdx.x; i < size * perRow; i += kThreads) {
      int row = i / perRow, at = i % perRow * together;
      Vector<T, together> values = {};
      if (first + row < from.rows && column + at < sizes.dh)
        values = loadVector<together>(from.data + (first + row) * from.stride +
                                      column + at);
#pragma unroll
      for (int j = 0; j < together; ++j)
        to[row * rowStride + at + j] = Compute(T(values[j]));
    }
  }

  /// sums[i][j] += sum over d of a(row i, d) b(column j, d), of which elements
  /// are these strides apart.
  template <int aRow, int aDepth, int bColumn, int bDepth, int depth>
  __device__ static void multiply(Block &sums, const Compute *a,
                                  const Compute *b) {
#pragma unroll 2
    for (int d = 0; d < depth; ++d) {
      Compute left[per], right[per];
#pragma unroll
      for (int i = 0; i < per; ++i) {
        left[i] = a[getRow(i) * aRow + d * aDepth];
        right[i] = b[getColumn(i) * bColumn + d * bDepth];
      }
      forEach([&](int i, int j) { sums[i][j] += left[i] * right[j]; });
    }
  }

  Compute *staged, *square;

public:
  // By row of a tile, in shared memory.
  Compute *delta, *lost;
  int *isHidden;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONTILE_CUH
