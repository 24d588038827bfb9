//===- Kernels.cpp - Launches, copies, embeddings and AdamW on the CPU ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/ElementType.h"
#include "cpu/Context.h"

#include <cmath>
#include <cstring>

using namespace boost_rt;

/// Borders between threads are multiples of this many elements or bytes: whole
/// cache lines, and long enough to be worth a thread.
static constexpr int64_t elementGrain = 4096;
static constexpr int64_t byteGrain = int64_t(64) * 1024;

extern "C" void boost_rt_launch(boost_rt_context *context, void *kernel,
                                void *buffers, int64_t extent) {
  TimedCall timed(context->record.timer);
  auto function = reinterpret_cast<boost_rt_kernel>(kernel);
  context->pool.forRange(extent, 1, [&](int64_t begin, int64_t end, int) {
    function(begin, end, static_cast<void *const *>(buffers));
  });
}

extern "C" void boost_rt_copy(boost_rt_context *context, void *dst, void *src,
                              int64_t bytes) {
  TimedCall timed(context->record.timer);
  context->pool.forRange(bytes, byteGrain,
                         [&](int64_t begin, int64_t end, int) {
                           std::memcpy(static_cast<char *>(dst) + begin,
                                       static_cast<char *>(src) + begin,
                                       static_cast<size_t>(end - begin));
                         });
}

extern "C" void boost_rt_probe(boost_rt_context *context, int32_t site,
                               int32_t type, void *data, int64_t count) {
  const RunRecord &record = context->record;
  if (record.onProbe)
    record.onProbe(site, static_cast<boost_rt_type>(type), data, count);
}

//===----------------------------------------------------------------------===//
// Embedding
//===----------------------------------------------------------------------===//

static int64_t clampedId(int32_t id, int64_t rows) {
  return std::clamp<int64_t>(id, 0, rows - 1);
}

extern "C" void boost_rt_embedding(boost_rt_context *context, int32_t type,
                                   void *table, void *ids, void *out,
                                   int64_t rows, int64_t columns,
                                   int64_t count) {
  TimedCall timed(context->record.timer);
  int64_t bytes = columns * sizeOf(static_cast<ElementType>(type));
  int64_t grain = std::max<int64_t>(1, byteGrain / std::max<int64_t>(1, bytes));
  context->pool.forRange(count, grain, [&](int64_t begin, int64_t end, int) {
    for (int64_t i = begin; i < end; ++i)
      std::memcpy(static_cast<char *>(out) + i * bytes,
                  static_cast<char *>(table) +
                      clampedId(static_cast<int32_t *>(ids)[i], rows) * bytes,
                  static_cast<size_t>(bytes));
  });
}

/// Sorts positions by id, equal ids in increasing position: the positions of
/// row r are order[starts[r], starts[r + 1]). `starts` has rows + 2 entries.
static void sortByRow(const int32_t *ids, int64_t rows, int64_t count,
                      int64_t *starts, int64_t *order) {
  std::fill_n(starts, rows + 2, 0);
  for (int64_t i = 0; i < count; ++i)
    ++starts[clampedId(ids[i], rows) + 2];
  for (int64_t row = 2; row <= rows + 1; ++row)
    starts[row] += starts[row - 1];
  // starts[r + 1] is the next free entry of row r; it ends as the row's end.
  for (int64_t i = 0; i < count; ++i)
    order[starts[clampedId(ids[i], rows) + 1]++] = i;
}

/// Rows of a gradient in one type, summed in f32 (f64 for f64).
template <typename T>
static void sumRows(const T *grad, const int64_t *begin, const int64_t *end,
                    T *out, int64_t columns) {
  using Sum = std::conditional_t<std::is_same_v<T, double>, double, float>;
  constexpr int64_t width = 256;
  for (int64_t column = 0; column < columns; column += width) {
    int64_t used = std::min(width, columns - column);
    Sum sums[width] = {};
    for (const int64_t *i = begin; i != end; ++i)
      for (int64_t j = 0; j < used; ++j)
        sums[j] += Sum(grad[*i * columns + column + j]);
    for (int64_t j = 0; j < used; ++j)
      out[column + j] = T(sums[j]);
  }
}

extern "C" void boost_rt_embedding_grad(boost_rt_context *context, int32_t type,
                                        void *ids, void *grad, void *table,
                                        int64_t rows, int64_t columns,
                                        int64_t count) {
  TimedCall timed(context->record.timer);
  int64_t bytes = ScratchStack::paddedBytes<int64_t>(rows + 2) +
                  ScratchStack::paddedBytes<int64_t>(count);
  ScratchStack stack(context->scratch.get(0, bytes));
  int64_t *starts = stack.take<int64_t>(rows + 2);
  int64_t *order = stack.take<int64_t>(count);
  sortByRow(static_cast<int32_t *>(ids), rows, count, starts, order);
  constexpr int64_t rowsPerTask = 32;
  dispatchFloat(static_cast<ElementType>(type), [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    context->pool.forTasks(
        (rows + rowsPerTask - 1) / rowsPerTask, [&](int64_t task, int) {
          int64_t end = std::min(rows, (task + 1) * rowsPerTask);
          for (int64_t row = task * rowsPerTask; row < end; ++row)
            sumRows(static_cast<const T *>(grad), order + starts[row],
                    order + starts[row + 1],
                    static_cast<T *>(table) + row * columns, columns);
        });
  });
}

