//===- Embedding.cuh - Kernels of embeddings --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_EMBEDDING_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_EMBEDDING_CUH

#include "Types.cuh"

namespace boost_rt {

__device__ inline int64_t clampId(int32_t id, int64_t rows) {
  return id < 0 ? 0 : id < rows ? id : rows - 1;
}

/// A warp per row.
template <typename Unit>
__device__ inline void
embed(const Unit *__restrict__ table, const int32_t *__restrict__ ids,
      Unit *__restrict__ out, int64_t rows, int64_t units, int64_t count) {
  int64_t row = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  if (row >= count)
    return;
  const Unit *from = table + clampId(ids[row], rows) * units;
  Unit *to = out + row * units;
#pragma unroll 4
  for (int64_t i = threadIdx.x; i < units; i += kWarp)
    to[i] = from[i];
}

/// The positions of one id in increasing order, found by a whole block a piece
/// at a time. All threads make the same calls.
class PositionSearch {
public:
  /// Positions of a piece: a word of matches for every lane of a warp.
  static constexpr int kPiece = kWarp * kWarp;
  /// Two pieces: while one is read, the next is written.
  using Matches = uint32_t[2][kWarp];

  __device__ PositionSearch(Matches &matches, const int32_t *ids, int64_t count,
                            int64_t rows, int64_t id)
      : matches(matches), ids(ids), count(count), rows(rows), id(id) {}

  /// Calls visit(position) in increasing order, in all threads, until it
  /// returns false.
  template <typename Visit>
  __device__ __forceinline__ void forEach(Visit visit) {
    int half = 0;
    for (int64_t first = 0; first < count; first += kPiece, half ^= 1) {
      search(first, matches[half]);
      __syncthreads();
      if (!visitPiece(first, matches[half][threadIdx.x % kWarp], visit))
        return;
    }
  }

private:
  __device__ void search(int64_t first, uint32_t *words) {
#pragma unroll
    for (int i = threadIdx.x; i < kPiece; i += kThreads) {
      bool isMatch = first + i < count && clampId(ids[first + i], rows) == id;
      uint32_t word = __ballot_sync(kAllLanes, isMatch);
      if (threadIdx.x % kWarp == 0)
        words[i / kWarp] = word;
    }
  }

  /// `word` is that of the lane.
  template <typename Visit>
  __device__ static bool visitPiece(int64_t first, uint32_t word, Visit visit) {
    for (uint32_t words = __ballot_sync(kAllLanes, word != 0); words != 0;
         words &= words - 1) {
      int lane = __builtin_ctz(words);
      for (uint32_t bits = __shfl_sync(kAllLanes, word, lane); bits != 0;
           bits &= bits - 1)
        if (!visit(first + lane * kWarp + __builtin_ctz(bits)))
          return false;
    }
    return true;
  }

  Matches &matches;
  const int32_t *ids;
  int64_t count, rows, id;
};

/// The block of the first position of an id sums the rows of all of them, so
/// that every row of the table has one writer and one order. A thread owns
/// `width` columns.
template <int width, typename T>
__device__ inline void addEmbeddingRows(const int32_t *__restrict__ ids,
                                        const T *__restrict__ grad,
                                        T *__restrict__ table, int64_t rows,
                                        int64_t columns, int64_t count) {
  using Sum = ComputeOf<T>;
  __shared__ PositionSearch::Matches matches;
  int64_t own = blockIdx.x, id = clampId(ids[own], rows);
  int64_t column = (int64_t(blockIdx.y) * kThreads + threadIdx.x) * width;
  bool isInside = column < columns;
  Vector<Sum, width> sums = {};
  bool isFirst = true;
  PositionSearch search(matches, ids, count, rows, id);
  search.forEach([&](int64_t position) {
    isFirst = position >= own;
    if (isFirst && isInside)
      sums += __builtin_convertvector(
          loadVector<width>(grad + position * columns + column),
          Vector<Sum, width>);
    return isFirst;
  });
  if (isFirst && isInside)
    storeVector(table + id * columns + column,
                __builtin_convertvector(sums, Vector<T, width>));
}

} // namespace boost_rt

#define BOOST_EMBEDDING(BYTES, UNIT)                                           \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)             \
      boost_embedding_##BYTES(const UNIT *table, const int32_t *ids,           \
                              UNIT *out, int64_t rows, int64_t units,          \
                              int64_t count) {                                 \
    boost_rt::embed(table, ids, out, rows, units, count);                      \
  }
BOOST_FOR_COPY_UNITS(BOOST_EMBEDDING)
#undef BOOST_EMBEDDING

#define BOOST_EMBEDDING_GRAD(SUFFIX, WIDTH, T)                                 \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)             \
      boost_embedding_grad_##SUFFIX(const int32_t *ids, const T *grad,         \
                                    T *table, int64_t rows, int64_t columns,   \
                                    int64_t count) {                           \
    boost_rt::addEmbeddingRows<WIDTH>(ids, grad, table, rows, columns, count); \
  }
#define BOOST_EMBEDDING_GRADS(NAME, T)                                         \
  BOOST_EMBEDDING_GRAD(NAME, 1, T)                                             \
  BOOST_EMBEDDING_GRAD(wide_##NAME, boost_rt::kPack<T>, T)
BOOST_FOR_FLOATS(BOOST_EMBEDDING_GRADS)
#undef BOOST_EMBEDDING_GRADS
#undef BOOST_EMBEDDING_GRAD

#endif // BOOST_RUNTIME_CUDA_KERNELS_EMBEDDING_CUH
