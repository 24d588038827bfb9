//===- AttentionMatrix.cuh - Attention on tensor cores ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For bf16 and f16, and heads of a multiple of 16 columns. A warp owns 16 rows
// of a result and shares with the others what all of them read.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONMATRIX_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONMATRIX_CUH

#include "Attention.cuh"
#include "TensorCores.cuh"

namespace boost_rt {

/// The first of the rows of the block that the warp owns.
__device__ inline int getWarpRow() { return threadIdx.x / kWarp * kMatrix; }

/// Reductions over the two lanes of a row.
__device__ inline float getPairSum(float value) { return addLanes<2>(value); }
__device__ inline float getPairMax(float value) {
  return max(value, __shfl_xor_sync(kAllLanes, value, 1));
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// `columns` is the size of a head, rounded up.
template <typename T, int columns> class AttentionMatrixForward {
public:
  using Rows = MatrixRows<T, columns>;
  using Scratch = WarpRows<T, matrixKeys>;
  static constexpr int parts = columns / kMatrix;

  __device__ AttentionMatrixForward(const AttentionSizes &sizes, const T *q,
                                    const T *k, const T *v, const float *bias,
                                    const uint8_t *mask)
      : sizes(sizes), at(TilePosition::get(sizes.h, sizes.sq, 1, matrixRows)),
        scores(sizes, bias, mask, at.head), q(at.head.ofQueries(q, sizes)),
        k(at.head.ofKeys(k, sizes)), v(at.head.ofKeys(v, sizes)),
        keys(reinterpret_cast<T *>(sharedMemory)),
        values(reinterpret_cast<T *>(sharedMemory) + matrixKeys * Rows::stride),
        scratch(sharedMemory + valueBytes + scratchOffset()),
        factors(reinterpret_cast<float *>(sharedMemory + valueBytes +
                                          matrixWarps * Scratch::bytes) +
                getWarpRow() * kMatrix),
        isHidden(reinterpret_cast<int *>(
            sharedMemory + valueBytes +
            matrixWarps * (Scratch::bytes + kMatrix * kMatrix * 4))) {}

  __device__ __forceinline__ void run(T *o, float *lse) {
    loadQueries();
    int64_t last = least(at.row + matrixRows, sizes.sq) - 1;
    int64_t count = scores.getKeysBefore(last);
    for (int64_t key = 0; key < count; key += matrixKeys)
      addKeys(key);
    if (scores.hasMask())
      addHiddenRows();
    storeSums<parts>(result, scratch, 1 / sum, at.head.ofQueries(o, sizes),
                     at.row + getWarpRow(), sizes.dh);
    float *rows = at.head.ofStatistics(lse, sizes);
    if (getQuery() < sizes.sq && threadIdx.x % 2 == 0)
      rows[getQuery()] = largest + logarithm(sum);
  }

private:
  static constexpr int valueBytes = 2 * matrixKeys * Rows::stride * 2;

  __device__ static int scratchOffset() {
    return threadIdx.x / kWarp * Scratch::bytes;
  }
  __device__ int64_t getQuery() const {
    return at.row + getWarpRow() + Scratch::getRow();
  }
  __device__ bool hasPart(int part) const { return part * kMatrix < sizes.dh; }

  /// Through the place of the keys.
  __device__ __forceinline__ void loadQueries() {
    static_assert(matrixRows == matrixKeys);
    keys.template stage<matrixRows>(q, at.row, sizes.dh);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < parts; ++i) {
      wmma::fill_fragment(result[i], 0.0f);
      if (hasPart(i))
        keys.load(queries[i], getWarpRow(), i * kMatrix);
    }
  }

  __device__ __forceinline__ void addKeys(int64_t key) {
    __syncthreads();
    keys.template stage<matrixKeys>(k, key, sizes.dh);
    values.template stage<matrixKeys>(v, key, sizes.dh);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < matrixKeys; j += kMatrix) {
      Sums products;
      wmma::fill_fragment(products, 0.0f);
#pragma unroll
      for (int i = 0; i < parts; ++i)
        if (hasPart(i)) {
          typename Rows::template Right<wmma::col_major> right;
          keys.load(right, j, i * kMatrix);
          wmma::mma_sync(products, queries[i], right, products);
        }
      scratch.put(products, j);
    }
    __syncwarp();
    exponentiate(key);
    __syncwarp();
    scaleResult();
    addValues();
  }

