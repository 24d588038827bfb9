//===- MatrixScores.cuh - Scores in the registers of a warp -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp owns 16 rows of queries or of keys, and sees a tile of the others at a
// time. What most calls do not have, such as a bias, is done in passes of its
// own over the tile, which other calls skip.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_MATRIXSCORES_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_MATRIXSCORES_CUH

#include "AttentionScores.cuh"
#include "Fragments.cuh"

namespace boost_rt {

constexpr float kLog2E = 1.44269504088896341f;

/// Returns 2^x; subnormal numbers count as zeros.
__device__ inline float exponential2(float x) {
  return __nvvm_ex2_approx_ftz_f(x);
}

/// Returns the maximum over the 4 lanes of a row.
__device__ inline float getRowMax(float value) {
  value = max(value, __shfl_xor_sync(kAllLanes, value, 1));
  return max(value, __shfl_xor_sync(kAllLanes, value, 2));
}

/// Returns the first of the rows of the block that the warp owns.
__device__ inline int getWarpRow() { return threadIdx.x / kWarp * kFragment; }

/// The rows that a warp owns.
enum class Rows { Queries, Keys };

/// The scores of own rows and `columns` others.
template <Rows own, int columns> class ScoreTile {
public:
  static constexpr int tiles = columns / kFragmentColumns;

  /// `row` is the first of the warp, `other` the first of the others.
  __device__ ScoreTile(const AttentionSizes &sizes, const Scores<float> &scores,
                       int64_t row, int64_t other)
      : sizes(sizes), scores(scores), row(row), other(other) {}

  /// Returns true if scores are products times a positive scale.
  __device__ static bool isPlain(const AttentionSizes &sizes,
                                 const Scores<float> &scores) {
    return sizes.softCap == 0 && !scores.bias.data && sizes.scale > 0;
  }

  /// Returns true if every own row sees everything.
  __device__ bool isWhole() const {
    int64_t lastRow = row + kFragment - 1, end = other + columns;
    bool isInTime = own == Rows::Queries ? end <= row + 1 : other >= lastRow;
    return !scores.hasMask() && end <= getCount() &&
           (!sizes.causal || isInTime);
  }

  /// Turns products into scores, and multiplies `slopes`, unless null, by the
  /// derivatives.
  __device__ __forceinline__ void transform(SumFragment (&products)[tiles],
                                            SumFragment *slopes) const {
    float scale = sizes.scale, limit = sizes.softCap;
#pragma unroll
    for (int j = 0; j < tiles; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        products[j].values[i] *= scale;
    if (limit != 0) {
#pragma unroll
      for (int j = 0; j < tiles; ++j)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          float bounded = hyperbolicTangent(products[j].values[i] / limit);
          products[j].values[i] = bounded * limit;
          if (slopes)
            slopes[j].values[i] *= 1 - bounded * bounded;
        }
    }
    if (scores.bias.data)
      forEach(scores.bias, [&](int j, int i, bool isVisible, const float *at) {
        if (isVisible)
          products[j].values[i] += *at;
      });
  }

  /// Calls visit(j, i, whether own row and other see each other) for the
  /// numbers of the lane.
  template <typename Visit>
  __device__ __forceinline__ void forEachSeen(Visit visit) const {
    forEach(scores.mask, [&](int j, int i, bool isVisible, const uint8_t *at) {
      visit(j, i, isVisible && (!scores.hasMask() || *at != 0));
    });
  }

private:
  __device__ int64_t getCount() const {
    return own == Rows::Queries ? sizes.sk : sizes.sq;
  }

  /// Calls visit(j, i, isVisible, at) for the numbers of the lane. `isVisible`
  /// is true if both rows exist and causality does not hide them from each
  /// other; their number of the tensor is then at `at`.
  template <typename Number, typename Visit>
  __device__ __forceinline__ void forEach(const ScoreNumbers<Number> &numbers,
                                          Visit visit) const {
    bool isOfQueries = own == Rows::Queries;
    int64_t rowStride =
        opaque(isOfQueries ? numbers.queryStride : numbers.keyStride);
    int64_t stride =
        opaque(isOfQueries ? numbers.keyStride : numbers.queryStride);
    int ownColumn = SumFragment::getColumn(0);
#pragma unroll
    for (int half = 0; half < 4; half += 2) {
      int64_t mine = row + SumFragment::getRow(half);
      // Less the column of the lane, so that the rest is known.
      int first = getFirst(mine) - ownColumn, end = getEnd(mine) - ownColumn;
      const Number *at =
          numbers.data + mine * rowStride + (other + ownColumn) * stride;
#pragma unroll
      for (int j = 0; j < tiles; ++j, at += kFragmentColumns * stride)
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          int column = j * kFragmentColumns + i;
          visit(j, half + i, column >= first && column < end, at + i * stride);
        }
    }
  }

  // The columns that an own row sees, unless a mask hides them.
  __device__ int getFirst(int64_t mine) const {
    return own == Rows::Keys && sizes.causal ? clamp(mine - other) : 0;
  }
  __device__ int getEnd(int64_t mine) const {
    if (mine >= (own == Rows::Queries ? sizes.sq : sizes.sk))
      return 0;
    return clamp(
        (own == Rows::Queries ? scores.getKeysBefore(mine) : sizes.sq) - other);
  }
  __device__ static int clamp(int64_t column) {
    return column < 0 ? 0 : int(least(column, columns));
  }

  const AttentionSizes &sizes;
  const Scores<float> &scores;
  int64_t row, other;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELS_MATRIXSCORES_CUH
