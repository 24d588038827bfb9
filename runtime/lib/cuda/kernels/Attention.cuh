//===- Attention.cuh - Kernels of attention, without tensor cores *- C++ -*-==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For any shape and any float. A block computes `size` columns of a tile of the
// result: for larger heads, scores are computed once for every part of the
// columns. Every number of a result belongs to one thread, which adds to it in
// a fixed order.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_ATTENTION_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_ATTENTION_CUH

#include "AttentionTile.cuh"

namespace boost_rt {

/// The tile of a block: a part of the columns of rows of a head.
struct TilePosition {
  HeadPosition head;
  int64_t row, column;

  /// The last rows first: in causal attention, of queries, they take longest.
  __device__ static TilePosition get(int64_t heads, int64_t rows,
                                     int64_t columns, int size) {
    int64_t tiles = ceilDivide(rows, size), parts = ceilDivide(columns, size);
    int64_t index = blockIdx.x;
    int64_t column = index % parts * size;
    int64_t row = (tiles - 1 - index / parts % tiles) * size;
    int64_t head = index / parts / tiles;
    return {{head / heads, head % heads}, row, column};
  }
};

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

template <typename T> class AttentionForward {
public:
  using Compute = ComputeOf<T>;
  using Tile = AttentionTile<T>;
  using Block = typename Tile::Block;

  __device__ AttentionForward(const AttentionSizes &sizes,
                              const TilePosition &at, const T *q, const T *k,
                              const T *v, const Compute *bias,
                              const uint8_t *mask)
      : sizes(sizes), tile(sizes), at(at), scores(sizes, bias, mask, at.head),
        q(at.head.ofQueries(q, sizes)), k(at.head.ofKeys(k, sizes)),
        v(at.head.ofKeys(v, sizes)) {}

  __device__ void run(T *o, Compute *lse) {
    for (int i = 0; i < Tile::per; ++i)
      largest[i] = -kInfinity<Compute>;
    int64_t last = least(at.row + Tile::size, sizes.sq) - 1;
    int64_t keys = scores.getKeysBefore(last);
    for (int64_t key = 0; key < keys; key += Tile::size)
      addKeys(key);
    addSums();
    if (scores.hasMask())
      addHiddenRows();
    write(o, lse);
  }

private:
  __device__ void addKeys(int64_t key) {
    Block p = {};
    tile.addProducts(p, q, at.row, k, key);
#pragma unroll
    for (int i = 0; i < Tile::per; ++i)
      exponentiate(p[i], i, key);
    tile.addTimes(result, p, v, key, at.column);
  }

  /// Scores become terms of the softmax denominator.
  __device__ void exponentiate(Compute (&p)[Tile::per], int i, int64_t key) {
    int64_t query = at.row + Tile::getRow(i);
    Compute newLargest = largest[i];
#pragma unroll
    for (int j = 0; j < Tile::per; ++j) {
      int64_t column = key + Tile::getColumn(j);
      bool isSeen = scores.sees(query, column);
      p[j] = isSeen ? scores.getScore(p[j], query, column).value
                    : -kInfinity<Compute>;
      seen[i] |= isSeen;
      newLargest = max(newLargest, p[j]);
    }
    // A row is spread over 16 lanes.
#pragma unroll
    for (int step = attentionSide / 2; step > 0; step /= 2)
      newLargest =
          max(newLargest, __shfl_xor_sync(kAllLanes, newLargest, step));
    // While nothing but -infinity was seen, there is nothing to subtract.
    Compute shift = newLargest == -kInfinity<Compute> ? 0 : newLargest;
    Compute factor = exponential(largest[i] - shift);
    largest[i] = newLargest;
    sums[i] *= factor;
#pragma unroll
    for (int j = 0; j < Tile::per; ++j) {
      p[j] = exponential(p[j] - shift);
      sums[i] += p[j];
      result[i][j] *= factor;
    }
  }

  /// Sums and what was seen, of lanes, become those of rows.
  __device__ void addSums() {
#pragma unroll
    for (int i = 0; i < Tile::per; ++i) {
      sums[i] = addLanes<attentionSide>(sums[i]);
      seen[i] = addLanes<attentionSide>(int(seen[i])) != 0;
    }
  }

  /// All scores of a row that sees nothing count as 0.
  __device__ void addHiddenRows() {
    bool isAny = false;
#pragma unroll
    for (int i = 0; i < Tile::per; ++i) {
      bool isHidden = !seen[i] && at.row + Tile::getRow(i) < sizes.sq;
      if (isHidden) {
        largest[i] = 0;
        sums[i] = Compute(sizes.sk);
      }
      if (threadIdx.x % attentionSide == 0)
        tile.isHidden[Tile::getRow(i)] = isHidden;
    }
    __syncthreads();
    for (int i = 0; i < Tile::size; ++i)
      isAny |= tile.isHidden[i] != 0;
    for (int64_t key = 0; isAny && key < sizes.sk; key += Tile::size) {
      Block p;
      Tile::forEach([&](int i, int j) {
        p[i][j] = tile.isHidden[Tile::getRow(i)] ? 1 : 0;
      });
      tile.addTimes(result, p, v, key, at.column);
    }
  }

  __device__ void write(T *o, Compute *lse) {
    Tile::forEach([&](int i, int j) { result[i][j] /= sums[i]; });
    tile.store(at.head.ofQueries(o, sizes), at.row, at.column, result);
    if (at.column != 0 || threadIdx.x % attentionSide != 0)
      return;
    Compute *rows = at.head.ofStatistics(lse, sizes);
#pragma unroll
    for (int i = 0; i < Tile::per; ++i)
      if (at.row + Tile::getRow(i) < sizes.sq)
        rows[at.row + Tile::getRow(i)] = largest[i] + logarithm(sums[i]);
  }

  const AttentionSizes &sizes;
  Tile tile;
  TilePosition at;
  Scores<Compute> scores;
  HeadRows<const T> q, k, v;
  Block result = {};
  Compute largest[Tile::per], sums[Tile::per] = {};
  bool seen[Tile::per] = {};
};

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The rows of a query head that gradients read.
template <typename T> struct GradientRows {
  using Compute = ComputeOf<T>;

  HeadRows<const T> q, k, v, o, dO;
  const Compute *lse, *dLse;
  Scores<Compute> scores;
};

/// The tensors that gradients read.
template <typename T> struct GradientTensors {
  using Compute = ComputeOf<T>;

  const T *q, *k, *v;
  const Compute *bias;
  const uint8_t *mask;
  const T *o;
  const Compute *lse;
  const T *dO;
  const Compute *dLse;

  __device__ GradientRows<T> of(const HeadPosition &at,
                                const AttentionSizes &sizes) const {
    return {at.ofQueries(q, sizes),       at.ofKeys(k, sizes),
            at.ofKeys(v, sizes),          at.ofQueries(o, sizes),
            at.ofQueries(dO, sizes),      at.ofStatistics(lse, sizes),
            at.ofStatistics(dLse, sizes), {sizes, bias, mask, at}};
  }
};

/// Returns the difference between the logarithm of the softmax denominator of a
/// query and its lse. Where a bias hides all keys, both are as large as the
/// bias, and lse has no digits for the number of keys. All lanes of a warp ask
/// for the same query.
template <typename T>
__device__ inline ComputeOf<T>
getLostLogarithm(const GradientRows<T> &rows, int64_t query, int64_t columns) {
  using Compute = ComputeOf<T>;
  Compute lse = rows.lse[query];
  if (fabs(lse) <= Compute(attentionLargestExactLse))
    return 0;
  const T *q = rows.q.data + query * rows.q.stride;
  Compute sum = 0;
#pragma unroll 1
  for (int64_t key = threadIdx.x % kWarp; key < rows.k.rows; key += kWarp) {
    if (!rows.scores.sees(query, key))
      continue;
    const T *k = rows.k.data + key * rows.k.stride;
    Compute product = 0;
#pragma unroll 1
    for (int64_t i = 0; i < columns; ++i)
      product += Compute(q[i]) * Compute(k[i]);
    sum += exponential(rows.scores.getScore(product, query, key).value - lse);
  }
  sum = addLanes<kWarp>(sum);
  return sum > 0 ? logarithm(sum) : 0;
}

/// Computes, for `count` queries from `first`, the sums over the columns of dO
/// O less the gradient of lse, and getLostLogarithm(). A warp computes one row
/// at a time.
template <int count, typename T>
__device__ inline void sumGradientRows(ComputeOf<T> *delta, ComputeOf<T> *lost,
                                       const GradientRows<T> &rows,
                                       int64_t first, int64_t columns) {
  using Compute = ComputeOf<T>;
  const HeadRows<const T> &o = rows.o, &dO = rows.dO;
  int lane = threadIdx.x % kWarp;
  for (int row = threadIdx.x / kWarp; row < count; row += blockDim.x / kWarp) {
    int64_t query = first + row;
    bool isQuery = query < o.rows;
    Compute sum = 0;
    if (isQuery)
      for (int64_t i = lane; i < columns; i += kWarp)
        sum += Compute(o.data[query * o.stride + i]) *
               Compute(dO.data[query * dO.stride + i]);
    sum = addLanes<kWarp>(sum);
    Compute rest = isQuery ? getLostLogarithm(rows, query, columns) : 0;
    if (lane == 0) {
      delta[row] = rows.dLse && isQuery ? sum - rows.dLse[query] : sum;
      lost[row] = rest;
    }
  }
}

/// Probabilities, and the gradient of scores.
template <typename T> struct ScoreGradients {
  using Tile = AttentionTile<T>;
  using Compute = ComputeOf<T>;
  /// The variable that a score is differentiated with respect to.
  enum class Of { Product, Bias };

  /// Computes the gradients of scores of a tile, whose `delta` and `lost` hold
  /// sumGradientRows() of its queries. The caller handles hidden rows.
  __device__ __forceinline__ void compute(const Tile &tile,
                                          const GradientRows<T> &rows,
                                          int64_t query, int64_t key, Of of) {
    Tile::forEach([&](int i, int j) { p[i][j] = dS[i][j] = 0; });
    tile.addProducts(p, rows.q, query, rows.k, key);
    tile.addProducts(dS, rows.dO, query, rows.v, key);
    int64_t firstRow = opaque(query), firstColumn = opaque(key);
    Tile::forEach([&](int i, int j) {
      int64_t row = firstRow + Tile::getRow(i);
      int64_t column = firstColumn + Tile::getColumn(j);
      if (!rows.scores.sees(row, column)) {
        p[i][j] = dS[i][j] = 0;
        return;
      }
      Score<Compute> score = rows.scores.getScore(p[i][j], row, column);
      p[i][j] =
          exponential(score.value - rows.lse[row] - tile.lost[Tile::getRow(i)]);
      dS[i][j] = p[i][j] * (dS[i][j] - tile.delta[Tile::getRow(i)]);
      if (of == Of::Product)
        dS[i][j] *= score.slope;
    });
  }

  typename Tile::Block p, dS;
};

/// Computes dQ of a tile of queries, over the keys in order.
template <typename T>
__device__ inline void
attentionBackwardQueries(const GradientTensors<T> &tensors, T *dQ,
                         const AttentionSizes &sizes) {
  using Tile = AttentionTile<T>;
  Tile tile(sizes);
  TilePosition at = TilePosition::get(sizes.h, sizes.sq, sizes.dh, Tile::size);
  GradientRows<T> rows = tensors.of(at.head, sizes);
  sumGradientRows<Tile::size>(tile.delta, tile.lost, rows, at.row, sizes.dh);
  typename Tile::Block result = {};
  int64_t last = least(at.row + Tile::size, sizes.sq) - 1;
  int64_t keys = rows.scores.getKeysBefore(last);
  for (int64_t key = 0; key < keys; key += Tile::size) {
    ScoreGradients<T> gradients;
    gradients.compute(tile, rows, at.row, key, ScoreGradients<T>::Of::Product);
    tile.addTimes(result, gradients.dS, rows.k, key, at.column);
  }
  Tile::forEach(
      [&](int i, int j) { result[i][j] *= ComputeOf<T>(sizes.scale); });
  tile.store(at.head.ofQueries(dQ, sizes), at.row, at.column, result);
}

/// Computes dK and dV of a tile of keys, over the queries of all heads that
/// read them, in order.
template <typename T> class AttentionBackwardKeys {
public:
  using Compute = ComputeOf<T>;
  using Tile = AttentionTile<T>;

  __device__ AttentionBackwardKeys(const GradientTensors<T> &tensors,
                                   const AttentionSizes &sizes)
      : tensors(tensors), sizes(sizes), tile(sizes),
        at(TilePosition::get(sizes.kvh, sizes.sk, sizes.dh, Tile::size)) {}

  __device__ void run(T *dK, T *dV) {
    int64_t headsPerKey = sizes.h / sizes.kvh;
    HeadPosition head = {at.head.batch, at.head.head * headsPerKey};
    for (int64_t i = 0; i < headsPerKey; ++i, ++head.head)
      addHead(tensors.of(head, sizes));
    Tile::forEach([&](int i, int j) { ofKeys[i][j] *= Compute(sizes.scale); });
    head.head = at.head.head * headsPerKey;
    tile.store(head.ofKeys(dK, sizes), at.row, at.column, ofKeys);
    tile.store(head.ofKeys(dV, sizes), at.row, at.column, ofValues);
  }

private:
  __device__ void addHead(const GradientRows<T> &rows) {
    // Queries before the keys see them only if they see nothing.
    int64_t first = sizes.causal ? at.row / Tile::size * Tile::size : 0;
    for (int64_t query = rows.scores.hasMask() ? 0 : first; query < sizes.sq;
         query += Tile::size)
      addQueries(rows, query, /*areBefore=*/query < first);
  }

  __device__ __forceinline__ void addQueries(const GradientRows<T> &rows,
                                             int64_t query, bool areBefore) {
    bool isAnyHidden = rows.scores.hasMask() && findHidden(rows, query);
    if (areBefore && !isAnyHidden)
      return;
    sumGradientRows<Tile::size>(tile.delta, tile.lost, rows, query, sizes.dh);
    ScoreGradients<T> gradients;
    gradients.compute(tile, rows, query, at.row,
                      ScoreGradients<T>::Of::Product);
    if (isAnyHidden)
      Tile::forEach([&](int i, int j) {
        if (tile.isHidden[Tile::getRow(i)])
          gradients.p[i][j] = 1 / Compute(sizes.sk);
      });
    tile.addTransposedTimes(ofValues, gradients.p, rows.dO, query, at.column);
    tile.addTransposedTimes(ofKeys, gradients.dS, rows.q, query, at.column);
  }

  /// Notes which queries see nothing; returns whether there are any.
  __device__ bool findHidden(const GradientRows<T> &rows, int64_t query) {
    __syncthreads();
    for (int row = threadIdx.x / kWarp; row < Tile::size;
         row += kThreads / kWarp) {
      bool isHidden = rows.scores.seesNothing(query + row);
      if (threadIdx.x % kWarp == 0)
        tile.isHidden[row] = isHidden;
    }
    __syncthreads();
    bool isAny = false;
    for (int row = 0; row < Tile::size; ++row)
      isAny |= tile.isHidden[row] != 0;
    return isAny;
  }

  const GradientTensors<T> &tensors;
  const AttentionSizes &sizes;
  Tile tile;
  TilePosition at;
  typename Tile::Block ofKeys = {}, ofValues = {};
};

//===----------------------------------------------------------------------===//
// Gradient of the bias
//===----------------------------------------------------------------------===//

/// A block owns a tile of the bias, or one of all tiles along dimensions of
/// stride 0: what reads it follows in order.
template <typename T> class AttentionBiasBackward {
public:
  using Compute = ComputeOf<T>;
  using Tile = AttentionTile<T>;

  __device__ AttentionBiasBackward(const GradientTensors<T> &tensors,
                                   const AttentionSizes &sizes)
      : tensors(tensors), sizes(sizes), tile(sizes) {
    int64_t index = blockIdx.x;
    keys = take(index, 3, ceilDivide(sizes.sk, Tile::size));
    queries = take(index, 2, ceilDivide(sizes.sq, Tile::size));
    heads = take(index, 1, sizes.h);
    batches = take(index, 0, sizes.b);
  }

  __device__ void run(Compute *dBias) {
    for (int64_t batch = batches.begin; batch < batches.end; ++batch)
      for (int64_t head = heads.begin; head < heads.end; ++head) {
        GradientRows<T> rows = tensors.of({batch, head}, sizes);
        for (int64_t i = queries.begin; i < queries.end; ++i)
          addQueries(rows, i * Tile::size);
      }
    const int64_t *strides = sizes.biasStrides;
    write(dBias + batches.begin * strides[0] + heads.begin * strides[1]);
  }

private:
  struct Range {
    int64_t begin, end;
  };

  /// The indices of a dimension that belong to the block.
  __device__ Range take(int64_t &index, int dim, int64_t count) const {
    if (sizes.biasStrides[dim] == 0)
      return {0, count};
    int64_t own = index % count;
    index /= count;
    return {own, own + 1};
  }

  __device__ __forceinline__ void addQueries(const GradientRows<T> &rows,
                                             int64_t query) {
    __syncthreads();
    sumGradientRows<Tile::size>(tile.delta, tile.lost, rows, query, sizes.dh);
    int64_t last = least(query + Tile::size, sizes.sq) - 1;
    int64_t end = least(keys.end * Tile::size, rows.scores.getKeysBefore(last));
    for (int64_t key = keys.begin * Tile::size; key < end; key += Tile::size) {
      ScoreGradients<T> gradients;
      gradients.compute(tile, rows, query, key, ScoreGradients<T>::Of::Bias);
      Tile::forEach([&](int i, int j) { sums[i][j] += gradients.dS[i][j]; });
    }
  }

  /// Rows and columns of stride 0 are summed.
  __device__ void write(Compute *to) {
    bool hasRows = sizes.biasStrides[2] != 0, hasKeys = sizes.biasStrides[3];
    if (hasRows && hasKeys)
      return Tile::forEach([&](int i, int j) {
        put(to, Tile::getRow(i), Tile::getColumn(j), sums[i][j]);
      });
    Compute *square = tile.share(sums);
    int own = threadIdx.x;
    if (own < Tile::size && (hasRows || hasKeys)) {
      Compute sum = addLine(square, own, hasRows);
      put(to, hasRows ? own : 0, hasRows ? 0 : own, sum);
    } else if (own == 0) {
      Compute sum = 0;
      for (int row = 0; row < Tile::size; ++row)
        sum += addLine(square, row, /*isRow=*/true);
      put(to, 0, 0, sum);
    }
  }

  __device__ static Compute addLine(const Compute *square, int line,
                                    bool isRow) {
    Compute sum = 0;
    for (int i = 0; i < Tile::size; ++i)
      sum += isRow ? square[line * Tile::stride + i]
                   : square[i * Tile::stride + line];
    return sum;
  }

  __device__ void put(Compute *to, int row, int column, Compute value) const {
    int64_t query = queries.begin * Tile::size + row;
    int64_t key = keys.begin * Tile::size + column;
    if (query < sizes.sq && key < sizes.sk)
      to[query * sizes.biasStrides[2] + key * sizes.biasStrides[3]] = value;
  }

  const GradientTensors<T> &tensors;
  const AttentionSizes &sizes;
  Tile tile;
  Range batches, heads, queries, keys;
  typename Tile::Block sums = {};
};

} // namespace boost_rt

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

