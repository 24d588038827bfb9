//===- KernelsTest.cpp - Launches, embeddings, AdamW, sums of squares -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"
#include "cpu/VectorMath.h"

#include <numeric>

using namespace boost_rt;

// Every function that the compiler may call is there.
TEST(Functions, areAllDefined) {
  struct {
    const char *name;
    const void *address;
  } functions[] = {
#define BOOST_RT_FUNCTION(name, ...)                                           \
  {#name, reinterpret_cast<const void *>(&boost_rt_##name)},
#include "boost-runtime/Functions.def"
  };
  for (const auto &function : functions)
    EXPECT_NE(function.address, nullptr) << function.name;
}

static void countRows(int64_t begin, int64_t end, void *const *buffers) {
  for (int64_t i = begin; i < end; ++i)
    ++static_cast<int *>(buffers[0])[i];
}

TEST(Launch, runsEveryRowOnce) {
  for (int threads : {1, 2, 5})
    for (int64_t extent : {0, 1, 3, 64, 1001}) {
      OneRank rank(threads);
      std::vector<int> counts(static_cast<size_t>(extent) + 1);
      void *buffers[] = {counts.data()};
      for (int repeat = 1; repeat <= 20; ++repeat) {
        boost_rt_launch(rank.get(), reinterpret_cast<void *>(&countRows),
                        buffers, extent);
        std::vector<int> expected(counts.size(), repeat);
        expected.back() = 0;
        ASSERT_EQ(counts, expected) << threads << " threads, " << extent;
      }
    }
}

// Workers fall asleep between two launches and must not miss the second.
TEST(Launch, wakesSleepingThreads) {
  OneRank rank(4);
  std::vector<int> counts(64);
  void *buffers[] = {counts.data()};
  for (int repeat = 0; repeat < 5; ++repeat) {
    boost_rt_launch(rank.get(), reinterpret_cast<void *>(&countRows), buffers,
                    64);
    ::usleep(3000);
  }
  EXPECT_EQ(counts, std::vector<int>(64, 5));
}

TEST(Copy, copiesEveryByte) {
  OneRank rank(3);
  std::vector<float> src(300001), dst(src.size());
  std::iota(src.begin(), src.end(), 0.0f);
  boost_rt_copy(rank.get(), dst.data(), src.data(),
                static_cast<int64_t>(src.size() * sizeof(float)));
  EXPECT_EQ(src, dst);
}

TEST(Embedding, readsRowsAndClampsIds) {
  OneRank rank(2);
  std::vector<float> table{0, 1, 10, 11, 20, 21}, out(10);
  std::vector<int32_t> ids{2, 0, -4, 7, 1};
  boost_rt_embedding(rank.get(), BOOST_RT_F32, table.data(), ids.data(),
                     out.data(), 3, 2, 5);
  EXPECT_EQ(out, (std::vector<float>{20, 21, 0, 1, 0, 1, 20, 21, 10, 11}));
}

template <typename T> static void checkEmbeddingGrad(int threads) {
  constexpr int64_t rows = 50, columns = 300, count = 400;
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < count; ++i)
    ids.push_back(static_cast<int32_t>(i * i % rows) - 1);
  auto grad = randomValues<T>(count * columns, "grad");
  std::vector<T> table(rows * columns, T(1.0f));
  OneRank rank(threads);
  boost_rt_embedding_grad(rank.get(), typeOf<T>(), ids.data(), grad.data(),
                          table.data(), rows, columns, count);
  std::vector<double> expected(table.size());
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < columns; ++j)
      expected[static_cast<size_t>(std::max(ids[i], 0) * columns + j)] +=
          static_cast<double>(grad[i * columns + j]);
  EXPECT_LT(relativeError(table, expected), epsilonOf<T>() + 4e-7);
}

TEST(EmbeddingGrad, addsRows) {
  checkEmbeddingGrad<float>(1);
  checkEmbeddingGrad<float>(3);
  checkEmbeddingGrad<double>(2);
  checkEmbeddingGrad<BFloat16>(2);
}

/// The numbers of an update, which it reads from memory.
struct AdamWNumbers {
  float lr = 1e-2f, step = 1, scale = 1;
  float beta1 = 0.9f, beta2 = 0.95f, eps = 1e-8f, decay = 0.1f;
  float share1 = 1 - beta1, share2 = 1 - beta2, epsRoot = 0;