//===----------------------------------------------------------------------===//
// Optimizer
//===----------------------------------------------------------------------===//

namespace {
struct AdamW {
  float beta1, beta2, share1, share2, eps, scale;
  /// lr / (1 - beta1^t), 1 / sqrt(1 - beta2^t), epsRoot (1 - beta2^t), and
  /// 1 - lr decay or 1.
  float stepSize, rootCorrection, epsRoot, shrink;
};
} // namespace

/// The bits of a float without its sign: as integers they are ordered like the
/// magnitudes, with infinity and NaN beyond all others.
template <typename T> static auto magnitudeBits(T value) {
  using Bits = std::conditional_t<
      sizeof(T) == 2, uint16_t,
      std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
  Bits bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<Bits>(bits & (Bits(~Bits(0)) >> 1));
}

/// Returns whether all parameters and second moments are finite: they are at
/// hand, and a maximum of integers keeps the loop a vector loop. A first moment
/// that is not finite makes its parameter so; an infinite second one stops it.
/// Rounded parameters are written too if there is a type for them.
template <typename T, typename Grad, typename Rounded = void>
static bool adamwRange(const AdamW &a, T *__restrict p, float *__restrict m,
                       float *__restrict v, const Grad *__restrict g,
                       int64_t begin, int64_t end,
                       Rounded *__restrict rounded = nullptr) {
  using Compute = std::conditional_t<std::is_same_v<T, double>, double, float>;
  auto largestP = magnitudeBits(T(0.0f));
  auto largestV = magnitudeBits(0.0f);
  for (int64_t i = begin; i < end; ++i) {
    float gradient = a.scale * static_cast<float>(g[i]);
    float newM = a.beta1 * m[i] + a.share1 * gradient;
    float newV = a.beta2 * v[i] + a.share2 * gradient * gradient;
    m[i] = newM;
    v[i] = newV;
    float denominator = std::sqrt(newV + a.epsRoot) * a.rootCorrection + a.eps;
    Compute value = Compute(p[i]) * Compute(a.shrink);
    T newP = T(value - Compute(a.stepSize * newM / denominator));
    p[i] = newP;
    if constexpr (!std::is_void_v<Rounded>)
      rounded[i] = Rounded(newP);
    largestP = std::max(largestP, magnitudeBits(newP));
    largestV = std::max(largestV, magnitudeBits(newV));
  }
  return largestP < magnitudeBits(T(HUGE_VALF)) &&
         largestV < magnitudeBits(HUGE_VALF);
}

/// `buffers` are p, m, v and g.
template <typename T, typename Grad>
static void updateTensor(boost_rt_context &context, const AdamW &a,
                         void *const *buffers, int64_t count) {
  auto *p = static_cast<T *>(buffers[0]);
  auto *m = static_cast<float *>(buffers[1]);
  auto *v = static_cast<float *>(buffers[2]);
  const auto *g = static_cast<const Grad *>(buffers[3]);
  context.pool.forRange(count, elementGrain,
                        [&](int64_t begin, int64_t end, int) {
                          if (!adamwRange(a, p, m, v, g, begin, end))
                            context.record.updatedToNonFinite.store(
                                true, std::memory_order_relaxed);
                        });
}

using UpdateTensor = void (*)(boost_rt_context &, const AdamW &, void *const *,
                              int64_t);

template <typename T> static UpdateTensor getUpdate(ElementType gradType) {
  if constexpr (std::is_same_v<T, float>) {
    if (gradType == BOOST_RT_BF16)
      return updateTensor<T, BFloat16>;
    if (gradType == BOOST_RT_F16)
      return updateTensor<T, Float16>;
  }
  return gradType == BOOST_RT_F32 ? updateTensor<T, float> : updateTensor<T, T>;
}

/// `buffers` are the f32 master, m, v, g and the rounded parameter.
template <typename Rounded, typename Grad>
static void updateMaster(boost_rt_context &context, const AdamW &a,
                         void *const *buffers, int64_t count) {
  auto *p = static_cast<float *>(buffers[0]);
  auto *m = static_cast<float *>(buffers[1]);
  auto *v = static_cast<float *>(buffers[2]);
  const auto *g = static_cast<const Grad *>(buffers[3]);
  auto *rounded = static_cast<Rounded *>(buffers[4]);
  context.pool.forRange(count, elementGrain,
                        [&](int64_t begin, int64_t end, int) {
                          if (!adamwRange(a, p, m, v, g, begin, end, rounded))
                            context.record.updatedToNonFinite.store(
                                true, std::memory_order_relaxed);
                        });
}

