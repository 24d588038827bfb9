//===- Calls.cpp - The calls of a function, one by one --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "boost-runtime/Runtime.h"
#include "common/ElementType.h"
#include "common/Failure.h"

#include <algorithm>
#include <numeric>

using namespace boost_rt;

/// Calls while they are collected, else null.
static std::vector<Call> *collected = nullptr;

std::vector<Call>
boost_rt::collectCalls(const std::function<void()> &function) {
  std::vector<Call> calls;
  collected = &calls;
  function();
  collected = nullptr;
  return calls;
}

static void note(Call call) {
  if (!collected)
    return;
  auto known =
      std::find_if(collected->begin(), collected->end(), [&](const Call &c) {
        return c.function == call.function && c.form == call.form;
      });
  if (known == collected->end())
    collected->push_back(std::move(call));
  else
    ++known->count;
}

static std::string nameOf(int32_t type) {
  return boost_rt::nameOf(static_cast<ElementType>(type));
}

static double widthOf(int32_t type) {
  return static_cast<double>(sizeOf(static_cast<ElementType>(type)));
}

/// "4x16x64".
template <typename... Sizes> static std::string shape(Sizes... sizes) {
  std::string text;
  ((text += (text.empty() ? "" : "x") + std::to_string(sizes)), ...);
  return text;
}

/// Parameters of Functions.def, by which the runtime's function is called
/// again.
#define PTR void *
#define I64 int64_t
#define I32 int32_t
#define F32 float
#define F64 double
#define BOOST_RT_FUNCTION(name, ...)                                           \
  extern "C" void __real_boost_rt_##name(boost_rt_context *, __VA_ARGS__);     \
  extern "C" void __wrap_boost_rt_##name(boost_rt_context *, __VA_ARGS__);
#include "boost-runtime/Functions.def"
#undef PTR
#undef I64
#undef I32
#undef F32
#undef F64

/// Arrays of pointers are generated code's own: a later call needs a copy.
extern "C" void __wrap_boost_rt_launch(boost_rt_context *context, void *kernel,
                                       void *buffers, int64_t extent) {
  const auto &launched = *static_cast<const boost_rt_gpu_kernel *>(kernel);
  auto *first = static_cast<void **>(buffers);
  std::vector<void *> kept(first, first + launched.buffers);
  note({"launch", launched.name, 0, 0, 1, [=]() mutable {
          __real_boost_rt_launch(context, kernel, kept.data(), extent);
        }});
  __real_boost_rt_launch(context, kernel, buffers, extent);
}

extern "C" void __wrap_boost_rt_gemm(boost_rt_context *context,
                                     int32_t inputType, int32_t outputType,
                                     int32_t transposeA, int32_t transposeB,
                                     int64_t m, int64_t n, int64_t k, void *a,
                                     int64_t lda, int64_t strideA, void *b,
                                     int64_t ldb, int64_t strideB, void *c,
                                     int64_t ldc, int64_t strideC,
                                     int64_t batch, int32_t accumulate) {
  auto call = [=] {
    __real_boost_rt_gemm(context, inputType, outputType, transposeA, transposeB,
                         m, n, k, a, lda, strideA, b, ldb, strideB, c, ldc,
                         strideC, batch, accumulate);
  };
  auto size = [&](int64_t rows, int64_t columns, int64_t stride) {
    return static_cast<double>(rows * columns * (stride ? batch : 1));
  };
  note({"gemm",
        concat(shape(m, n, k), " of ", nameOf(inputType), " to ",
               nameOf(outputType), transposeA ? " A^T" : "",
               transposeB ? " B^T" : "", " batch ", batch,
               strideB ? "" : " with one B", accumulate ? " added" : ""),
        2.0 * static_cast<double>(m * n) * static_cast<double>(k * batch),
        widthOf(inputType) * (size(m, k, strideA) + size(k, n, strideB)) +
            widthOf(outputType) * (accumulate ? 2 : 1) * size(m, n, strideC),
        1, call});
  call();
}

/// Products of attention: 2 forward, and 5 backward.
static double attentionFlops(int products, int64_t b, int64_t sq, int64_t sk,
                             int64_t h, int64_t dh, bool causal) {
  return 2.0 * products * static_cast<double>(b * h * sq) *
         static_cast<double>(sk * dh) * (causal ? 0.5 : 1);
}

extern "C" void __wrap_boost_rt_attention_forward(
    boost_rt_context *context, int32_t type, void *q, void *k, void *v,
    void *bias, void *biasStrides, void *mask, void *maskStrides, void *o,
    void *lse, int64_t b, int64_t sq, int64_t sk, int64_t h, int64_t kvh,
    int64_t dh, double scale, double softCap, int32_t causal) {
  auto call = [=] {
    __real_boost_rt_attention_forward(context, type, q, k, v, bias, biasStrides,
                                      mask, maskStrides, o, lse, b, sq, sk, h,
                                      kvh, dh, scale, softCap, causal);
  };
  note({"attention_forward",
        concat(shape(b, sq, h, dh), " of ", nameOf(type), ", ", kvh,
               " key heads"),
        attentionFlops(2, b, sq, sk, h, dh, causal), 0, 1, call});
  call();
}