  /// Their addresses, in the order of boost_rt_adamw_number.
  std::vector<void *> addresses() {
    return {&lr,     &step,   &scale, &beta1,   &beta2,
            &share1, &share2, &eps,   &epsRoot, &decay};
  }
};

/// Updates one tensor, or, of several flags, the parts of it as tensors of
/// their own.
template <typename T, typename Grad>
static void adamw(OneRank &rank, std::vector<T> &p, std::vector<float> &m,
                  std::vector<float> &v, std::vector<Grad> &g,
                  AdamWNumbers numbers = {},
                  std::vector<int32_t> decays = {true}) {
  auto count = static_cast<int64_t>(p.size());
  auto tensors = static_cast<int64_t>(decays.size());
  std::vector<void *> buffers = numbers.addresses();
  std::vector<int64_t> counts;
  for (int64_t i = 0; i < tensors; ++i) {
    int64_t begin = count * i / tensors;
    buffers.insert(buffers.end(), {p.data() + begin, m.data() + begin,
                                   v.data() + begin, g.data() + begin});
    counts.push_back(count * (i + 1) / tensors - begin);
  }
  boost_rt_adamw(rank.get(), typeOf<T>(), typeOf<Grad>(), tensors,
                 buffers.data(), counts.data(), decays.data());
}

static void checkAdamW(const AdamWNumbers &numbers, bool decays) {
  constexpr int64_t count = 10001;
  double beta1 = numbers.beta1, beta2 = numbers.beta2;
  double decay = decays ? numbers.decay : 0;
  auto p = randomValues<float>(count, "p"), m = randomValues<float>(count, "m");
  auto v = randomValues<float>(count, "v"), g = randomValues<float>(count, "g");
  for (float &value : v)
    value *= value;
  std::vector<double> expected;
  for (size_t i = 0; i < count; ++i) {
    double gradient = static_cast<double>(numbers.scale) * g[i];
    double newM = beta1 * m[i] + double(numbers.share1) * gradient;
    double newV = beta2 * v[i] + double(numbers.share2) * gradient * gradient;
    double mHat = newM / (1 - std::pow(beta1, numbers.step));
    double vHat = newV / (1 - std::pow(beta2, numbers.step));
    expected.push_back(p[i] - static_cast<double>(numbers.lr) *
                                  (mHat / (std::sqrt(vHat + numbers.epsRoot) +
                                           static_cast<double>(numbers.eps)) +
                                   decay * p[i]));
  }
  OneRank rank(2);
  adamw(rank, p, m, v, g, numbers, {decays});
  EXPECT_LT(relativeError(p, expected), 3e-7);
}

TEST(AdamW, followsTheAlgorithm) {
  for (bool decays : {false, true}) {
    checkAdamW({1e-2f, 3, 0.5f}, decays);
    checkAdamW({1e-2f, 3, 0.5f, 0.75f, 0.5f, 0.125f, 2.0f}, decays);
    checkAdamW({1e-2f, 3, 0.5f, 0.75f, 0.5f, 0.125f, 2.0f, 0.5f, 0.25f, 0.5f},
               decays);
  }
}

// As when gradients are accumulated: what is written is the f32 update,
// rounded.
TEST(AdamW, takesF32GradientsOfNarrowParameters) {
  constexpr int64_t count = 1001;
  auto narrow = randomValues<BFloat16>(count, "p");
  auto gradient = randomValues<float>(count, "g");
  std::vector<float> wide(narrow.begin(), narrow.end());
  std::vector<float> m(count), v(count), wideM(count), wideV(count);
  OneRank rank(2);
  adamw(rank, narrow, m, v, gradient);
  adamw(rank, wide, wideM, wideV, gradient);
  EXPECT_EQ(m, wideM);
  EXPECT_EQ(v, wideV);
  for (size_t i = 0; i < narrow.size(); ++i)
    EXPECT_EQ(static_cast<float>(narrow[i]),
              static_cast<float>(BFloat16(wide[i])));
}