#define BOOST_ATTENTION_FORWARD(NAME, T)                                       \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads, 1)          \
      boost_attention_forward_##NAME(                                          \
          const T *q, const T *k, const T *v,                                  \
          const boost_rt::ComputeOf<T> *bias, const uint8_t *mask, T *o,       \
          boost_rt::ComputeOf<T> *lse, boost_rt::AttentionSizes sizes) {       \
    using Forward = boost_rt::AttentionForward<T>;                             \
    boost_rt::TilePosition at = boost_rt::TilePosition::get(                   \
        sizes.h, sizes.sq, sizes.dh, Forward::Tile::size);                     \
    Forward(sizes, at, q, k, v, bias, mask).run(o, lse);                       \
  }
BOOST_FOR_FLOATS(BOOST_ATTENTION_FORWARD)
#undef BOOST_ATTENTION_FORWARD

#define BOOST_ATTENTION_BACKWARD(NAME, T)                                      \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads, 1)          \
      boost_attention_backward_queries_##NAME(                                 \
          const T *q, const T *k, const T *v,                                  \
          const boost_rt::ComputeOf<T> *bias, const uint8_t *mask, const T *o, \
          const boost_rt::ComputeOf<T> *lse, const T *dO,                      \
          const boost_rt::ComputeOf<T> *dLse, T *dQ,                           \
          boost_rt::AttentionSizes sizes) {                                    \
    boost_rt::attentionBackwardQueries<T>(                                     \
        {q, k, v, bias, mask, o, lse, dO, dLse}, dQ, sizes);                   \
  }                                                                            \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads, 1)          \
      boost_attention_backward_keys_##NAME(                                    \
          const T *q, const T *k, const T *v,                                  \
          const boost_rt::ComputeOf<T> *bias, const uint8_t *mask, const T *o, \
          const boost_rt::ComputeOf<T> *lse, const T *dO,                      \
          const boost_rt::ComputeOf<T> *dLse, T *dK, T *dV,                    \
          boost_rt::AttentionSizes sizes) {                                    \
    boost_rt::GradientTensors<T> tensors = {q, k,   v,  bias, mask,            \
                                            o, lse, dO, dLse};                 \
    boost_rt::AttentionBackwardKeys<T>(tensors, sizes).run(dK, dV);            \
  }                                                                            \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads, 1)          \
      boost_attention_bias_backward_##NAME(                                    \
          const T *q, const T *k, const T *v,                                  \
          const boost_rt::ComputeOf<T> *bias, const uint8_t *mask, const T *o, \
          const boost_rt::ComputeOf<T> *lse, const T *dO,                      \
          const boost_rt::ComputeOf<T> *dLse, boost_rt::ComputeOf<T> *dBias,   \
          boost_rt::AttentionSizes sizes) {                                    \
    boost_rt::GradientTensors<T> tensors = {q, k,   v,  bias, mask,            \
                                            o, lse, dO, dLse};                 \
    boost_rt::AttentionBiasBackward<T>(tensors, sizes).run(dBias);             \
  }
BOOST_FOR_FLOATS(BOOST_ATTENTION_BACKWARD)
#undef BOOST_ATTENTION_BACKWARD

#endif // BOOST_RUNTIME_CUDA_KERNELS_ATTENTION_CUH