  /// Products become terms of the softmax denominator.
  __device__ __forceinline__ void exponentiate(int64_t key) {
    int64_t query = getQuery();
    float p[Scratch::perLane];
    scratch.get(p);
    float newLargest = largest;
#pragma unroll
    for (int i = 0; i < Scratch::perLane; ++i) {
      int64_t column = key + Scratch::getColumn(i);
      bool isSeen = scores.sees(query, column);
      p[i] = isSeen ? scores.getScore(p[i], query, column).value
                    : -kInfinity<float>;
      isAnySeen |= isSeen;
      newLargest = max(newLargest, p[i]);
    }
    newLargest = getPairMax(newLargest);
    // While nothing but -infinity was seen, there is nothing to subtract.
    float shift = newLargest == -kInfinity<float> ? 0 : newLargest;
    float factor = exponential(largest - shift), added = 0;
    largest = newLargest;
#pragma unroll
    for (int i = 0; i < Scratch::perLane; ++i) {
      p[i] = exponential(p[i] - shift);
      added += p[i];
    }
    sum = sum * factor + getPairSum(added);
    // All lanes have their products: terms take the place of these.
    __syncwarp();
    scratch.putRounded(p);
    Vector<float, 4> same = factor;
    float *own = factors + Scratch::getRow() * kMatrix + threadIdx.x % 2 * 8;
    storeVector(own, same);
    storeVector(own + 4, same);
  }

  __device__ __forceinline__ void scaleResult() {
    Sums factor;
    wmma::load_matrix_sync(factor, factors, kMatrix, wmma::mem_row_major);
#pragma unroll
    for (int i = 0; i < parts; ++i)
#pragma unroll
      for (int j = 0; j < factor.num_elements; ++j)
        result[i].x[j] *= factor.x[j];
  }

  __device__ __forceinline__ void addValues() {
#pragma unroll
    for (int j = 0; j < matrixKeys; j += kMatrix) {
      typename Rows::template Left<wmma::row_major> left;
      scratch.loadRounded(left, j);
#pragma unroll
      for (int i = 0; i < parts; ++i)
        if (hasPart(i)) {
          typename Rows::template Right<wmma::row_major> right;
          values.load(right, j, i * kMatrix);
          wmma::mma_sync(result[i], left, right, result[i]);
        }
    }
  }

  /// All scores of a row that sees nothing count as 0.
  __device__ __forceinline__ void addHiddenRows() {
    bool isSeen = getPairSum(isAnySeen) != 0;
    bool isOwnHidden = !isSeen && getQuery() < sizes.sq;
    if (isOwnHidden) {
      largest = 0;
      sum = float(sizes.sk);
    }
    if (threadIdx.x % 2 == 0)
      isHidden[getWarpRow() + Scratch::getRow()] = isOwnHidden;
    __syncthreads();
    bool isAny = false;
    for (int i = 0; i < matrixRows; ++i)
      isAny |= isHidden[i] != 0;
    for (int64_t key = 0; isAny && key < sizes.sk; key += matrixKeys) {
      float p[Scratch::perLane];
#pragma unroll
      for (int i = 0; i < Scratch::perLane; ++i)
        p[i] = isOwnHidden ? 1.0f : 0.0f;
      __syncthreads();
      values.template stage<matrixKeys>(v, key, sizes.dh);
      scratch.putRounded(p);
      __syncthreads();
      addValues();
    }
  }

  const AttentionSizes &sizes;
  TilePosition at;
  Scores<float> scores;
  HeadRows<const T> q, k, v;
  Rows keys, values;
  Scratch scratch;
  float *factors;
  int *isHidden;
  typename Rows::template Left<wmma::row_major> queries[parts];
  Sums result[parts];
  float largest = -kInfinity<float>, sum = 0;
  bool isAnySeen = false;
};

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The operand that is differentiated with respect to.
enum class Gradient { Queries, Keys };

