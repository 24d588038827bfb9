//===- Attention.cpp - Attention forward and backward on the CPU ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scores of one block of query rows of one head are held at a time, in the
// thread's scratch, so that softmax sees whole rows and the products go to
// BLAS. A causal block reads only the keys up to its last row.
//
//===----------------------------------------------------------------------===//

#include "common/Context.h"
#include "common/ElementType.h"
#include "cpu/Blas.h"
#include "cpu/VectorMath.h"

#include <cmath>

using namespace boost_rt;

namespace {
struct Shape {
  int64_t b, s, h, kvh, dh;
  float scale;
  bool causal;

  int64_t queryStride() const { return h * dh; }
  int64_t keyStride() const { return kvh * dh; }
  int64_t queryOffset(int64_t batch, int64_t row, int64_t head) const {
    return ((batch * s + row) * h + head) * dh;
  }
  int64_t keyOffset(int64_t batch, int64_t head) const {
    return (batch * s * kvh + head) * dh;
  }
  /// Query rows per block: a block's scores take about a megabyte.
  int64_t blockRows() const {
    int64_t rows = (int64_t(1) << 18) / std::max<int64_t>(s, 1);
    return std::min(s, std::clamp<int64_t>(rows, 16, 64));
  }
  int64_t keysFor(int64_t rowEnd) const { return causal ? rowEnd : s; }
};

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
             ? ScratchCutter::paddedBytes<ComputeOf<Storage>>(elements)
             : 0;
}
} // namespace

/// The rows as BLAS reads them: in place, or converted into scratch.
template <typename Storage>
static Panel<ComputeOf<Storage>> load(const Storage *src, int64_t rows,
                                      int64_t columns, int64_t ld,
                                      ScratchCutter &cutter) {
  using Compute = ComputeOf<Storage>;
  if constexpr (!isConverted<Storage>) {
    return {const_cast<Compute *>(src), ld};
  } else {
    Compute *copy = cutter.take<Compute>(rows * columns);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        copy[i * columns + j] = src[i * ld + j];
    return {copy, columns};
  }
}

/// Where BLAS writes rows of a result: in place, or scratch for `storeResult`.
template <typename Storage>
static Panel<ComputeOf<Storage>> openResult(Storage *dst, int64_t rows,
                                            int64_t columns, int64_t ld,
                                            ScratchCutter &cutter) {
  using Compute = ComputeOf<Storage>;
  if constexpr (!isConverted<Storage>)
    return {dst, ld};
  else
    return {cutter.take<Compute>(rows * columns), columns};
}

template <typename Storage>
static void storeResult(const Panel<ComputeOf<Storage>> &panel, Storage *dst,
                        int64_t rows, int64_t columns, int64_t ld) {
  if constexpr (isConverted<Storage>)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        dst[i * ld + j] = Storage(panel.row(i)[j]);
}

