//===- MatrixForward.cuh - Attention on tensor cores ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For bf16 and f16. A warp owns 16 queries: their scores, and the terms of the
// softmax that these become, never leave its registers. Keys and values are in
// shared memory, of one step while those of the next are on their way.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_MATRIXFORWARD_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_MATRIXFORWARD_CUH

#include "Attention.cuh"
#include "MatrixScores.cuh"

namespace boost_rt {

/// Computes the tile of a block. `columns` is the size of a head, rounded up.
template <typename T, int columns> class MatrixForward {
public:
  using Tile = SharedRows<T, columns>;
  using Block = ScoreTile<Rows::Queries, matrixKeys>;
  static constexpr int parts = columns / kFragment;

  __device__ MatrixForward(const AttentionSizes &sizes, const T *q, const T *k,
                           const T *v, const float *bias, const uint8_t *mask)
      : sizes(sizes), at(TilePosition::get(sizes.h, sizes.sq, 1, matrixRows)),
        scores(sizes, bias, mask, at.head), q(at.head.ofQueries(q, sizes)),
        k(at.head.ofKeys(k, sizes)), v(at.head.ofKeys(v, sizes)),
        isPlain(Block::isPlain(sizes, scores)),
        unit(isPlain ? float(sizes.scale) : 1.0f) {}

  __device__ __forceinline__ void run(T *o, float *lse) {
    int64_t last = least(at.row + matrixRows, sizes.sq) - 1;
    int64_t count = scores.getKeysBefore(last);
    loadQueries(count);
    int stage = 0;
#pragma unroll 1
    for (int64_t key = 0; key < count; key += matrixKeys, stage ^= 1) {
      if (key + matrixKeys < count)
        copyStep(stage ^ 1, key + matrixKeys);
      addKeys(stage, key);
      waitForCopies();
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
      sum[i] = addLanes<4>(sum[i]);
    if (scores.hasMask())
      addHiddenRows();
    store(o, lse);
  }

private:
  static_assert(matrixRows == matrixKeys);

  __device__ static Tile getKeys(int stage) {
    return Tile(sharedMemory + stage * Tile::bytes(2 * matrixKeys));
  }
  __device__ static Tile getValues(int stage) {
    return Tile(sharedMemory + stage * Tile::bytes(2 * matrixKeys) +
                Tile::bytes(matrixKeys));
  }
  /// Returns a flag for each warp.
  __device__ static int *getHidden() {
    return reinterpret_cast<int *>(sharedMemory + Tile::bytes(4 * matrixKeys));
  }
  /// Returns the query of a row of the lane.
  __device__ int64_t getQuery(int i) const {
    return at.row + getWarpRow() + SumFragment::getRow(2 * i);
  }

  __device__ __forceinline__ void copyStep(int stage, int64_t key) const {
    getKeys(stage).template copy<matrixKeys, matrixThreads>(k, key, sizes.dh);
    getValues(stage).template copy<matrixKeys, matrixThreads>(v, key, sizes.dh);
  }

  /// Loads queries through the place of the second step, along with the first
  /// step.
  __device__ __forceinline__ void loadQueries(int64_t count) {
    getKeys(1).template copy<matrixRows, matrixThreads>(q, at.row, sizes.dh);
    if (count > 0)
      copyStep(0, 0);
    waitForCopies();
#pragma unroll
    for (int i = 0; i < parts; ++i)
      queries[i] = getKeys(1).template read<MatrixOrder::Below>().loadLeft(
          getWarpRow(), i);
    __syncthreads();
  }

  __device__ __forceinline__ void addKeys(int stage, int64_t key) {
    SumFragment p[Block::tiles] = {};
    auto keys = getKeys(stage).template read<MatrixOrder::Beside>();
#pragma unroll
    for (int i = 0; i < parts; ++i)
#pragma unroll
      for (int j = 0; j < matrixKeys / kFragment; ++j) {
        RightFragment right[2];
        keys.loadRight(right, j * kFragment, i);
        multiply<T>(p[2 * j], queries[i], right[0]);
        multiply<T>(p[2 * j + 1], queries[i], right[1]);
      }
    Block block(sizes, scores, at.row + getWarpRow(), key);
    if (!isPlain)
      block.transform(p, nullptr);
    if (!block.isWhole())
      hide(block, p);
    exponentiate(p);
    addValues(stage, p);
  }

  __device__ __forceinline__ void hide(const Block &block,
                                       SumFragment (&p)[Block::tiles]) {
    block.forEachSeen([&](int j, int i, bool isSeen) {
      isAnySeen[i / 2] |= isSeen;
      if (!isSeen)
        p[j].values[i] = -kInfinity<float>;
    });
  }

  /// Turns scores into terms of the softmax denominator.
  __device__ __forceinline__ void exponentiate(SumFragment (&p)[Block::tiles]) {
    float factor = unit * kLog2E;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      float newLargest = largest[i];
#pragma unroll
      for (int j = 0; j < Block::tiles; ++j)
        newLargest =
            max(newLargest, max(p[j].values[2 * i], p[j].values[2 * i + 1]));
      newLargest = getRowMax(newLargest);
      // While nothing but -infinity was seen, there is nothing to subtract.
      float shift = newLargest == -kInfinity<float> ? 0 : newLargest;
      float rescale = exponential2((largest[i] - shift) * factor), added = 0;
      largest[i] = newLargest;
#pragma unroll
      for (int j = 0; j < Block::tiles; ++j)
#pragma unroll
        for (int n = 2 * i; n < 2 * i + 2; ++n) {
          p[j].values[n] = exponential2((p[j].values[n] - shift) * factor);
          added += p[j].values[n];
        }
      sum[i] = sum[i] * rescale + added;
#pragma unroll
      for (int j = 0; j < 2 * parts; ++j) {
        result[j].values[2 * i] *= rescale;
        result[j].values[2 * i + 1] *= rescale;
      }
    }
  }

  __device__ __forceinline__ void
  addValues(int stage, const SumFragment (&p)[Block::tiles]) {
    auto values = getValues(stage).template read<MatrixOrder::Below>();
#pragma unroll
    for (int j = 0; j < matrixKeys / kFragment; ++j) {
      LeftFragment left = roundToLeft<T>(p[2 * j], p[2 * j + 1]);
#pragma unroll
      for (int i = 0; i < parts; ++i) {
        RightFragment right[2];
        values.loadPlainRight(right, j * kFragment, i);
        multiply<T>(result[2 * i], left, right[0]);
        multiply<T>(result[2 * i + 1], left, right[1]);
      }
    }
  }

  /// Adds rows that see nothing: all their scores count as 0.
  __device__ __forceinline__ void addHiddenRows() {
    bool isOwnHidden[2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      bool isSeen = addLanes<4>(int(isAnySeen[i])) != 0;
      isOwnHidden[i] = !isSeen && getQuery(i) < sizes.sq;
      if (isOwnHidden[i]) {
        largest[i] = 0;
        sum[i] = float(sizes.sk);
      }
    }
    bool isHidden = __any_sync(kAllLanes, isOwnHidden[0] || isOwnHidden[1]);
    if (threadIdx.x % kWarp == 0)
      getHidden()[threadIdx.x / kWarp] = isHidden;
    __syncthreads();
    bool isAny = false;
    for (int i = 0; i < matrixWarps; ++i)
      isAny |= getHidden()[i] != 0;
    SumFragment p[Block::tiles];
#pragma unroll
    for (int j = 0; j < Block::tiles; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        p[j].values[i] = isOwnHidden[i / 2] ? 1.0f : 0.0f;
#pragma unroll 1
    for (int64_t key = 0; isAny && key < sizes.sk; key += matrixKeys) {
      getValues(0).template copy<matrixKeys, matrixThreads>(v, key, sizes.dh);
      waitForCopies();
      addValues(0, p);
      __syncthreads();
    }
  }

  /// Stores the result through the place of keys, which no warp reads any more.
  __device__ __forceinline__ void store(T *o, float *lse) const {
    float factors[2] = {1 / sum[0], 1 / sum[1]};
    Tile rows = getKeys(0);
    rows.put(result, factors, getWarpRow());
    __syncwarp();
    rows.store(at.head.ofQueries(o, sizes), getWarpRow(), at.row + getWarpRow(),
               sizes.dh);
    float *ofRows = at.head.ofStatistics(lse, sizes);
#pragma unroll
    for (int i = 0; i < 2; ++i)
      if (getQuery(i) < sizes.sq && threadIdx.x % 4 == 0)
        ofRows[getQuery(i)] = largest[i] * unit + logarithm(sum[i]);
  }

  const AttentionSizes &sizes;
  TilePosition at;
  Scores<float> scores;
  HeadRows<const T> q, k, v;
  bool isPlain;
  /// The scale of products that are not yet scores, or 1.
  float unit;
  LeftFragment queries[parts];
  SumFragment result[2 * parts] = {};
  // For the rows of the lane; sums are over its own columns.
  float largest[2] = {-kInfinity<float>, -kInfinity<float>}, sum[2] = {};
  bool isAnySeen[2] = {};
};

} // namespace boost_rt

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

#define BOOST_MATRIX_FORWARD(NAME, T, COLUMNS)                                 \
  extern "C" __global__ void __launch_bounds__(                                \
      boost_rt::matrixThreads, boost_rt::matrixForwardBlocks(COLUMNS))         \
      boost_attention_forward_matrix##COLUMNS##_##NAME(                        \
          const T *q, const T *k, const T *v, const float *bias,               \
          const uint8_t *mask, T *o, float *lse,                               \
          boost_rt::AttentionSizes sizes) {                                    \
    boost_rt::MatrixForward<T, COLUMNS>(sizes, q, k, v, bias, mask)            \
        .run(o, lse);                                                          \
  }
BOOST_FOR_MATRIX_KERNELS(BOOST_MATRIX_FORWARD)
#undef BOOST_MATRIX_FORWARD

#endif // BOOST_RUNTIME_CUDA_KERNELS_MATRIXFORWARD_CUH