/// The gradients of queries, or of keys and values. Rows of those are owned by
/// warps; the others, 32 at a time, are read by all. Scores of own and other
/// rows are products of queries and keys, or of their transposes; the same
/// holds for the gradient of probabilities, products of dO and values.
template <typename T, int columns, Gradient gradient>
class AttentionMatrixBackward {
public:
  using Rows = MatrixRows<T, columns>;
  using Scratch = WarpRows<T, matrixOthers>;
  static constexpr int parts = columns / kMatrix;
  static constexpr bool isOfKeys = gradient == Gradient::Keys;

  __device__ AttentionMatrixBackward(const GradientTensors<T> &tensors,
                                     const AttentionSizes &sizes)
      : tensors(tensors), sizes(sizes),
        at(isOfKeys ? TilePosition::get(sizes.kvh, sizes.sk, 1, matrixRows)
                    : TilePosition::get(sizes.h, sizes.sq, 1, matrixRows)),
        own(reinterpret_cast<T *>(sharedMemory)),
        ownValues(reinterpret_cast<T *>(sharedMemory) +
                  matrixRows * Rows::stride),
        others(reinterpret_cast<T *>(sharedMemory) +
               2 * matrixRows * Rows::stride),
        otherValues(reinterpret_cast<T *>(sharedMemory) +
                    (2 * matrixRows + matrixOthers) * Rows::stride),
        products(sharedMemory + rowBytes + 2 * scratchOffset()),
        gradients(sharedMemory + rowBytes + 2 * scratchOffset() +
                  Scratch::bytes),
        lse(reinterpret_cast<float *>(sharedMemory + rowBytes +
                                      2 * matrixWarps * Scratch::bytes)),
        delta(lse + matrixRows), lost(delta + matrixRows),
        isHidden(reinterpret_cast<int *>(lost + matrixRows)) {
#pragma unroll
    for (int i = 0; i < parts; ++i) {
      wmma::fill_fragment(result[i], 0.0f);
      wmma::fill_fragment(valueResult[i], 0.0f);
    }
  }

  /// Computes dQ of a tile of queries.
  __device__ __forceinline__ void runQueries(T *dQ) {
    GradientRows<T> rows = tensors.of(at.head, sizes);
    own.template stage<matrixRows>(rows.q, at.row, sizes.dh);
    ownValues.template stage<matrixRows>(rows.dO, at.row, sizes.dh);
    loadStatistics<matrixRows>(rows, at.row);
    int64_t last = least(at.row + matrixRows, sizes.sq) - 1;
    int64_t count = rows.scores.getKeysBefore(last);
    for (int64_t key = 0; key < count; key += matrixOthers) {
      __syncthreads();
      others.template stage<matrixOthers>(rows.k, key, sizes.dh);
      otherValues.template stage<matrixOthers>(rows.v, key, sizes.dh);
      __syncthreads();
      addOthers(rows, key);
    }
    storeSums<parts>(result, gradients, float(sizes.scale),
                     at.head.ofQueries(dQ, sizes), at.row + getWarpRow(),
                     sizes.dh);
  }

  /// Computes dK and dV of a tile of keys, over the queries of all heads that
  /// read them.
  __device__ __forceinline__ void runKeys(T *dK, T *dV) {
    int64_t headsPerKey = sizes.h / sizes.kvh;
    HeadPosition head = {at.head.batch, at.head.head * headsPerKey};
    HeadRows<const T> k = head.ofKeys(tensors.k, sizes);
    own.template stage<matrixRows>(k, at.row, sizes.dh);
    ownValues.template stage<matrixRows>(head.ofKeys(tensors.v, sizes), at.row,
                                         sizes.dh);
    for (int64_t i = 0; i < headsPerKey; ++i, ++head.head)
      addHead(tensors.of(head, sizes));
    head.head = at.head.head * headsPerKey;
    int64_t first = at.row + getWarpRow();
    storeSums<parts>(result, products, float(sizes.scale),
                     head.ofKeys(dK, sizes), first, sizes.dh);
    storeSums<parts>(valueResult, products, 1.0f, head.ofKeys(dV, sizes), first,
                     sizes.dh);
  }

private:
  static constexpr int rowBytes =
      2 * (matrixRows + matrixOthers) * Rows::stride * 2;