// As with mixed precision: of a gradient in f32 the same bits.
template <typename Grad> static void checkNarrowGradients() {
  constexpr int64_t count = 10001;
  auto narrow = randomValues<Grad>(count, "g");
  std::vector<float> wide(narrow.begin(), narrow.end());
  auto p = randomValues<float>(count, "p"), sameP = p;
  std::vector<float> m(count), v(count), sameM(count), sameV(count);
  OneRank rank(2);
  adamw(rank, p, m, v, narrow, {1e-2f, 1, 0.5f});
  adamw(rank, sameP, sameM, sameV, wide, {1e-2f, 1, 0.5f});
  EXPECT_EQ(p, sameP);
  EXPECT_EQ(m, sameM);
  EXPECT_EQ(v, sameV);
}

TEST(AdamW, takesNarrowGradientsOfF32Parameters) {
  checkNarrowGradients<BFloat16>();
  checkNarrowGradients<Float16>();
}

// The master has the bits of an update alone, and what is written beside it is
// the master rounded.
template <typename Rounded, typename Grad>
static void checkRounded(std::vector<float> p, AdamWNumbers numbers) {
  auto count = static_cast<int64_t>(p.size());
  auto g = randomValues<Grad>(count, "g");
  std::vector<float> m(p.size()), v(p.size());
  auto sameP = p, sameM = m, sameV = v;
  std::vector<Rounded> rounded(p.size());
  OneRank rank(2);
  std::vector<void *> buffers = numbers.addresses();
  buffers.insert(buffers.end(),
                 {p.data(), m.data(), v.data(), g.data(), rounded.data()});
  int64_t counts[] = {count};
  int32_t decays[] = {1};
  boost_rt_adamw_rounded(rank.get(), typeOf<Rounded>(), typeOf<Grad>(), 1,
                         buffers.data(), counts, decays);
  adamw(rank, sameP, sameM, sameV, g, numbers);
  EXPECT_EQ(p, sameP);
  EXPECT_EQ(m, sameM);
  EXPECT_EQ(v, sameV);
  for (size_t i = 0; i < p.size(); ++i)
    ASSERT_TRUE(isNearest(rounded[i], p[i])) << "of " << p[i];
}

template <typename Rounded> static void checkRoundedTo() {
  auto p = randomValues<float>(10001, "p");
  checkRounded<Rounded, float>(p, {1e-2f, 3, 0.5f});
  checkRounded<Rounded, BFloat16>(p, {1e-2f, 3, 0.5f});
  checkRounded<Rounded, Float16>(p, {1e-2f, 3, 0.5f});
  // At a rate of 0 masters stay, and are rounded.
  checkRounded<Rounded, float>(halfwayValues<Rounded>(), {0, 3, 0.5f});
}

TEST(AdamW, writesMastersRounded) {
  checkRoundedTo<BFloat16>();
  checkRoundedTo<Float16>();
}

// Every second tensor decays; each has the bits of a separate update.
TEST(AdamW, updatesSeveralTensors) {
  constexpr int64_t count = 10002, third = count / 3;
  const auto p = randomValues<float>(count, "p");
  auto g = randomValues<float>(count, "g");
  OneRank rank(2);
  auto update = [&](std::vector<int32_t> decays) {
    auto newP = p;
    std::vector<float> m(count), v(count);
    adamw(rank, newP, m, v, g, {}, decays);
    return std::vector{newP, m, v};
  };
  auto decayed = update({true}), kept = update({false});
  auto expected = decayed;
  for (size_t i = 0; i < expected.size(); ++i)
    std::copy_n(kept[i].begin() + third, third, expected[i].begin() + third);
  EXPECT_NE(expected, decayed);
  EXPECT_EQ(update({true, false, true}), expected);
}

/// Returns true if a nonfinite update of one of many parameters is noted.
template <typename T>
static bool notesUpdate(T parameter, float secondMoment, T gradient) {
  constexpr int64_t count = 1001;
  std::vector<T> p(count, T(1.0f)), g(count, T(0.5f));
  std::vector<float> m(count), v(count);
  p[777] = parameter;
  v[777] = secondMoment;
  g[777] = gradient;
  OneRank rank(2);
  adamw(rank, p, m, v, g);
  return rank.record.updatedToNonFinite;
}

