//===- AttentionScores.h - What attention and its gradients share -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes, the panels that BLAS reads, and how products of queries and keys
// become scores, row by row.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CPU_ATTENTIONSCORES_H
#define BOOST_RUNTIME_CPU_ATTENTIONSCORES_H

#include "common/ElementType.h"
#include "cpu/Blas.h"
#include "cpu/Context.h"
#include "cpu/VectorMath.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace boost_rt {

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

/// A matrix as BLAS reads it.
template <typename T> struct Panel {
  T *data;
  int64_t ld;

  T *row(int64_t i) const { return data + i * ld; }
};

template <typename Storage>
using ComputeOf =
    std::conditional_t<std::is_same_v<Storage, double>, double, float>;

/// True if tensors are converted on their way to BLAS.
template <typename Storage>
constexpr bool isConverted = !std::is_same_v<Storage, ComputeOf<Storage>>;

/// Scratch elements for a panel that may have to be converted.
template <typename Storage> int64_t panelBytes(int64_t elements) {
  return isConverted<Storage>
             ? ScratchStack::paddedBytes<ComputeOf<Storage>>(elements)
             : 0;
}

/// The rows as BLAS reads them: in place, or converted into scratch.
template <typename Storage>
Panel<ComputeOf<Storage>> load(const Storage *src, int64_t rows,
                               int64_t columns, int64_t ld,
                               ScratchStack &stack) {
  using Compute = ComputeOf<Storage>;
  if constexpr (!isConverted<Storage>) {
    return {const_cast<Compute *>(src), ld};
  } else {
    Compute *copy = stack.take<Compute>(rows * columns);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        copy[i * columns + j] = src[i * ld + j];
    return {copy, columns};
  }
}

/// Returns the memory for BLAS to write rows of a result to: the result, or
/// scratch for `storeResult`.
template <typename Storage>
Panel<ComputeOf<Storage>> openResult(Storage *dst, int64_t rows,
                                     int64_t columns, int64_t ld,
                                     ScratchStack &stack) {
  using Compute = ComputeOf<Storage>;
  if constexpr (!isConverted<Storage>)
    return {dst, ld};
  else
    return {stack.take<Compute>(rows * columns), columns};
}

template <typename Storage>
void storeResult(const Panel<ComputeOf<Storage>> &panel, Storage *dst,
                 int64_t rows, int64_t columns, int64_t ld) {
  if constexpr (isConverted<Storage>)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        dst[i * ld + j] = Storage(panel.row(i)[j]);
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

/// Query rows per block, at most.
inline constexpr int64_t maxBlockRows = 64;

/// The largest magnitude of a log-sum-exp that gradients divide by: rounding it
/// to f32 costs probabilities 2^-15 at most. It is larger where a bias hides
/// all keys of a query.
inline constexpr double largestExactLse = 1024;

struct AttentionShape {
  int64_t b, sq, sk, h, kvh, dh;

  int64_t queryStride() const { return h * dh; }
  int64_t keyStride() const { return kvh * dh; }
  int64_t queryOffset(int64_t batch, int64_t row, int64_t head) const {
    return ((batch * sq + row) * h + head) * dh;
  }
  int64_t keyOffset(int64_t batch, int64_t keyHead) const {
    return (batch * sk * kvh + keyHead) * dh;
  }
  int64_t keyHeadOf(int64_t head) const { return head / (h / kvh); }
  int64_t lseOffset(int64_t batch, int64_t row, int64_t head) const {
    return (batch * h + head) * sq + row;
  }
  /// Query rows per block: a block's scores take about a megabyte.
  int64_t blockRows() const {
    int64_t rows = (int64_t(1) << 18) / std::max<int64_t>(sk, 1);
    return std::min(sq, std::clamp<int64_t>(rows, 16, maxBlockRows));
  }
  int64_t blocks() const {
    return sq == 0 ? 0 : (sq + blockRows() - 1) / blockRows();
  }
};

/// A number per score, repeated along dimensions of stride 0; null: none.
template <typename T> struct ScoreTensor {
  T *data;
  const int64_t *strides;

  T *row(int64_t batch, int64_t head, int64_t query) const {
    return data + batch * strides[0] + head * strides[1] + query * strides[2];
  }
  int64_t keyStride() const { return strides[3]; }
};

/// A row of scores: of one query of one head of one batch entry.
struct ScoreRow {
  int64_t batch, head, query;
};

/// Turns scaled products of queries and keys into scores.
template <typename Compute> struct Scores {
  AttentionShape shape;
  ScoreTensor<const Compute> bias;
  ScoreTensor<const uint8_t> mask;
  double scale, softCap;
  bool causal;

  /// Keys that a query may see unless the mask hides them.
  int64_t keysBefore(int64_t query) const {
    return causal ? query + 1 : shape.sk;
  }

  /// Returns true if all scores of a row count as 0.
  bool seesNothing(const ScoreRow &at) const {
    if (!mask.data)
      return false;
    const uint8_t *row = mask.row(at.batch, at.head, at.query);
    for (int64_t j = 0, keys = keysBefore(at.query); j < keys; ++j)
      if (row[j * mask.keyStride()])
        return false;
    return true;
  }

  /// The keys that some query of the block [begin, end) reads.
  int64_t keysOfBlock(int64_t batch, int64_t head, int64_t begin,
                      int64_t end) const {
    if (!causal)
      return shape.sk;
    for (int64_t i = begin; mask.data && i < end; ++i)
      if (seesNothing({batch, head, i}))
        return shape.sk;
    return end;
  }

  /// Bounds the products; `factors`, unless null, is multiplied by the
  /// derivative of that.
  void cap(Compute *row, int64_t count, Compute *factors) const {
    if (softCap == 0)
      return;
    auto limit = static_cast<Compute>(softCap);
    Compute inverse = 1 / limit;
    for (int64_t j = 0; j < count; ++j)
      row[j] = fastTanh(row[j] * inverse);
    for (int64_t j = 0; factors && j < count; ++j)
      factors[j] *= 1 - row[j] * row[j];
    for (int64_t j = 0; j < count; ++j)
      row[j] *= limit;
  }

  /// Adds the bias to a row that sees something and hides keys from it.
  void addBias(Compute *row, int64_t count, const ScoreRow &at) const {
    if (bias.data) {
      const Compute *terms = bias.row(at.batch, at.head, at.query);
      if (bias.keyStride())
        for (int64_t j = 0; j < count; ++j)
          row[j] += terms[j];
      else
        for (int64_t j = 0; j < count; ++j)
          row[j] += *terms;
    }
    if (mask.data) {
      const uint8_t *seen = mask.row(at.batch, at.head, at.query);
      for (int64_t j = 0; j < count; ++j)
        row[j] = seen[j * mask.keyStride()] ? row[j]
                                            : -static_cast<Compute>(HUGE_VAL);
    }
  }
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CPU_ATTENTIONSCORES_H
