//===- Attention.cpp - Attention on the CPU -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scores of one block of query rows of one head are held at a time, in the
// thread's scratch, so that softmax sees whole rows and the products go to
// BLAS. A causal block reads only the keys up to its last row.
//
//===----------------------------------------------------------------------===//

#include "cpu/AttentionScores.h"

using namespace boost_rt;

namespace {
template <typename Storage> class Forward {
public:
  using Compute = ComputeOf<Storage>;

  Forward(const Scores<Compute> &scores, const Storage *q, const Storage *k,
          const Storage *v, Storage *o, Compute *lse)
      : scores(scores), shape(scores.shape), q(q), k(k), v(v), o(o), lse(lse) {}

  void run(boost_rt_context &context) {
    int64_t blocks = shape.blocks();
    context.pool.forTasks(
        shape.b * shape.h * blocks, [&](int64_t task, int thread) {
          void *scratch = context.scratch.get(thread, scratchBytes());
          int64_t row = task % blocks * shape.blockRows();
          block(task / blocks / shape.h, task / blocks % shape.h, row,
                std::min(shape.sq, row + shape.blockRows()), scratch);
        });
  }

private:
  int64_t scratchBytes() const {
    int64_t rows = shape.blockRows();
    return ScratchStack::paddedBytes<Compute>(rows * shape.sk) +
           2 * panelBytes<Storage>(rows * shape.dh) +
           2 * panelBytes<Storage>(shape.sk * shape.dh);
  }

  void block(int64_t batch, int64_t head, int64_t begin, int64_t end,
             void *scratch) {
    ScratchStack stack(scratch);
    int64_t rows = end - begin, dh = shape.dh;
    int64_t keys = scores.keysOfBlock(batch, head, begin, end);
    int64_t queryOffset = shape.queryOffset(batch, begin, head);
    int64_t keyOffset = shape.keyOffset(batch, shape.keyHeadOf(head));
    Panel<Compute> p{stack.take<Compute>(rows * shape.sk), keys};
    auto qs = load(q + queryOffset, rows, dh, shape.queryStride(), stack);
    auto ks = load(k + keyOffset, keys, dh, shape.keyStride(), stack);
    auto vs = load(v + keyOffset, keys, dh, shape.keyStride(), stack);
    auto os = openResult(o + queryOffset, rows, dh, shape.queryStride(), stack);
    blasGemm(false, true, rows, keys, dh, Compute(scores.scale), qs.data, qs.ld,
             ks.data, ks.ld, Compute(0), p.data, p.ld);
    Compute inverse[maxBlockRows];
    Compute *statistics = lse + shape.lseOffset(batch, begin, head);
    for (int64_t i = 0; i < rows; ++i) {
      Compute sum =
          exponentiate(p.row(i), {batch, head, begin + i}, keys, statistics[i]);
      inverse[i] = 1 / sum;
    }
    blasGemm(false, false, rows, dh, keys, Compute(1), p.data, p.ld, vs.data,
             vs.ld, Compute(0), os.data, os.ld);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < dh; ++j)
        os.row(i)[j] *= inverse[i];
    storeResult(os, o + queryOffset, rows, dh, shape.queryStride());
  }

  /// Products become terms of the softmax denominator, which is returned.
  Compute exponentiate(Compute *row, const ScoreRow &at, int64_t keys,
                       Compute &logarithm) const {
    if (scores.seesNothing(at)) {
      std::fill_n(row, shape.sk, Compute(1));
      logarithm = std::log(static_cast<Compute>(shape.sk));
      return static_cast<Compute>(shape.sk);
    }
    int64_t valid = scores.keysBefore(at.query);
    scores.cap(row, valid, nullptr);
    scores.addBias(row, valid, at);
    Compute largest = rowMax(row, valid);
    Compute sum = rowExp(row, valid, largest);
    std::fill(row + valid, row + keys, Compute(0));
    logarithm = largest + std::log(sum);
    return sum;
  }

  const Scores<Compute> scores;
  const AttentionShape shape;
  const Storage *q, *k, *v;
  Storage *o;
  Compute *lse;
};
} // namespace

extern "C" void boost_rt_attention_forward(
    boost_rt_context *context, int32_t type, void *q, void *k, void *v,
    void *bias, void *biasStrides, void *mask, void *maskStrides, void *o,
    void *lse, int64_t b, int64_t sq, int64_t sk, int64_t h, int64_t kvh,
    int64_t dh, double scale, double softCap, int32_t causal) {
  TimedCall timed(context->record.timer);
  dispatchFloat(static_cast<ElementType>(type), [&](auto *tag) {
    using Storage = std::remove_pointer_t<decltype(tag)>;
    using Compute = ComputeOf<Storage>;
    Scores<Compute> scores{{b, sq, sk, h, kvh, dh},
                           {static_cast<const Compute *>(bias),
                            static_cast<const int64_t *>(biasStrides)},
                           {static_cast<const uint8_t *>(mask),
                            static_cast<const int64_t *>(maskStrides)},
                           scale,
                           softCap,
                           causal != 0};
    Forward<Storage>(scores, static_cast<Storage *>(q),
                     static_cast<Storage *>(k), static_cast<Storage *>(v),
                     static_cast<Storage *>(o), static_cast<Compute *>(lse))
        .run(*context);
  });
}
