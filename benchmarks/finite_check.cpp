//===- finite_check.cpp - What the finite check of AdamW costs ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times the update of parameters with and without its check for values that
// are not finite. Both take turns on the same arrays; the ratio of the shortest
// times counts. Prints a Markdown page.
//
//     clang++-22 -std=c++17 -O3 -march=x86-64-v3 -ffp-contract=fast \
//       -fno-math-errno -fno-trapping-math -Iruntime/include -Iruntime/lib \
//       benchmarks/finite_check.cpp -lpthread -o finite_check
//     ./finite_check > docs/benchmarks/FiniteCheck.md
//
//===----------------------------------------------------------------------===//

// The loop itself is not part of any interface.
#include "../runtime/lib/common/ElementType.cpp"
#include "../runtime/lib/cpu/Kernels.cpp"
#include "../runtime/lib/cpu/ThreadPool.cpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>

void boost_rt::abortProgram(const std::string &) { std::abort(); }

namespace {

/// adamwRange without its two maxima.
template <typename T>
void updateUnchecked(const AdamW &a, T *__restrict p, float *__restrict m,
                     float *__restrict v, const T *__restrict g,
                     int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    float gradient = a.scale * static_cast<float>(g[i]);
    float newM = a.beta1 * m[i] + (1.0f - a.beta1) * gradient;
    float newV = a.beta2 * v[i] + (1.0f - a.beta2) * gradient * gradient;
    m[i] = newM;
    v[i] = newV;
    float denominator = std::sqrt(newV) * a.rootCorrection + a.eps;
    p[i] = T(static_cast<float>(p[i]) * a.shrink -
             a.stepSize * newM / denominator);
  }
}

template <typename Work> double secondsOf(Work &&work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/// One row of the table: `count` parameters of type T.
template <typename T> void measure(const char *type, int64_t count) {
  const AdamW a{0.9f, 0.999f, 1e-8f, 1.0f, 1e-3f, 1.0f, 0.9999f};
  std::vector<T> p(count, T(0.02f)), g(count, T(0.001f));
  std::vector<float> m(count), v(count);
  double checked = std::numeric_limits<double>::infinity(), plain = checked;
  const int64_t rounds = std::max<int64_t>(20, (int64_t(1) << 28) / count);
  bool isFinite = true;
  for (int64_t round = 0; round < rounds; ++round) {
    checked = std::min(checked, secondsOf([&] {
                         isFinite &= adamwRange(a, p.data(), m.data(), v.data(),
                                                g.data(), 0, count);
                       }));
    plain = std::min(plain, secondsOf([&] {
                       updateUnchecked(a, p.data(), m.data(), v.data(),
                                       g.data(), count);
                     }));
  }
  std::printf("| %s | %lld | %.3f | %.3f | %.3f |%s\n", type,
              static_cast<long long>(count), plain / count * 1e9,
              checked / count * 1e9, checked / plain,
              isFinite ? "" : " not finite");
}

} // namespace

int main() {
  std::printf(
      "# The cost of AdamW's finite check\n\n"
      "The table shows the shortest time of an update with and without its "
      "check. Both run on one thread, in turn,\non the same arrays. Made by "
      "`benchmarks/finite_check.cpp`, which describes the method.\n\n"
      "| type | parameters | ns each without | ns each with | ratio |\n"
      "|---|---|---|---|---|\n");
  for (int64_t count : {int64_t(1) << 14, int64_t(1) << 20, int64_t(1) << 25}) {
    measure<float>("f32", count);
    measure<BFloat16>("bf16", count);
  }
  return 0;
}