template <typename T>
static void clear(const Panel<T> &panel, int64_t rows, int64_t columns) {
  for (int64_t i = 0; i < rows; ++i)
    std::fill_n(panel.row(i), columns, T(0));
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

namespace {
template <typename Storage> class Forward {
public:
  using Compute = ComputeOf<Storage>;

  Forward(const Shape &shape, const Storage *q, const Storage *k,
          const Storage *v, Storage *o, float *lse)
      : shape(shape), q(q), k(k), v(v), o(o), lse(lse) {}

  void run(boost_rt_context &context) {
    int64_t blocks = (shape.s + shape.blockRows() - 1) / shape.blockRows();
    context.pool.forTasks(
        shape.b * shape.h * blocks, [&](int64_t task, int thread) {
          void *scratch = context.scratch.get(thread, scratchBytes());
          int64_t row = task % blocks * shape.blockRows();
          block(task / blocks / shape.h, task / blocks % shape.h, row,
                std::min(shape.s, row + shape.blockRows()), scratch);
        });
  }

private:
  int64_t scratchBytes() const {
    int64_t rows = shape.blockRows();
    return ScratchCutter::paddedBytes<Compute>(rows * shape.s) +
           2 * panelBytes<Storage>(rows * shape.dh) +
           2 * panelBytes<Storage>(shape.s * shape.dh);
  }

  void block(int64_t batch, int64_t head, int64_t begin, int64_t end,
             void *scratch) {
    ScratchCutter cutter(scratch);
    int64_t rows = end - begin, keys = shape.keysFor(end), dh = shape.dh;
    int64_t queryOffset = shape.queryOffset(batch, begin, head);
    int64_t keyOffset = shape.keyOffset(batch, head / (shape.h / shape.kvh));
    Panel<Compute> scores{cutter.take<Compute>(rows * shape.s), keys};
    auto qs = load(q + queryOffset, rows, dh, shape.queryStride(), cutter);
    auto ks = load(k + keyOffset, keys, dh, shape.keyStride(), cutter);
    auto vs = load(v + keyOffset, keys, dh, shape.keyStride(), cutter);
    auto os =
        openResult(o + queryOffset, rows, dh, shape.queryStride(), cutter);
    blasGemm(false, true, rows, keys, dh, Compute(shape.scale), qs.data, qs.ld,
             ks.data, ks.ld, Compute(0), scores.data, scores.ld);
    Compute inverse[64];
    float *statistics = lse + (batch * shape.h + head) * shape.s + begin;
    for (int64_t i = 0; i < rows; ++i) {
      int64_t valid = shape.keysFor(begin + i + 1);
      Compute *row = scores.row(i);
      Compute largest = rowMax(row, valid);
      Compute sum = rowExp(row, valid, largest);
      std::fill(row + valid, row + keys, Compute(0));
      inverse[i] = 1 / sum;
      statistics[i] = static_cast<float>(largest + std::log(sum));
    }
    blasGemm(false, false, rows, dh, keys, Compute(1), scores.data, scores.ld,
             vs.data, vs.ld, Compute(0), os.data, os.ld);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < dh; ++j)
        os.row(i)[j] *= inverse[i];
    storeResult(os, o + queryOffset, rows, dh, shape.queryStride());
  }

  const Shape shape;
  const Storage *q, *k, *v;
  Storage *o;
  float *lse;
};
} // namespace