extern "C" void __wrap_boost_rt_attention_backward(
    boost_rt_context *context, int32_t type, void *q, void *k, void *v,
    void *bias, void *biasStrides, void *mask, void *maskStrides, void *o,
    void *lse, void *dO, void *dLse, void *dq, void *dk, void *dv, int64_t b,
    int64_t sq, int64_t sk, int64_t h, int64_t kvh, int64_t dh, double scale,
    double softCap, int32_t causal, int32_t nondeterministic) {
  auto call = [=] {
    __real_boost_rt_attention_backward(
        context, type, q, k, v, bias, biasStrides, mask, maskStrides, o, lse,
        dO, dLse, dq, dk, dv, b, sq, sk, h, kvh, dh, scale, softCap, causal,
        nondeterministic);
  };
  note({"attention_backward",
        concat(shape(b, sq, h, dh), " of ", nameOf(type), ", ", kvh,
               " key heads"),
        attentionFlops(5, b, sq, sk, h, dh, causal), 0, 1, call});
  call();
}

extern "C" void __wrap_boost_rt_embedding(boost_rt_context *context,
                                          int32_t type, void *table, void *ids,
                                          void *out, int64_t rows,
                                          int64_t columns, int64_t count) {
  auto call = [=] {
    __real_boost_rt_embedding(context, type, table, ids, out, rows, columns,
                              count);
  };
  note({"embedding", concat(shape(count, columns), " of ", nameOf(type)), 0,
        2 * widthOf(type) * static_cast<double>(count * columns), 1, call});
  call();
}

extern "C" void __wrap_boost_rt_adamw(boost_rt_context *context, int32_t type,
                                      int32_t gradType, int64_t tensors,
                                      void *buffers, void *counts,
                                      void *decays) {
  std::vector<void *> data(static_cast<void **>(buffers),
                           static_cast<void **>(buffers) +
                               BOOST_RT_ADAMW_NUMBERS + 4 * tensors);
  const auto *sizes = static_cast<int64_t *>(counts);
  int64_t elements = std::accumulate(sizes, sizes + tensors, int64_t(0));
  auto call = [=]() mutable {
    __real_boost_rt_adamw(context, type, gradType, tensors, data.data(), counts,
                          decays);
  };
  // p, m and v are read and written.
  note({"adamw", concat(tensors, " tensors, ", elements, " of ", nameOf(type)),
        0,
        static_cast<double>(elements) *
            (2 * widthOf(type) + widthOf(gradType) + 4 * sizeof(float)),
        1, call});
  call();
}

extern "C" void __wrap_boost_rt_adamw_rounded(boost_rt_context *context,
                                              int32_t roundedType,
                                              int32_t gradType, int64_t tensors,
                                              void *buffers, void *counts,
                                              void *decays) {
  std::vector<void *> data(static_cast<void **>(buffers),
                           static_cast<void **>(buffers) +
                               BOOST_RT_ADAMW_NUMBERS + 5 * tensors);
  const auto *sizes = static_cast<int64_t *>(counts);
  int64_t elements = std::accumulate(sizes, sizes + tensors, int64_t(0));
  auto call = [=]() mutable {
    __real_boost_rt_adamw_rounded(context, roundedType, gradType, tensors,
                                  data.data(), counts, decays);
  };
  // The master, m and v are read and written.
  note({"adamw",
        concat(tensors, " tensors, ", elements, " of f32 and ",
               nameOf(roundedType)),
        0,
        static_cast<double>(elements) *
            (widthOf(roundedType) + widthOf(gradType) + 6 * sizeof(float)),
        1, call});
  call();
}

extern "C" void __wrap_boost_rt_sum_of_squares(boost_rt_context *context,
                                               int64_t tensors, void *buffers,
                                               void *counts, void *types,
                                               void *out) {
  std::vector<void *> data(static_cast<void **>(buffers),
                           static_cast<void **>(buffers) + tensors);
  std::vector<int64_t> sizes(static_cast<int64_t *>(counts),
                             static_cast<int64_t *>(counts) + tensors);
  std::vector<int32_t> kinds(static_cast<int32_t *>(types),
                             static_cast<int32_t *>(types) + tensors);
  double bytes = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    bytes += static_cast<double>(sizes[i]) * widthOf(kinds[i]);
  note({"sum_of_squares", concat(tensors, " tensors"), 0, bytes, 1,
        [=]() mutable {
          __real_boost_rt_sum_of_squares(context, tensors, data.data(),
                                         sizes.data(), kinds.data(), out);
        }});
  __real_boost_rt_sum_of_squares(context, tensors, buffers, counts, types, out);
}
