//===- MatrixBackward.cuh - Gradients of attention on tensor cores *- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For bf16 and f16. One kernel computes what gradients need of every query, one
// goes over queries for their gradients, and one over keys for theirs and those
// of values. Each number of a result belongs to one warp, which adds to it in a
// fixed order. As forward, scores and their gradients stay in registers.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_MATRIXBACKWARD_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_MATRIXBACKWARD_CUH

#include "Attention.cuh"
#include "MatrixScores.cuh"

namespace boost_rt {

/// Statistics of a query for its gradients: lse and results of sumGradientRows.
/// The lost logarithm has base 2.
struct alignas(16) QueryStatistics {
  float lse, lost, delta, unused;
};
static_assert(sizeof(QueryStatistics) == attentionStatisticsBytes);

/// The tensors that gradients read.
template <typename T> struct MatrixTensors {
  const T *q, *k, *v;
  const float *bias;
  const uint8_t *mask;
  const T *dO;
  const QueryStatistics *statistics;
};

//===----------------------------------------------------------------------===//
// Statistics of queries
//===----------------------------------------------------------------------===//

/// Computes four queries in each warp, with 8 lanes for each of them.
template <typename T>
__device__ inline void computeStatistics(const GradientTensors<T> &tensors,
                                         QueryStatistics *statistics,
                                         const AttentionSizes &sizes) {
  constexpr int together = 4, lanes = kWarp / together;
  int64_t first = getThread() / kWarp * together;
  int lane = threadIdx.x % kWarp, own = lane / lanes;
  int64_t count = sizes.b * sizes.h * sizes.sq;
  QueryStatistics result = {};
  float product = 0;
#pragma unroll 1
  for (int i = 0; i < together && first + i < count; ++i) {
    int64_t query = (first + i) % sizes.sq, head = (first + i) / sizes.sq;
    GradientRows<T> rows = tensors.of({head / sizes.h, head % sizes.h}, sizes);
    float lost = getLostLogarithm(rows, query, sizes.dh);
    if (i != own)
      continue;
    result.lost = lost * kLog2E;
    result.lse = rows.lse[query];
    result.delta = rows.dLse ? -rows.dLse[query] : 0;
    const T *o = rows.o.data + query * rows.o.stride;
    const T *dO = rows.dO.data + query * rows.dO.stride;
    for (int64_t at = lane % lanes * kPack<T>; at < sizes.dh;
         at += lanes * kPack<T>) {
      Pack<T> left = loadPack(o + at), right = loadPack(dO + at);
#pragma unroll
      for (int j = 0; j < kPack<T>; ++j)
        product += float(T(left[j])) * float(T(right[j]));
    }
  }
  result.delta += addLanes<lanes>(product);
  if (lane % lanes == 0 && first + own < count)
    storeVector(reinterpret_cast<float *>(statistics + first + own),
                Vector<float, 4>{result.lse, result.lost, result.delta, 0});
}

//===----------------------------------------------------------------------===//
// Gradients of scores
//===----------------------------------------------------------------------===//

/// The gradients of scores in a warp, of own rows and a tile of others at a
/// time.
template <typename T, int columns, Rows own> class MatrixGradient {
public:
  static constexpr int others = matrixOthers(columns);
  using Tile = SharedRows<T, columns>;
  using Block = ScoreTile<own, others>;
  static constexpr int parts = columns / kFragment, tiles = Block::tiles;

  __device__ explicit MatrixGradient(const AttentionSizes &sizes)
      : sizes(sizes) {}

  /// Computes sums += own rows times the transposes of others. `getOwn` returns
  /// a part of own rows.
  template <typename Get>
  __device__ __forceinline__ static void
  multiplyRows(SumFragment (&sums)[tiles], Get getOwn, const Tile &rows) {
    auto reader = rows.template read<MatrixOrder::Beside>();
#pragma unroll
    for (int i = 0; i < parts; ++i) {
      LeftFragment left = getOwn(i);
#pragma unroll
      for (int j = 0; j < others / kFragment; ++j) {
        RightFragment right[2];
        reader.loadRight(right, j * kFragment, i);
        multiply<T>(sums[2 * j], left, right[0]);
        multiply<T>(sums[2 * j + 1], left, right[1]);
      }
    }
  }

  /// Turns products into probabilities, and the gradients of probabilities into
  /// those of products. getStatistics(j, i) returns the statistics of the query
  /// of a number; hide(j, i) is called for numbers that are not seen.
  template <typename Statistics, typename Hide>
  __device__ __forceinline__ void
  differentiate(const Scores<float> &scores, const Block &block,
                SumFragment (&p)[tiles], SumFragment (&dS)[tiles],
                Statistics getStatistics, Hide hide) const {
    bool isPlain = Block::isPlain(sizes, scores);
    float unit = isPlain ? float(sizes.scale) : 1.0f;
#pragma unroll
    for (int j = 0; j < tiles; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        dS[j].values[i] -= getStatistics(j, i).delta;
    if (!isPlain)
      block.transform(p, dS);
    if (!block.isWhole())
      block.forEachSeen([&](int j, int i, bool isSeen) {
        if (!isSeen)
          hide(j, i);
      });
#pragma unroll
    for (int j = 0; j < tiles; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        QueryStatistics query = getStatistics(j, i);
        float logarithm = p[j].values[i] * unit - query.lse;
        p[j].values[i] = exponential2(logarithm * kLog2E - query.lost);
        dS[j].values[i] *= p[j].values[i];
      }
  }

  /// Computes result += factors times others.
  __device__ __forceinline__ static void
  add(SumFragment (&result)[2 * parts], const SumFragment (&factors)[tiles],
      const Tile &rows) {
    auto reader = rows.template read<MatrixOrder::Below>();
#pragma unroll
    for (int j = 0; j < others / kFragment; ++j) {
      LeftFragment left = roundToLeft<T>(factors[2 * j], factors[2 * j + 1]);
#pragma unroll
      for (int i = 0; i < parts; ++i) {
        RightFragment right[2];
        reader.loadPlainRight(right, j * kFragment, i);
        multiply<T>(result[2 * i], left, right[0]);
        multiply<T>(result[2 * i + 1], left, right[1]);
      }
    }
  }

  const AttentionSizes &sizes;
};

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

template <typename T, int columns> class MatrixQueries {
public:
  using Gradient = MatrixGradient<T, columns, Rows::Queries>;
  using Tile = typename Gradient::Tile;
  static constexpr int others = Gradient::others, parts = Gradient::parts,
                       tiles = Gradient::tiles;

  __device__ MatrixQueries(const MatrixTensors<T> &tensors,
                           const AttentionSizes &sizes)
      : sizes(sizes), gradient(sizes),
        at(TilePosition::get(sizes.h, sizes.sq, 1, matrixRows)),
        scores(sizes, tensors.bias, tensors.mask, at.head),
        k(at.head.ofKeys(tensors.k, sizes)),
        v(at.head.ofKeys(tensors.v, sizes)) {}

  __device__ __forceinline__ void run(const MatrixTensors<T> &tensors, T *dQ) {
    load(tensors);
    int64_t last = least(at.row + matrixRows, sizes.sq) - 1;
    int64_t count = scores.getKeysBefore(last);
    int stage = 0;
    if (count > 0)
      copyStep(0, 0);
    waitForCopies();
#pragma unroll 1
    for (int64_t key = 0; key < count; key += others, stage ^= 1) {
      if (key + others < count)
        copyStep(stage ^ 1, key + others);
      addKeys(stage, key);
      waitForCopies();
    }
    // The result passes through a place that no warp reads any more.
    float scale = sizes.scale;
    Tile rows(sharedMemory);
    rows.put(result, {scale, scale}, getWarpRow());
    __syncwarp();
    rows.store(at.head.ofQueries(dQ, sizes), getWarpRow(),
               at.row + getWarpRow(), sizes.dh);
  }

private:
  __device__ static Tile getKeys(int stage) {
    return Tile(sharedMemory + stage * Tile::bytes(2 * others));
  }
  __device__ static Tile getValues(int stage) {
    return Tile(sharedMemory + stage * Tile::bytes(2 * others) +
                Tile::bytes(others));
  }

  __device__ __forceinline__ void copyStep(int stage, int64_t key) const {
    getKeys(stage).template copy<others, matrixThreads>(k, key, sizes.dh);
    getValues(stage).template copy<others, matrixThreads>(v, key, sizes.dh);
  }

  /// Loads own rows through the place of both steps.
  __device__ __forceinline__ void load(const MatrixTensors<T> &tensors) {
    static_assert(2 * matrixRows <= 4 * others);
    Tile ofQ(sharedMemory), ofDO(sharedMemory + Tile::bytes(matrixRows));
    ofQ.template copy<matrixRows, matrixThreads>(
        at.head.ofQueries(tensors.q, sizes), at.row, sizes.dh);
    ofDO.template copy<matrixRows, matrixThreads>(
        at.head.ofQueries(tensors.dO, sizes), at.row, sizes.dh);
    waitForCopies();
    auto q = ofQ.template read<MatrixOrder::Below>();
    auto dO = ofDO.template read<MatrixOrder::Below>();
#pragma unroll
    for (int i = 0; i < parts; ++i) {
      queries[i] = q.loadLeft(getWarpRow(), i);
      gradients[i] = dO.loadLeft(getWarpRow(), i);
    }
    const QueryStatistics *rows =
        at.head.ofStatistics(tensors.statistics, sizes);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      int64_t query = at.row + getWarpRow() + SumFragment::getRow(2 * i);
      if (query < sizes.sq)
        statistics[i] = rows[query];
    }
    __syncthreads();
  }

  __device__ __forceinline__ void addKeys(int stage, int64_t key) {
    SumFragment p[tiles] = {}, dS[tiles] = {};
    Tile keys = getKeys(stage);
    Gradient::multiplyRows(p, [&](int i) { return queries[i]; }, keys);
    Gradient::multiplyRows(
        dS, [&](int i) { return gradients[i]; }, getValues(stage));
    gradient.differentiate(
        scores, {sizes, scores, at.row + getWarpRow(), key}, p, dS,
        [&](int, int i) { return statistics[i / 2]; },
        [&](int j, int i) { p[j].values[i] = -kInfinity<float>; });
    Gradient::add(result, dS, keys);
  }

  const AttentionSizes &sizes;
  Gradient gradient;
  TilePosition at;
  Scores<float> scores;
  HeadRows<const T> k, v;
  LeftFragment queries[parts], gradients[parts];
  QueryStatistics statistics[2] = {};
  SumFragment result[2 * parts] = {};
};

//===----------------------------------------------------------------------===//
// Keys and values
//===----------------------------------------------------------------------===//

/// Adds up the queries of all heads that read the keys, in order.
template <typename T, int columns> class MatrixKeys {
public:
  using Gradient = MatrixGradient<T, columns, Rows::Keys>;
  using Tile = typename Gradient::Tile;
  static constexpr int others = Gradient::others, parts = Gradient::parts,
                       tiles = Gradient::tiles;

  __device__ MatrixKeys(const MatrixTensors<T> &tensors,
                        const AttentionSizes &sizes)
      : tensors(tensors), sizes(sizes), gradient(sizes),
        at(TilePosition::get(sizes.kvh, sizes.sk, 1, matrixRows)) {}

  __device__ __forceinline__ void run(T *dK, T *dV) {
    int64_t headsPerKey = sizes.h / sizes.kvh;
    HeadPosition head = {at.head.batch, at.head.head * headsPerKey};
    getKeys().template copy<matrixRows, matrixThreads>(
        head.ofKeys(tensors.k, sizes), at.row, sizes.dh);
    getValues().template copy<matrixRows, matrixThreads>(
        head.ofKeys(tensors.v, sizes), at.row, sizes.dh);
    Step step = {head, tensors.mask ? 0 : getFirstQuery()};
    endOfHeads = head.head + headsPerKey;
    int stage = 0;
    if (find(step, stage))
      copyStep(stage, step);
    waitForCopies();
#pragma unroll 1
    for (Step next = step; step.head.head < endOfHeads; step = next) {
      advance(next);
      if (find(next, stage ^ 1))
        copyStep(stage ^ 1, next);
      addQueries(stage, step);
      waitForCopies();
      stage ^= 1;
    }
    store(getKeys(), keyResult, sizes.scale, head.ofKeys(dK, sizes));
    store(getValues(), valueResult, 1, head.ofKeys(dV, sizes));
  }

private:
  /// The queries of a step, from the first.
  struct Step {
    HeadPosition head;
    int64_t query;
  };

  // Shared memory holds own keys and values, then queries and their gradients
  // of two steps, then the statistics of queries, then which queries see
  // nothing.
  static constexpr int ownBytes = Tile::bytes(2 * matrixRows),
                       otherBytes = Tile::bytes(4 * others),
                       statisticsBytes = 2 * others * sizeof(QueryStatistics);

  __device__ static Tile getKeys() { return Tile(sharedMemory); }
  __device__ static Tile getValues() {
    return Tile(sharedMemory + Tile::bytes(matrixRows));
  }
  __device__ static Tile getQueries(int stage) {
    return Tile(sharedMemory + ownBytes + stage * Tile::bytes(2 * others));
  }
  __device__ static Tile getGradients(int stage) {
    return Tile(sharedMemory + ownBytes + stage * Tile::bytes(2 * others) +
                Tile::bytes(others));
  }
  __device__ static QueryStatistics *getStatistics(int stage) {
    return reinterpret_cast<QueryStatistics *>(sharedMemory + ownBytes +
                                               otherBytes) +
           stage * others;
  }
  __device__ static int *getHidden(int stage) {
    return reinterpret_cast<int *>(sharedMemory + ownBytes + otherBytes +
                                   statisticsBytes) +
           stage * others;
  }

  /// Returns the first query that sees the keys. Queries before it matter only
  /// if they see nothing.
  __device__ int64_t getFirstQuery() const {
    return sizes.causal ? at.row / others * others : 0;
  }

  __device__ void advance(Step &step) const {
    step.query += others;
    if (step.query < sizes.sq)
      return;
    ++step.head.head;
    step.query = tensors.mask ? 0 : getFirstQuery();
  }

  /// Moves to the first step from `step` that adds anything; returns false if
  /// there is none.
  __device__ __forceinline__ bool find(Step &step, int stage) const {
    if (step.query >= sizes.sq)
      step.head.head = endOfHeads;
    if (tensors.mask)
      while (step.head.head < endOfHeads && !findHidden(step, stage) &&
             step.query < getFirstQuery())
        advance(step);
    return step.head.head < endOfHeads;
  }

  /// Notes which queries see nothing; returns true if there are any.
  __device__ __forceinline__ bool findHidden(const Step &step,
                                             int stage) const {
    Scores<float> scores(sizes, tensors.bias, tensors.mask, step.head);
    int *isHidden = getHidden(stage);
    __syncthreads();
    for (int row = threadIdx.x / kWarp; row < others; row += matrixWarps) {
      bool isNothing = scores.seesNothing(step.query + row);
      if (threadIdx.x % kWarp == 0)
        isHidden[row] = isNothing;
    }
    __syncthreads();
    bool isAny = false;
    for (int row = 0; row < others; ++row)
      isAny |= isHidden[row] != 0;
    return isAny;
  }

  __device__ __forceinline__ void copyStep(int stage, const Step &step) const {
    getQueries(stage).template copy<others, matrixThreads>(
        step.head.ofQueries(tensors.q, sizes), step.query, sizes.dh);
    getGradients(stage).template copy<others, matrixThreads>(
        step.head.ofQueries(tensors.dO, sizes), step.query, sizes.dh);
    const QueryStatistics *rows =
        step.head.ofStatistics(tensors.statistics, sizes);
    bool isPresent = step.query + threadIdx.x < sizes.sq;
    if (threadIdx.x < others)
      copyWords(getStatistics(stage) + threadIdx.x,
                isPresent ? rows + step.query + threadIdx.x : rows, isPresent);
  }

  __device__ __forceinline__ void addQueries(int stage, const Step &step) {
    SumFragment p[tiles] = {}, dS[tiles] = {};
    auto keys = getKeys().template read<MatrixOrder::Below>();
    auto values = getValues().template read<MatrixOrder::Below>();
    Tile queries = getQueries(stage), gradients = getGradients(stage);
    Gradient::multiplyRows(
        p, [&](int i) { return keys.loadLeft(getWarpRow(), i); }, queries);
    Gradient::multiplyRows(
        dS, [&](int i) { return values.loadLeft(getWarpRow(), i); }, gradients);
    Scores<float> scores(sizes, tensors.bias, tensors.mask, step.head);
    const QueryStatistics *ofLane =
        getStatistics(stage) + SumFragment::getColumn(0);
    const int *isHidden = getHidden(stage) + SumFragment::getColumn(0);
    gradient.differentiate(
        scores, {sizes, scores, at.row + getWarpRow(), step.query}, p, dS,
        [&](int j, int i) { return ofLane[j * kFragmentColumns + i % 2]; },
        [&](int j, int i) {
          // Of a query that sees nothing, all scores are 0 whatever they are
          // of.
          bool isOfNothing =
              scores.hasMask() && isHidden[j * kFragmentColumns + i % 2] != 0;
          p[j].values[i] = isOfNothing ? 0.0f : -kInfinity<float>;
          dS[j].values[i] = 0;
        });
    Gradient::add(valueResult, p, gradients);
    Gradient::add(keyResult, dS, queries);
  }

  /// Stores a result through the place of own rows, which only their warp has
  /// read.
  __device__ __forceinline__ void store(const Tile &rows,
                                        const SumFragment (&sums)[2 * parts],
                                        float factor,
                                        const HeadRows<T> &to) const {
    rows.put(sums, {factor, factor}, getWarpRow());
    __syncwarp();
    rows.store(to, getWarpRow(), at.row + getWarpRow(), sizes.dh);
  }

  const MatrixTensors<T> &tensors;
  const AttentionSizes &sizes;
  Gradient gradient;
  TilePosition at;
  int64_t endOfHeads;
  SumFragment keyResult[2 * parts] = {}, valueResult[2 * parts] = {};
};

} // namespace boost_rt

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