  __device__ static int scratchOffset() {
    return threadIdx.x / kWarp * Scratch::bytes;
  }
  __device__ bool hasPart(int part) const { return part * kMatrix < sizes.dh; }

  /// Loads the statistics of `rows` queries.
  template <int count>
  __device__ __forceinline__ void loadStatistics(const GradientRows<T> &rows,
                                                 int64_t query) {
    for (int i = threadIdx.x; i < count; i += blockDim.x)
      lse[i] = query + i < sizes.sq ? rows.lse[query + i] : 0;
    sumGradientRows<count>(delta, lost, rows, query, sizes.dh);
  }

  __device__ __forceinline__ void addHead(const GradientRows<T> &rows) {
    // Queries before the keys see them only if they see nothing.
    int64_t first = sizes.causal ? at.row / matrixOthers * matrixOthers : 0;
    for (int64_t query = rows.scores.hasMask() ? 0 : first; query < sizes.sq;
         query += matrixOthers)
      addQueries(rows, query, /*areBefore=*/query < first);
  }

  __device__ __forceinline__ void addQueries(const GradientRows<T> &rows,
                                             int64_t query, bool areBefore) {
    __syncthreads();
    if (rows.scores.hasMask() && !findHidden(rows, query) && areBefore)
      return;
    others.template stage<matrixOthers>(rows.q, query, sizes.dh);
    otherValues.template stage<matrixOthers>(rows.dO, query, sizes.dh);
    loadStatistics<matrixOthers>(rows, query);
    __syncthreads();
    addOthers(rows, query);
  }

  /// Notes which queries see nothing; returns whether there are any.
  __device__ __forceinline__ bool findHidden(const GradientRows<T> &rows,
                                             int64_t query) {
    for (int row = threadIdx.x / kWarp; row < matrixOthers;
         row += matrixWarps) {
      bool isNothing = rows.scores.seesNothing(query + row);
      if (threadIdx.x % kWarp == 0)
        isHidden[row] = isNothing;
    }
    __syncthreads();
    bool isAny = false;
    for (int row = 0; row < matrixOthers; ++row)
      isAny |= isHidden[row] != 0;
    return isAny;
  }

  __device__ __forceinline__ void addOthers(const GradientRows<T> &rows,
                                            int64_t other) {
    multiply(products, own, others);
    multiply(gradients, ownValues, otherValues);
    __syncwarp();
    differentiate(rows, other);
    __syncwarp();
    add(result, gradients, others);
    if (isOfKeys)
      add(valueResult, products, otherValues);
  }

  /// Products of own rows and other ones.
  __device__ __forceinline__ void multiply(const Scratch &to, const Rows &left,
                                           const Rows &right) const {
#pragma unroll
    for (int j = 0; j < matrixOthers; j += kMatrix) {
      Sums sums;
      wmma::fill_fragment(sums, 0.0f);
#pragma unroll
      for (int i = 0; i < parts; ++i)
        if (hasPart(i)) {
          typename Rows::template Left<wmma::row_major> a;
          typename Rows::template Right<wmma::col_major> b;
          left.load(a, getWarpRow(), i * kMatrix);
          right.load(b, j, i * kMatrix);
          wmma::mma_sync(sums, a, b, sums);
        }
      to.put(sums, j);
    }
  }

  /// Products become probabilities and the gradient of scores.
  __device__ __forceinline__ void differentiate(const GradientRows<T> &rows,
                                                int64_t other) {
    int ownRow = getWarpRow() + Scratch::getRow();
    float p[Scratch::perLane], dS[Scratch::perLane];
    products.get(p);
    gradients.get(dS);
#pragma unroll
    for (int i = 0; i < Scratch::perLane; ++i) {
      int column = Scratch::getColumn(i);
      int ofQuery = isOfKeys ? column : ownRow;
      int64_t query = isOfKeys ? other + column : at.row + ownRow;
      int64_t key = isOfKeys ? at.row + ownRow : other + column;
      if (rows.scores.sees(query, key)) {
        Score<float> score = rows.scores.getScore(p[i], query, key);
        p[i] = exponential(score.value - lse[ofQuery] - lost[ofQuery]);
        dS[i] = p[i] * (dS[i] - delta[ofQuery]) * score.slope;
      } else {
        bool isNothingSeen =
            isOfKeys && rows.scores.hasMask() && isHidden[ofQuery];
        p[i] = isNothingSeen ? 1 / float(sizes.sk) : 0;
        dS[i] = 0;
      }
    }
    // All lanes have their products: these take the place of them.
    __syncwarp();
    if (isOfKeys)
      products.putRounded(p);
    gradients.putRounded(dS);
  }