template <typename T> static void checkNotes() {
  const T largest = std::is_same_v<T, Float16>    ? T(65504.0f)
                    : std::is_same_v<T, BFloat16> ? T(3.38e38f)
                                                  : T(3.4e38f);
  EXPECT_FALSE(notesUpdate<T>(T(1.0f), 0.0f, T(0.5f)));
  EXPECT_FALSE(notesUpdate<T>(largest, 3e38f, T(0.5f)));
  EXPECT_FALSE(notesUpdate<T>(T(-1.0f) * largest, 0.0f, T(0.0f)));
  for (float bad : {HUGE_VALF, -HUGE_VALF, NAN}) {
    EXPECT_TRUE(notesUpdate<T>(T(bad), 0.0f, T(0.5f)));
    EXPECT_TRUE(notesUpdate<T>(T(1.0f), 0.0f, T(bad)));
  }
  // An infinite second moment would stop its parameter, which stays finite.
  EXPECT_TRUE(notesUpdate<T>(T(1.0f), HUGE_VALF, T(0.5f)));
}

TEST(AdamW, notesWhatIsNotFinite) {
  checkNotes<float>();
  checkNotes<double>();
  checkNotes<BFloat16>();
  checkNotes<Float16>();
  EXPECT_TRUE(notesUpdate<float>(1.0f, 0.0f, 1e20f));
}

TEST(SumOfSquares, addsTensorsOfSeveralTypes) {
  auto x = randomValues<float>(100003, "x");
  auto y = randomValues<BFloat16>(7, "y");
  auto z = randomValues<double>(5000, "z");
  void *buffers[] = {x.data(), y.data(), z.data()};
  int64_t counts[] = {100003, 7, 5000};
  int32_t types[] = {BOOST_RT_F32, BOOST_RT_BF16, BOOST_RT_F64};
  double expected = 0;
  for (float value : x)
    expected += static_cast<double>(value) * static_cast<double>(value);
  for (BFloat16 value : y)
    expected += static_cast<double>(value) * static_cast<double>(value);
  for (double value : z)
    expected += value * value;
  std::vector<float> results;
  for (int threads : {1, 2, 3}) {
    OneRank rank(threads);
    float result = 0;
    boost_rt_sum_of_squares(rank.get(), 3, buffers, counts, types, &result);
    EXPECT_NEAR(result / expected, 1.0, 1e-7);
    results.push_back(result);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(VectorMath, fastExp) {
  double worst = 0;
  for (float x = -87.2f; x < 88.6f; x += 0.0137f) {
    double expected = std::exp(static_cast<double>(x));
    worst = std::fmax(
        worst, std::fabs(static_cast<double>(fastExp(x)) / expected - 1));
  }
  EXPECT_LT(worst, 2e-7);
  EXPECT_EQ(fastExp(0.0f), 1.0f);
  EXPECT_EQ(fastExp(-HUGE_VALF), 0.0f);
  EXPECT_EQ(fastExp(HUGE_VALF), HUGE_VALF);
  EXPECT_TRUE(std::isnan(fastExp(std::nanf(""))));
}

TEST(VectorMath, fastTanh) {
  double worst = 0;
  for (float x = -12; x < 12; x += 0.00137f) {
    double expected = std::tanh(static_cast<double>(x));
    worst = std::fmax(
        worst, std::fabs(static_cast<double>(fastTanh(x)) / expected - 1));
  }
  EXPECT_LT(worst, 4e-7);
  EXPECT_EQ(fastTanh(0.0f), 0.0f);
  EXPECT_EQ(fastTanh(-HUGE_VALF), -1.0f);
  EXPECT_EQ(fastTanh(HUGE_VALF), 1.0f);
  EXPECT_TRUE(std::isnan(fastTanh(std::nanf(""))));
}

TEST(ElementType, bf16RoundsToNearestEven) {
  EXPECT_EQ(BFloat16(1.0f).bits, 0x3f80);
  EXPECT_EQ(BFloat16(1.00390625f).bits, 0x3f80); // halfway, to even
  EXPECT_EQ(BFloat16(1.01171875f).bits, 0x3f82); // halfway, to even
  EXPECT_EQ(BFloat16(1.00390637f).bits, 0x3f81);
  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::nanf("")))));
}

TEST(ElementType, convertsFromAnyAddress) {
  std::vector<char> bytes(1 + 3 * sizeof(float));
  const float floats[] = {1, -2, 0.5f};
  std::memcpy(bytes.data() + 1, floats, sizeof(floats));
  std::vector<double> wide(3);
  EXPECT_TRUE(convertElements(BOOST_RT_F32, bytes.data() + 1, BOOST_RT_F64,
                              wide.data(), 3));
  EXPECT_EQ(wide, (std::vector<double>{1, -2, 0.5}));
  const int32_t integers[] = {7, -8, 9};
  std::memcpy(bytes.data() + 1, integers, sizeof(integers));
  std::vector<int64_t> longs(3);
  EXPECT_TRUE(convertElements(BOOST_RT_I32, bytes.data() + 1, BOOST_RT_I64,
                              longs.data(), 3));
  EXPECT_EQ(longs, (std::vector<int64_t>{7, -8, 9}));
}