template <typename Rounded>
static UpdateTensor getMasterUpdate(ElementType gradType) {
  if (gradType == BOOST_RT_BF16)
    return updateMaster<Rounded, BFloat16>;
  return gradType == BOOST_RT_F16 ? updateMaster<Rounded, Float16>
                                  : updateMaster<Rounded, float>;
}

/// `update` on tensors of `width` buffers each.
static void runAdamW(boost_rt_context *context, UpdateTensor update,
                     int64_t width, int64_t tensors, void *buffers,
                     void *counts, void *decays) {
  auto **numbers = static_cast<float **>(buffers);
  auto read = [&](boost_rt_adamw_number number) { return *numbers[number]; };
  double rate = read(BOOST_RT_ADAMW_LR), step = read(BOOST_RT_ADAMW_STEP);
  auto correct = [&](double beta) { return 1.0 - std::pow(beta, step); };
  double correction1 = correct(read(BOOST_RT_ADAMW_BETA1));
  double correction2 = correct(read(BOOST_RT_ADAMW_BETA2));
  AdamW a{read(BOOST_RT_ADAMW_BETA1),
          read(BOOST_RT_ADAMW_BETA2),
          read(BOOST_RT_ADAMW_SHARE1),
          read(BOOST_RT_ADAMW_SHARE2),
          read(BOOST_RT_ADAMW_EPS),
          read(BOOST_RT_ADAMW_SCALE),
          static_cast<float>(rate / correction1),
          static_cast<float>(1.0 / std::sqrt(correction2)),
          static_cast<float>(read(BOOST_RT_ADAMW_EPS_ROOT) * correction2),
          1.0f};
  float shrinkOfDecaying =
      static_cast<float>(1.0 - rate * read(BOOST_RT_ADAMW_DECAY));
  for (int64_t i = 0; i < tensors; ++i) {
    a.shrink = static_cast<int32_t *>(decays)[i] ? shrinkOfDecaying : 1.0f;
    update(*context, a,
           static_cast<void **>(buffers) + BOOST_RT_ADAMW_NUMBERS + width * i,
           static_cast<int64_t *>(counts)[i]);
  }
}

extern "C" void boost_rt_adamw(boost_rt_context *context, int32_t type,
                               int32_t gradType, int64_t tensors, void *buffers,
                               void *counts, void *decays) {
  TimedCall timed(context->record.timer);
  UpdateTensor update = nullptr;
  dispatchFloat(static_cast<ElementType>(type), [&](auto *tag) {
    update = getUpdate<std::remove_pointer_t<decltype(tag)>>(
        static_cast<ElementType>(gradType));
  });
  runAdamW(context, update, 4, tensors, buffers, counts, decays);
}

extern "C" void boost_rt_adamw_rounded(boost_rt_context *context,
                                       int32_t roundedType, int32_t gradType,
                                       int64_t tensors, void *buffers,
                                       void *counts, void *decays) {
  TimedCall timed(context->record.timer);
  auto ofGradient = static_cast<ElementType>(gradType);
  UpdateTensor update = roundedType == BOOST_RT_BF16
                            ? getMasterUpdate<BFloat16>(ofGradient)
                            : getMasterUpdate<Float16>(ofGradient);
  runAdamW(context, update, 5, tensors, buffers, counts, decays);
}

template <typename T>
static double sumOfSquares(const T *x, int64_t begin, int64_t end) {
  constexpr int width = 8;
  double partial[width] = {};
  int64_t i = begin;
  for (; i + width <= end; i += width)
    for (int j = 0; j < width; ++j) {
      double value = x[i + j];
      partial[j] += value * value;
    }
  for (int j = 0; i < end; ++i, ++j)
    partial[j] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  double sum = 0;
  for (double value : partial)
    sum += value;
  return sum;
}

extern "C" void boost_rt_sum_of_squares(boost_rt_context *context,
                                        int64_t tensors, void *buffers,
                                        void *counts, void *types, void *out) {
  TimedCall timed(context->record.timer);
  // The number of parts does not depend on the number of threads, so neither
  // does the sum.
  constexpr int64_t parts = 64;
  double partial[parts];
  double total = 0;
  for (int64_t tensor = 0; tensor < tensors; ++tensor) {
    int64_t count = static_cast<int64_t *>(counts)[tensor];
    void *data = static_cast<void **>(buffers)[tensor];
    auto type = static_cast<ElementType>(static_cast<int32_t *>(types)[tensor]);
    int64_t grain = count < elementGrain ? parts : 1;
    dispatchFloat(type, [&](auto *tag) {
      using T = std::remove_pointer_t<decltype(tag)>;
      context->pool.forRange(
          parts, grain, [&](int64_t begin, int64_t end, int) {
            for (int64_t part = begin; part < end; ++part)
              partial[part] = sumOfSquares(static_cast<const T *>(data),
                                           count * part / parts,
                                           count * (part + 1) / parts);
          });
    });
    for (double value : partial)
      total += value;
  }
  *static_cast<float *>(out) = static_cast<float>(total);
}
