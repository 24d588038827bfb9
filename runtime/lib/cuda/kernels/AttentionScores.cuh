//===- AttentionScores.cuh - How products become scores ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common parts of all kernels of attention: where tensors are, which keys a
// query sees, and scores.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONSCORES_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONSCORES_CUH

#include "AttentionSizes.h"
#include "Types.cuh"

namespace boost_rt {

extern __shared__ __align__(128) unsigned char sharedMemory[];

__device__ inline float exponential(float x) { return expf(x); }
__device__ inline double exponential(double x) { return exp(x); }
__device__ inline float logarithm(float x) { return logf(x); }
__device__ inline double logarithm(double x) { return log(x); }

/// As on the CPU: the odd polynomial of Cephes' tanhf for small x, and
/// 1 - 2 / (exp(2 x) + 1) for others.
__device__ inline float hyperbolicTangent(float x) {
  float size = fabsf(x), z = x * x;
  float p = -5.70498872745e-3f;
  p = p * z + 2.06390887954e-2f;
  p = p * z - 5.37397155531e-2f;
  p = p * z + 1.33314422036e-1f;
  p = p * z - 3.33332819422e-1f;
  float small = p * z * x + x;
  float large = 1 - 2 / (expf(2 * size) + 1);
  return size < 0.625f ? small : copysignf(large, x);
}
__device__ inline double hyperbolicTangent(double x) { return tanh(x); }

template <typename Compute> constexpr Compute kInfinity = __builtin_inf();

__device__ inline int64_t ceilDivide(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}
__device__ inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/// The rows of one head of one batch entry.
template <typename T> struct HeadRows {
  T *data;
  int64_t stride, rows;
};

/// The position of a head in the tensors of attention.
struct HeadPosition {
  int64_t batch, head;

  /// Returns the rows of this head in q, o or their gradients.
  template <typename T>
  __device__ HeadRows<T> ofQueries(T *data, const AttentionSizes &s) const {
    return {data + (batch * s.sq * s.h + head) * s.dh, s.h * s.dh, s.sq};
  }
  /// Returns the rows of this head in k, v or their gradients, which other
  /// heads may share.
  template <typename T>
  __device__ HeadRows<T> ofKeys(T *data, const AttentionSizes &s) const {
    int64_t keyHead = head / (s.h / s.kvh);
    return {data + (batch * s.sk * s.kvh + keyHead) * s.dh, s.kvh * s.dh, s.sk};
  }
  /// Returns this head's part of lse or its gradient, which may be null.
  template <typename T>
  __device__ T *ofStatistics(T *data, const AttentionSizes &s) const {
    return data ? data + (batch * s.h + head) * s.sq : nullptr;
  }
};

/// A score and its derivative by the scaled product.
template <typename Compute> struct Score {
  Compute value, slope;
};

/// Numbers of one head, one for each score or repeated along a dimension.
template <typename T> struct ScoreNumbers {
  const T *data; ///< null if there are none
  int64_t queryStride, keyStride;

  __device__ static ScoreNumbers get(const T *all, const int64_t (&strides)[4],
                                     const HeadPosition &at) {
    return {all ? all + at.batch * strides[0] + at.head * strides[1] : nullptr,
            strides[2], strides[3]};
  }

  __device__ T of(int64_t query, int64_t key) const {
    return data[query * queryStride + key * keyStride];
  }
};

/// The scores of one head.
template <typename Compute> class Scores {
public:
  __device__ Scores(const AttentionSizes &sizes, const Compute *allBias,
                    const uint8_t *allMask, const HeadPosition &at)
      : bias(ScoreNumbers<Compute>::get(allBias, sizes.biasStrides, at)),
        mask(ScoreNumbers<uint8_t>::get(allMask, sizes.maskStrides, at)),
        sizes(sizes) {}

  __device__ bool hasMask() const { return mask.data; }

  /// Keys that a query may see unless the mask hides them.
  __device__ int64_t getKeysBefore(int64_t query) const {
    return sizes.causal ? least(query + 1, sizes.sk) : sizes.sk;
  }

  /// Returns true if both the query and the key exist and the query sees the
  /// key.
  __device__ bool sees(int64_t query, int64_t key) const {
    return query < sizes.sq && key < getKeysBefore(query) &&
           (!mask.data || mask.of(query, key));
  }

  /// Returns true if all scores of a query count as 0. All lanes of a warp ask
  /// for the same query.
  __device__ bool seesNothing(int64_t query) const {
    if (!mask.data || query >= sizes.sq)
      return false;
    int64_t keys = getKeysBefore(query);
    if (mask.keyStride == 0)
      keys = least(keys, 1);
    int lane = threadIdx.x % kWarp;
    for (int64_t key = 0; key < keys; key += kWarp)
      if (__any_sync(kAllLanes, sees(query, key + lane)))
        return false;
    return true;
  }

  /// Returns the score of a query and a key that it sees.
  __device__ Score<Compute> getScore(Compute product, int64_t query,
                                     int64_t key) const {
    Score<Compute> score = {product * Compute(sizes.scale), 1};
    if (sizes.softCap != 0) {
      Compute limit = Compute(sizes.softCap);
      Compute bounded = hyperbolicTangent(score.value / limit);
      score = {bounded * limit, 1 - bounded * bounded};
    }
    if (bias.data)
      score.value += bias.of(query, key);
    return score;
  }

  ScoreNumbers<Compute> bias;
  ScoreNumbers<uint8_t> mask;

private:
  const AttentionSizes &sizes;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONSCORES_CUH