TEST(ElementType, integersThatDoNotFitAreRefused) {
  int64_t values[] = {1, int64_t(1) << 40};
  int32_t narrow[2];
  EXPECT_TRUE(convertElements(BOOST_RT_I64, values, BOOST_RT_I32, narrow, 1));
  EXPECT_FALSE(convertElements(BOOST_RT_I64, values, BOOST_RT_I32, narrow, 2));
  EXPECT_FALSE(convertElements(BOOST_RT_F32, values, BOOST_RT_I32, narrow, 1));
  EXPECT_FALSE(convertElements(BOOST_RT_I32, narrow, BOOST_RT_F32, values, 1));
  struct {
    ElementType type;
    int64_t lowest, highest;
  } ranges[] = {{BOOST_RT_I32, INT32_MIN, INT32_MAX},
                {BOOST_RT_I16, INT16_MIN, INT16_MAX},
                {BOOST_RT_I8, -128, 127},
                {BOOST_RT_I1, 0, 1}};
  for (auto [type, lowest, highest] : ranges) {
    auto fits = [to = type](int64_t value) {
      int64_t result;
      return convertElements(BOOST_RT_I64, &value, to, &result, 1);
    };
    EXPECT_TRUE(fits(lowest) && fits(highest)) << nameOf(type);
    EXPECT_FALSE(fits(lowest - 1)) << nameOf(type);
    EXPECT_FALSE(fits(highest + 1)) << nameOf(type);
    EXPECT_EQ(maxIntegerOf(type), highest);
  }
  EXPECT_EQ(maxIntegerOf(BOOST_RT_I64), INT64_MAX);
  // Zero elements, which have no address.
  EXPECT_TRUE(convertElements(BOOST_RT_F32, nullptr, BOOST_RT_F32, nullptr, 0));
}

TEST(ElementType, widensEveryInteger) {
  const auto narrow = [](ElementType from, const void *src, ElementType to) {
    int64_t result = 0;
    EXPECT_TRUE(convertElements(from, src, to, &result, 1));
    return result;
  };
  const int32_t i32 = 70000;
  const int16_t i16 = -300;
  const int8_t i8 = -3;
  const bool i1 = true;
  EXPECT_EQ(narrow(BOOST_RT_I32, &i32, BOOST_RT_I64), 70000);
  EXPECT_EQ(narrow(BOOST_RT_I16, &i16, BOOST_RT_I64), -300);
  EXPECT_EQ(narrow(BOOST_RT_I8, &i8, BOOST_RT_I64), -3);
  EXPECT_EQ(narrow(BOOST_RT_I1, &i1, BOOST_RT_I64), 1);
  EXPECT_EQ(narrow(BOOST_RT_I1, &i1, BOOST_RT_I32), 1);
  EXPECT_EQ(narrow(BOOST_RT_I1, &i1, BOOST_RT_I8), 1);
}

TEST(ElementType, convertsBetweenAllFloats) {
  const ElementType types[] = {BOOST_RT_F32, BOOST_RT_BF16, BOOST_RT_F16,
                               BOOST_RT_F64};
  for (ElementType from : types)
    for (ElementType to : types) {
      const double value = -1.5;
      double stored = 0, converted = 0, back = 0;
      EXPECT_TRUE(convertElements(BOOST_RT_F64, &value, from, &stored, 1));
      EXPECT_TRUE(convertElements(from, &stored, to, &converted, 1));
      EXPECT_TRUE(convertElements(to, &converted, BOOST_RT_F64, &back, 1));
      EXPECT_EQ(back, value) << nameOf(from) << " " << nameOf(to);
    }
}

TEST(ElementType, isKnownByItsName) {
  for (const char *name :
       {"f32", "bf16", "f16", "f64", "i32", "i64", "i8", "i1"})
    EXPECT_STREQ(nameOf(*parseElementType(name)), name);
  EXPECT_FALSE(parseElementType("f8"));
}