#define BOOST_MATRIX_STATISTICS(NAME, T)                                       \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads, 1)          \
      boost_attention_statistics_##NAME(                                       \
          const T *q, const T *k, const T *v, const float *bias,               \
          const uint8_t *mask, const T *o, const float *lse, const T *dO,      \
          const float *dLse, boost_rt::QueryStatistics *statistics,            \
          boost_rt::AttentionSizes sizes) {                                    \
    boost_rt::GradientTensors<T> tensors = {q, k,   v,  bias, mask,            \
                                            o, lse, dO, dLse};                 \
    boost_rt::computeStatistics<T>(tensors, statistics, sizes);                \
  }
BOOST_MATRIX_STATISTICS(bf16, __bf16)
BOOST_MATRIX_STATISTICS(f16, _Float16)
#undef BOOST_MATRIX_STATISTICS

#define BOOST_MATRIX_BACKWARD(NAME, T, COLUMNS)                                \
  extern "C" __global__ void __launch_bounds__(boost_rt::matrixThreads,        \
                                               boost_rt::matrixBackwardBlocks) \
      boost_attention_backward_queries_matrix##COLUMNS##_##NAME(               \
          const T *q, const T *k, const T *v, const float *bias,               \
          const uint8_t *mask, const T *dO,                                    \
          const boost_rt::QueryStatistics *statistics, T *dQ,                  \
          boost_rt::AttentionSizes sizes) {                                    \
    boost_rt::MatrixTensors<T> tensors = {                                     \
        q, k, v, bias, mask, dO, statistics};                                  \
    boost_rt::MatrixQueries<T, COLUMNS>(tensors, sizes).run(tensors, dQ);      \
  }                                                                            \
  extern "C" __global__ void __launch_bounds__(boost_rt::matrixThreads,        \
                                               boost_rt::matrixBackwardBlocks) \
      boost_attention_backward_keys_matrix##COLUMNS##_##NAME(                  \
          const T *q, const T *k, const T *v, const float *bias,               \
          const uint8_t *mask, const T *dO,                                    \
          const boost_rt::QueryStatistics *statistics, T *dK, T *dV,           \
          boost_rt::AttentionSizes sizes) {                                    \
    boost_rt::MatrixTensors<T> tensors = {                                     \
        q, k, v, bias, mask, dO, statistics};                                  \
    boost_rt::MatrixKeys<T, COLUMNS>(tensors, sizes).run(dK, dV);              \
  }
BOOST_FOR_MATRIX_KERNELS(BOOST_MATRIX_BACKWARD)
#undef BOOST_MATRIX_BACKWARD

#endif // BOOST_RUNTIME_CUDA_KERNELS_MATRIXBACKWARD_CUH