extern "C" void boost_rt_attention_forward(boost_rt_context *context,
                                           int32_t type, void *q, void *k,
                                           void *v, void *o, void *lse,
                                           int64_t b, int64_t s, int64_t h,
                                           int64_t kvh, int64_t dh, float scale,
                                           int32_t causal) {
  Shape shape{b, s, h, kvh, dh, scale, causal != 0};
  dispatchFloat(static_cast<ElementType>(type), [&](auto *tag) {
    using Storage = std::remove_pointer_t<decltype(tag)>;
    Forward<Storage>(shape, static_cast<Storage *>(q),
                     static_cast<Storage *>(k), static_cast<Storage *>(v),
                     static_cast<Storage *>(o), static_cast<float *>(lse))
        .run(*context);
  });
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

namespace {
template <typename Storage> struct BackwardTensors {
  const Storage *q, *k, *v, *o;
  const float *lse;
  const Storage *dO;
  Storage *dQ, *dK, *dV;
};

/// One task is one key head of one sequence: its query heads and their blocks
/// follow in a fixed order, so dk and dv are the same for any thread count.
template <typename Storage> class Backward {
public:
  using Compute = ComputeOf<Storage>;

  Backward(const Shape &shape, const BackwardTensors<Storage> &tensors)
      : shape(shape), t(tensors) {}

  void run(boost_rt_context &context) {
    context.pool.forTasks(shape.b * shape.kvh, [&](int64_t task, int thread) {
      void *scratch = context.scratch.get(thread, scratchBytes());
      keyHead(task / shape.kvh, task % shape.kvh, scratch);
    });
  }

private:
  struct KeyPanels {
    Panel<Compute> k, v, dK, dV;
  };

  int64_t scratchBytes() const {
    int64_t rows = shape.blockRows();
    return 2 * ScratchCutter::paddedBytes<Compute>(rows * shape.s) +
           4 * panelBytes<Storage>(rows * shape.dh) +
           4 * panelBytes<Storage>(shape.s * shape.dh);
  }

  void keyHead(int64_t batch, int64_t keyHeadIndex, void *scratch) {
    ScratchCutter cutter(scratch);
    int64_t s = shape.s, dh = shape.dh, ld = shape.keyStride();
    int64_t offset = shape.keyOffset(batch, keyHeadIndex);
    KeyPanels keys{load(t.k + offset, s, dh, ld, cutter),
                   load(t.v + offset, s, dh, ld, cutter),
                   openResult(t.dK + offset, s, dh, ld, cutter),
                   openResult(t.dV + offset, s, dh, ld, cutter)};
    clear(keys.dK, s, dh);
    clear(keys.dV, s, dh);
    int64_t headsPerKey = shape.h / shape.kvh;
    for (int64_t i = 0; i < headsPerKey; ++i)
      for (int64_t row = 0; row < s; row += shape.blockRows())
        block(batch, keyHeadIndex * headsPerKey + i, row,
              std::min(s, row + shape.blockRows()), keys, cutter);
    storeResult(keys.dK, t.dK + offset, s, dh, ld);
    storeResult(keys.dV, t.dV + offset, s, dh, ld);
  }

  /// `cutter` is taken by value: every block starts where the keys end.
  void block(int64_t batch, int64_t head, int64_t begin, int64_t end,
             const KeyPanels &keys, ScratchCutter cutter) {
    int64_t rows = end - begin, count = shape.keysFor(end), dh = shape.dh;
    int64_t ld = shape.queryStride();
    int64_t offset = shape.queryOffset(batch, begin, head);
    Compute scale = Compute(shape.scale);
    Panel<Compute> p{cutter.take<Compute>(rows * shape.s), count};
    Panel<Compute> dS{cutter.take<Compute>(rows * shape.s), count};
    auto q = load(t.q + offset, rows, dh, ld, cutter);
    auto o = load(t.o + offset, rows, dh, ld, cutter);
    auto dO = load(t.dO + offset, rows, dh, ld, cutter);
    auto dQ = openResult(t.dQ + offset, rows, dh, ld, cutter);
    blasGemm(false, true, rows, count, dh, scale, q.data, q.ld, keys.k.data,
             keys.k.ld, Compute(0), p.data, p.ld);
    blasGemm(false, true, rows, count, dh, Compute(1), dO.data, dO.ld,
             keys.v.data, keys.v.ld, Compute(0), dS.data, dS.ld);
    const float *lse = t.lse + (batch * shape.h + head) * shape.s + begin;
    for (int64_t i = 0; i < rows; ++i)
      differentiateRow(p.row(i), dS.row(i), shape.keysFor(begin + i + 1), count,
                       Compute(lse[i]), rowDot(dO.row(i), o.row(i), dh));
    blasGemm(true, false, count, dh, rows, Compute(1), p.data, p.ld, dO.data,
             dO.ld, Compute(1), keys.dV.data, keys.dV.ld);
    blasGemm(true, false, count, dh, rows, scale, dS.data, dS.ld, q.data, q.ld,
             Compute(1), keys.dK.data, keys.dK.ld);
    blasGemm(false, false, rows, dh, count, scale, dS.data, dS.ld, keys.k.data,
             keys.k.ld, Compute(0), dQ.data, dQ.ld);
    storeResult(dQ, t.dQ + offset, rows, dh, ld);
  }

  /// Scores become probabilities; dS, which holds the gradient of the
  /// probabilities, becomes that of the scores.
  static void differentiateRow(Compute *p, Compute *dS, int64_t valid,
                               int64_t count, Compute lse, Compute delta) {
    for (int64_t j = 0; j < valid; ++j) {
      p[j] = fastExp(p[j] - lse);
      dS[j] = p[j] * (dS[j] - delta);
    }
    std::fill(p + valid, p + count, Compute(0));
    std::fill(dS + valid, dS + count, Compute(0));
  }

  const Shape shape;
  const BackwardTensors<Storage> t;
};
} // namespace

extern "C" void boost_rt_attention_backward(
    boost_rt_context *context, int32_t type, void *q, void *k, void *v, void *o,
    void *lse, void *dO, void *dQ, void *dK, void *dV, int64_t b, int64_t s,
    int64_t h, int64_t kvh, int64_t dh, float scale, int32_t causal) {
  Shape shape{b, s, h, kvh, dh, scale, causal != 0};
  dispatchFloat(static_cast<ElementType>(type), [&](auto *tag) {
    using Storage = std::remove_pointer_t<decltype(tag)>;
    BackwardTensors<Storage> tensors{
        static_cast<Storage *>(q),  static_cast<Storage *>(k),
        static_cast<Storage *>(v),  static_cast<Storage *>(o),
        static_cast<float *>(lse),  static_cast<Storage *>(dO),
        static_cast<Storage *>(dQ), static_cast<Storage *>(dK),
        static_cast<Storage *>(dV)};
    Backward<Storage>(shape, tensors).run(*context);
  });
}