  /// sums += factors times other rows.
  __device__ __forceinline__ void
  add(Sums (&sums)[parts], const Scratch &factors, const Rows &rows) const {
#pragma unroll
    for (int j = 0; j < matrixOthers; j += kMatrix) {
      typename Rows::template Left<wmma::row_major> left;
      factors.loadRounded(left, j);
#pragma unroll
      for (int i = 0; i < parts; ++i)
        if (hasPart(i)) {
          typename Rows::template Right<wmma::row_major> right;
          rows.load(right, j, i * kMatrix);
          wmma::mma_sync(sums[i], left, right, sums[i]);
        }
    }
  }

  const GradientTensors<T> &tensors;
  const AttentionSizes &sizes;
  TilePosition at;
  Rows own, ownValues, others, otherValues;
  Scratch products, gradients;
  // By query of the own or of the other rows.
  float *lse, *delta, *lost;
  int *isHidden;
  Sums result[parts], valueResult[parts];
};

} // namespace boost_rt

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

#define BOOST_ATTENTION_MATRIX(NAME, T, COLUMNS)                               \
  extern "C" __global__ void __launch_bounds__(boost_rt::matrixThreads, 1)     \
      boost_attention_forward_matrix##COLUMNS##_##NAME(                        \
          const T *q, const T *k, const T *v, const float *bias,               \
          const uint8_t *mask, T *o, float *lse,                               \
          boost_rt::AttentionSizes sizes) {                                    \
    boost_rt::AttentionMatrixForward<T, COLUMNS>(sizes, q, k, v, bias, mask)   \
        .run(o, lse);                                                          \
  }                                                                            \
  extern "C" __global__ void __launch_bounds__(boost_rt::matrixThreads, 1)     \
      boost_attention_backward_queries_matrix##COLUMNS##_##NAME(               \
          const T *q, const T *k, const T *v, const float *bias,               \
          const uint8_t *mask, const T *o, const float *lse, const T *dO,      \
          const float *dLse, T *dQ, boost_rt::AttentionSizes sizes) {          \
    boost_rt::GradientTensors<T> tensors = {q, k,   v,  bias, mask,            \
                                            o, lse, dO, dLse};                 \
    boost_rt::AttentionMatrixBackward<T, COLUMNS,                              \
                                      boost_rt::Gradient::Queries>(tensors,    \
                                                                   sizes)      \
        .runQueries(dQ);                                                       \
  }                                                                            \
  extern "C" __global__ void __launch_bounds__(boost_rt::matrixThreads, 1)     \
      boost_attention_backward_keys_matrix##COLUMNS##_##NAME(                  \
          const T *q, const T *k, const T *v, const float *bias,               \
          const uint8_t *mask, const T *o, const float *lse, const T *dO,      \
          const float *dLse, T *dK, T *dV, boost_rt::AttentionSizes sizes) {   \
    boost_rt::GradientTensors<T> tensors = {q, k,   v,  bias, mask,            \
                                            o, lse, dO, dLse};                 \
    boost_rt::AttentionMatrixBackward<T, COLUMNS, boost_rt::Gradient::Keys>(   \
        tensors, sizes)                                                        \
        .runKeys(dK, dV);                                                      \
  }
BOOST_ATTENTION_MATRIX(bf16, __bf16, 64)
BOOST_ATTENTION_MATRIX(bf16, __bf16, 128)
BOOST_ATTENTION_MATRIX(f16, _Float16, 64)
BOOST_ATTENTION_MATRIX(f16, _Float16, 128)
#undef BOOST_ATTENTION_MATRIX

#endif // BOOST_RUNTIME_CUDA_KERNELS_ATTENTIONMATRIX_CUH
