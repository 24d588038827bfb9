//===- AttentionGradients.cpp - Gradients of attention on the CPU ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Probabilities are computed again from the log-sum-exp that the forward pass
// kept, for one block of query rows of one head at a time. Every element of a
// result belongs to one task, which adds to it in a fixed order, so results are
// the same for any thread count.
//
//===----------------------------------------------------------------------===//

#include "cpu/AttentionScores.h"

using namespace boost_rt;

namespace {
template <typename Storage> struct GradientInputs {
  using Compute = ComputeOf<Storage>;

  const Storage *q, *k, *v, *o;
  const Compute *lse;
  const Storage *dO;
  const Compute *dLse; // null: zero
};

/// Recomputes the probabilities and the gradient of the scores, from which both
/// gradients start.
template <typename Storage> class ScoreGradients {
public:
  using Compute = ComputeOf<Storage>;

  ScoreGradients(const Scores<Compute> &scores,
                 const GradientInputs<Storage> &inputs)
      : scores(scores), shape(scores.shape), t(inputs) {}

protected:
  struct KeyPanels {
    Panel<Compute> k, v;
  };
  struct Block {
    int64_t rows, keys;
    Panel<Compute> p, dS, q, dO;
  };
  /// The variable that a score is differentiated with respect to.
  enum class Of { Product, Bias };

  /// Scratch of `computeBlock` and of the keys.
  int64_t blockBytes() const {
    int64_t rows = shape.blockRows();
    return 2 * ScratchStack::paddedBytes<Compute>(rows * shape.sk) +
           3 * panelBytes<Storage>(rows * shape.dh) +
           2 * panelBytes<Storage>(shape.sk * shape.dh);
  }

  KeyPanels loadKeys(int64_t batch, int64_t keyHead,
                     ScratchStack &stack) const {
    int64_t offset = shape.keyOffset(batch, keyHead), ld = shape.keyStride();
    return {load(t.k + offset, shape.sk, shape.dh, ld, stack),
            load(t.v + offset, shape.sk, shape.dh, ld, stack)};
  }

  Block computeBlock(Of of, int64_t batch, int64_t head, int64_t begin,
                     int64_t end, const KeyPanels &panels,
                     ScratchStack &stack) const {
    int64_t rows = end - begin, dh = shape.dh, ld = shape.queryStride();
    int64_t keys = scores.keysOfBlock(batch, head, begin, end);
    int64_t offset = shape.queryOffset(batch, begin, head);
    Panel<Compute> p{stack.take<Compute>(rows * shape.sk), keys};
    Panel<Compute> dS{stack.take<Compute>(rows * shape.sk), keys};
    auto q = load(t.q + offset, rows, dh, ld, stack);
    auto o = load(t.o + offset, rows, dh, ld, stack);
    auto dO = load(t.dO + offset, rows, dh, ld, stack);
    blasGemm(false, true, rows, keys, dh, Compute(scores.scale), q.data, q.ld,
             panels.k.data, panels.k.ld, Compute(0), p.data, p.ld);
    blasGemm(false, true, rows, keys, dh, Compute(1), dO.data, dO.ld,
             panels.v.data, panels.v.ld, Compute(0), dS.data, dS.ld);
    int64_t statistics = shape.lseOffset(batch, begin, head);
    for (int64_t i = 0; i < rows; ++i) {
      Compute delta = rowDot(dO.row(i), o.row(i), dh);
      if (t.dLse)
        delta -= t.dLse[statistics + i];
      differentiateRow(of, {batch, head, begin + i}, p.row(i), dS.row(i), keys,
                       t.lse[statistics + i], delta);
    }
    return {rows, keys, p, dS, q, dO};
  }

  const Scores<Compute> scores;
  const AttentionShape shape;
  const GradientInputs<Storage> t;

private:
  /// Scores become probabilities. A large lse has the size of the scores but
  /// not the digits of the logarithm of their sum: that is computed again.
  static void normalize(Compute *p, int64_t count, Compute lse) {
    if (std::abs(lse) <= Compute(largestExactLse)) {
      for (int64_t j = 0; j < count; ++j)
        p[j] = fastExp(p[j] - lse);
      return;
    }
    Compute inverse = 1 / rowExp(p, count, rowMax(p, count));
    for (int64_t j = 0; j < count; ++j)
      p[j] *= inverse;
  }

  /// Products become probabilities; dS, which holds the gradient of the
  /// probabilities, becomes that of the products or of the bias.
  void differentiateRow(Of of, const ScoreRow &at, Compute *p, Compute *dS,
                        int64_t keys, Compute lse, Compute delta) const {
    if (scores.seesNothing(at)) {
      std::fill_n(p, keys, 1 / static_cast<Compute>(shape.sk));
      std::fill_n(dS, keys, Compute(0));
      return;
    }
    int64_t valid = scores.keysBefore(at.query);
    for (int64_t j = 0; j < valid; ++j)
      dS[j] -= delta;
    scores.cap(p, valid, of == Of::Product ? dS : nullptr);
    scores.addBias(p, valid, at);
    normalize(p, valid, lse);
    for (int64_t j = 0; j < valid; ++j)
      dS[j] *= p[j];
    std::fill(p + valid, p + keys, Compute(0));
    std::fill(dS + valid, dS + keys, Compute(0));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Queries, keys and values
//===----------------------------------------------------------------------===//

namespace {
/// One task is one key head of one sequence: its query heads and their blocks
/// follow in order.
template <typename Storage> class Backward : ScoreGradients<Storage> {
  using Base = ScoreGradients<Storage>;
  using Base::scores, Base::shape, Base::t;
  using typename Base::Block, typename Base::KeyPanels;

public:
  using Compute = ComputeOf<Storage>;

  Backward(const Scores<Compute> &scores, const GradientInputs<Storage> &inputs,
           Storage *dQ, Storage *dK, Storage *dV)
      : Base(scores, inputs), dQ(dQ), dK(dK), dV(dV) {}

  void run(boost_rt_context &context) {
    context.pool.forTasks(shape.b * shape.kvh, [&](int64_t task, int thread) {
      void *scratch = context.scratch.get(thread, scratchBytes());
      keyHead(task / shape.kvh, task % shape.kvh, scratch);
    });
  }

private:
  struct KeyGradients {
    Panel<Compute> dK, dV;
  };

  int64_t scratchBytes() const {
    return this->blockBytes() +
           panelBytes<Storage>(shape.blockRows() * shape.dh) +
           2 * panelBytes<Storage>(shape.sk * shape.dh);
  }

  void clear(const Panel<Compute> &panel) const {
    for (int64_t i = 0; i < shape.sk; ++i)
      std::fill_n(panel.row(i), shape.dh, Compute(0));
  }

  void keyHead(int64_t batch, int64_t keyHeadIndex, void *scratch) {
    ScratchStack stack(scratch);
    int64_t sk = shape.sk, dh = shape.dh, ld = shape.keyStride();
    int64_t offset = shape.keyOffset(batch, keyHeadIndex);
    KeyPanels keys = this->loadKeys(batch, keyHeadIndex, stack);
    KeyGradients gradients{openResult(dK + offset, sk, dh, ld, stack),
                           openResult(dV + offset, sk, dh, ld, stack)};
    clear(gradients.dK);
    clear(gradients.dV);
    int64_t headsPerKey = shape.h / shape.kvh;
    for (int64_t i = 0; i < headsPerKey; ++i)
      for (int64_t row = 0; row < shape.sq; row += shape.blockRows())
        block(batch, keyHeadIndex * headsPerKey + i, row,
              std::min(shape.sq, row + shape.blockRows()), keys, gradients,
              stack);
    storeResult(gradients.dK, dK + offset, sk, dh, ld);
    storeResult(gradients.dV, dV + offset, sk, dh, ld);
  }

  /// `stack` is taken by value: every block starts where the keys end.
  void block(int64_t batch, int64_t head, int64_t begin, int64_t end,
             const KeyPanels &panels, const KeyGradients &gradients,
             ScratchStack stack) {
    auto [rows, keys, p, dS, q, dO] = this->computeBlock(
        Base::Of::Product, batch, head, begin, end, panels, stack);
    int64_t dh = shape.dh, ld = shape.queryStride();
    int64_t offset = shape.queryOffset(batch, begin, head);
    Compute scale = Compute(scores.scale);
    auto dQs = openResult(dQ + offset, rows, dh, ld, stack);
    blasGemm(true, false, keys, dh, rows, Compute(1), p.data, p.ld, dO.data,
             dO.ld, Compute(1), gradients.dV.data, gradients.dV.ld);
    blasGemm(true, false, keys, dh, rows, scale, dS.data, dS.ld, q.data, q.ld,
             Compute(1), gradients.dK.data, gradients.dK.ld);
    blasGemm(false, false, rows, dh, keys, scale, dS.data, dS.ld, panels.k.data,
             panels.k.ld, Compute(0), dQs.data, dQs.ld);
    storeResult(dQs, dQ + offset, rows, dh, ld);
  }

  Storage *dQ, *dK, *dV;
};
} // namespace

//===----------------------------------------------------------------------===//
// Bias
//===----------------------------------------------------------------------===//

namespace {
/// One task is one block of rows of the bias, or all of its only row, of one
/// head of one batch entry of the bias; what reads it follows in order.
template <typename Storage> class BiasBackward : ScoreGradients<Storage> {
  using Base = ScoreGradients<Storage>;
  using Base::scores, Base::shape;

public:
  using Compute = ComputeOf<Storage>;

  BiasBackward(const Scores<Compute> &scores,
               const GradientInputs<Storage> &inputs, Compute *dBias)
      : Base(scores, inputs), dBias{dBias, scores.bias.strides} {}

  void run(boost_rt_context &context) {
    Range batches = own(0, shape.b), heads = own(1, shape.h),
          blocks = own(2, shape.blocks());
    context.pool.forTasks(
        batches.tasks * heads.tasks * blocks.tasks,
        [&](int64_t task, int thread) {
          ScratchStack stack(context.scratch.get(thread, this->blockBytes()));
          add(batches.of(task / blocks.tasks / heads.tasks),
              heads.of(task / blocks.tasks % heads.tasks),
              blocks.of(task % blocks.tasks), stack);
        });
  }

private:
  /// Indices [begin, end) along one dimension.
  struct Indices {
    int64_t begin, end;
  };
  /// The division of a dimension among tasks: one index each, or all in one
  /// task.
  struct Range {
    int64_t tasks, count;

    Indices of(int64_t task) const {
      return {task * count, task * count + count};
    }
  };

  Range own(int dim, int64_t count) const {
    return dBias.strides[dim] ? Range{count, 1} : Range{1, count};
  }

  void add(Indices batches, Indices heads, Indices blocks,
           const ScratchStack &stack) {
    clear(batches.begin, heads.begin, blocks.begin);
    for (int64_t batch = batches.begin; batch < batches.end; ++batch)
      for (int64_t head = heads.begin; head < heads.end; ++head)
        for (int64_t index = blocks.begin; index < blocks.end; ++index)
          addBlock(batch, head, index, stack);
  }

  int64_t endOf(int64_t block) const {
    return std::min(shape.sq, (block + 1) * shape.blockRows());
  }

  void clear(int64_t batch, int64_t head, int64_t block) {
    int64_t begin = block * shape.blockRows();
    int64_t end = dBias.strides[2] ? endOf(block) : begin + 1;
    for (int64_t i = begin; i < end; ++i)
      std::fill_n(dBias.row(batch, head, i), dBias.keyStride() ? shape.sk : 1,
                  Compute(0));
  }

  void addBlock(int64_t batch, int64_t head, int64_t index,
                ScratchStack stack) {
    int64_t begin = index * shape.blockRows();
    auto panels = this->loadKeys(batch, shape.keyHeadOf(head), stack);
    auto block = this->computeBlock(Base::Of::Bias, batch, head, begin,
                                    endOf(index), panels, stack);
    for (int64_t i = 0; i < block.rows; ++i) {
      Compute *sums = dBias.row(batch, head, begin + i);
      const Compute *terms = block.dS.row(i);
      for (int64_t j = 0; j < block.keys; ++j)
        sums[j * dBias.keyStride()] += terms[j];
    }
  }

  ScoreTensor<Compute> dBias;
};
} // namespace

//===----------------------------------------------------------------------===//
// Functions of the runtime
//===----------------------------------------------------------------------===//

namespace {
/// The arguments that both functions have, before their types are known.
struct Arguments {
  void *q, *k, *v, *bias, *biasStrides, *mask, *maskStrides, *o, *lse, *dO,
      *dLse;
  AttentionShape shape;
  double scale, softCap;
  bool causal;

  template <typename Storage> Scores<ComputeOf<Storage>> scores() const {
    using Compute = ComputeOf<Storage>;
    return {shape,
            {static_cast<const Compute *>(bias),
             static_cast<const int64_t *>(biasStrides)},
            {static_cast<const uint8_t *>(mask),
             static_cast<const int64_t *>(maskStrides)},
            scale,
            softCap,
            causal};
  }
  template <typename Storage> GradientInputs<Storage> inputs() const {
    using Compute = ComputeOf<Storage>;
    return {static_cast<const Storage *>(q),   static_cast<const Storage *>(k),
            static_cast<const Storage *>(v),   static_cast<const Storage *>(o),
            static_cast<const Compute *>(lse), static_cast<const Storage *>(dO),
            static_cast<const Compute *>(dLse)};
  }
};
} // namespace

extern "C" void boost_rt_attention_backward(
    boost_rt_context *context, int32_t type, void *q, void *k, void *v,
    void *bias, void *biasStrides, void *mask, void *maskStrides, void *o,
    void *lse, void *dO, void *dLse, void *dQ, void *dK, void *dV, int64_t b,
    int64_t sq, int64_t sk, int64_t h, int64_t kvh, int64_t dh, double scale,
    double softCap, int32_t causal, int32_t) {
  TimedCall timed(context->record.timer);
  Arguments arguments{q,           k,           v,
                      bias,        biasStrides, mask,
                      maskStrides, o,           lse,
                      dO,          dLse,        {b, sq, sk, h, kvh, dh},
                      scale,       softCap,     causal != 0};
  dispatchFloat(static_cast<ElementType>(type), [&](auto *tag) {
    using Storage = std::remove_pointer_t<decltype(tag)>;
    Backward<Storage>(arguments.scores<Storage>(), arguments.inputs<Storage>(),
                      static_cast<Storage *>(dQ), static_cast<Storage *>(dK),
                      static_cast<Storage *>(dV))
        .run(*context);
  });
}

extern "C" void boost_rt_attention_bias_backward(
    boost_rt_context *context, int32_t type, void *q, void *k, void *v,
    void *bias, void *biasStrides, void *mask, void *maskStrides, void *o,
    void *lse, void *dO, void *dLse, void *dBias, int64_t b, int64_t sq,
    int64_t sk, int64_t h, int64_t kvh, int64_t dh, double scale,
    double softCap, int32_t causal) {
  TimedCall timed(context->record.timer);
  Arguments arguments{q,           k,           v,
                      bias,        biasStrides, mask,
                      maskStrides, o,           lse,
                      dO,          dLse,        {b, sq, sk, h, kvh, dh},
                      scale,       softCap,     causal != 0};
  dispatchFloat(static_cast<ElementType>(type), [&](auto *tag) {
    using Storage = std::remove_pointer_t<decltype(tag)>;
    BiasBackward<Storage>(arguments.scores<Storage>(),
                          arguments.inputs<Storage>(),
                          static_cast<ComputeOf<Storage> *>(dBias))
        .run(*context);
  });
}
