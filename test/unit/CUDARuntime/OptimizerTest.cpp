//===- OptimizerTest.cpp - AdamW and sums of squares ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Optimizer.h"
#include "EmulatedDevice.h"

using namespace boost_rt;

namespace {
template <typename T, typename Grad> struct AdamWState {
  std::vector<T> p;
  std::vector<float> m, v;
  std::vector<Grad> g;
  int32_t nonFinite = 0;
  bool decays = true;

  bool operator==(const AdamWState &other) const {
    return getBits(p) == getBits(other.p) && getBits(m) == getBits(other.m) &&
           getBits(v) == getBits(other.v) && nonFinite == other.nonFinite;
  }
};

constexpr float kRate = 1e-2f, kStep = 3, kScale = 0.5f;
constexpr float kBeta1 = 0.9f, kBeta2 = 0.95f, kEps = 1e-8f, kDecay = 0.1f;
// Not what the betas leave.
constexpr float kShare1 = 0.125f, kShare2 = 0.0625f, kEpsRoot = 0.25f;
} // namespace

template <typename T, typename Grad>
static AdamWState<T, Grad> makeState(int64_t count) {
  AdamWState<T, Grad> state{
      randomValues<T>(count, "p"), randomValues<float>(count, "m"),
      randomValues<float>(count, "v"), randomValues<Grad>(count, "g")};
  for (float &value : state.v)
    value *= value;
  return state;
}

template <typename Device> static AdamWNumbers putNumbers(Device &device) {
  auto put = [&](float value) {
    return static_cast<const float *>(device.put(std::vector<float>{value}));
  };
  return {{put(kRate), put(kStep), put(kScale), put(kBeta1), put(kBeta2),
           put(kShare1), put(kShare2), put(kEps), put(kEpsRoot), put(kDecay)}};
}

template <typename T, typename Grad>
using AdamWStates = std::vector<AdamWState<T, Grad>>;

/// Updates several tensors at once.
template <typename T, typename Grad>
static AdamWStates<T, Grad> updateAll(const AdamWStates<T, Grad> &states,
                                      size_t alignment = 64) {
  return runOnAllSchedules<AdamWStates<T, Grad>>([&](auto &device) {
    std::vector<cuda::AdamWTensor> tensors;
    for (const AdamWState<T, Grad> &state : states)
      tensors.push_back(
          {device.put(state.p, alignment), device.put(state.m, alignment),
           device.put(state.v, alignment), device.put(state.g, alignment),
           /*rounded=*/nullptr, static_cast<int64_t>(state.p.size()),
           state.decays});
    void *nonFinite = device.put(std::vector<int32_t>{0});
    cuda::adamw(device, {typeOf<T>(), typeOf<Grad>(), typeOf<T>()},
                static_cast<int64_t>(tensors.size()), tensors.data(),
                putNumbers(device), nonFinite);
    AdamWStates<T, Grad> updated;
    for (const cuda::AdamWTensor &t : tensors)
      updated.push_back({device.template get<T>(t.p, t.count),
                         device.template get<float>(t.m, t.count),
                         device.template get<float>(t.v, t.count),
                         {},
                         device.template get<int32_t>(nonFinite, 1)[0]});
    return updated;
  });
}

template <typename T, typename Grad>
static AdamWState<T, Grad> update(const AdamWState<T, Grad> &state,
                                  size_t alignment = 64) {
  return updateAll<T, Grad>({state}, alignment)[0];
}

/// In double, of the numbers that are stored.
template <typename T, typename Grad>
static void checkUpdate(int64_t count, size_t alignment = 64,
                        bool decays = true) {
  auto before = makeState<T, Grad>(count);
  before.decays = decays;
  auto after = update(before, alignment);
  EXPECT_EQ(after.nonFinite, 0);
  std::vector<double> ps, ms, vs;
  double beta1 = kBeta1, beta2 = kBeta2, decay = decays ? kDecay : 0;
  for (size_t i = 0; i < before.p.size(); ++i) {
    double g = double(kScale) * static_cast<double>(before.g[i]);
    double p = static_cast<double>(before.p[i]);
    double m = beta1 * before.m[i] + double(kShare1) * g;
    double v = beta2 * before.v[i] + double(kShare2) * g * g;
    ms.push_back(m);
    vs.push_back(v);
    double root =
        std::sqrt(v / (1 - std::pow(beta2, kStep)) + double(kEpsRoot));
    ps.push_back(p - double(kRate) * (m / (1 - std::pow(beta1, kStep)) /
                                          (root + double(kEps)) +
                                      decay * p));
  }
  // m, v and the change of p are in f32 with few roundings.
  EXPECT_LT(relativeError(after.m, ms), 3e-7);
  EXPECT_LT(relativeError(after.v, vs), 3e-7);
  EXPECT_LT(relativeError(after.p, ps), epsilonOf<T>() / 2 + 3e-7);
}

TEST(CUDAAdamW, followsTheAlgorithm) {
  for (int64_t count : {1, 3, 4, 1023, 1024, 2050}) {
    checkUpdate<float, float>(count);
    checkUpdate<float, BFloat16>(count);
    checkUpdate<float, Float16>(count);
    checkUpdate<BFloat16, BFloat16>(count);
    checkUpdate<BFloat16, float>(count);
    checkUpdate<Float16, Float16>(count);
    checkUpdate<Float16, float>(count);
    checkUpdate<double, double>(count);
    checkUpdate<double, float>(count);
  }
}

/// Checks the rounded parameters of two masters, and that the masters have the
/// same bits as without rounding.
template <typename Rounded, typename Grad>
static void checkRounded(size_t alignment) {
  AdamWStates<float, Grad> states{makeState<float, Grad>(2050),
                                  makeState<float, Grad>(3)};
  auto expected = updateAll(states, alignment);
  using Result = std::vector<std::pair<Bits<float>, Bits<Rounded>>>;
  Result updated = runOnAllSchedules<Result>([&](auto &device) {
    std::vector<cuda::AdamWTensor> tensors;
    for (const auto &state : states)
      tensors.push_back(
          {device.put(state.p, alignment), device.put(state.m, alignment),
           device.put(state.v, alignment), device.put(state.g, alignment),
           device.put(std::vector<Rounded>(state.p.size()), alignment / 2),
           static_cast<int64_t>(state.p.size()), true});
    cuda::adamw(device, {BOOST_RT_F32, typeOf<Grad>(), typeOf<Rounded>()}, 2,
                tensors.data(), putNumbers(device),
                device.put(std::vector<int32_t>{0}));
    Result results;
    for (const cuda::AdamWTensor &t : tensors)
      results.push_back({{device.template get<float>(t.p, t.count)},
                         {device.template get<Rounded>(t.rounded, t.count)}});
    return results;
  });
  for (size_t i = 0; i < states.size(); ++i) {
    auto &[masters, rounded] = updated[i];
    EXPECT_EQ(getBits(masters.values), getBits(expected[i].p));
    for (size_t j = 0; j < masters.values.size(); ++j)
      ASSERT_TRUE(isNearest(rounded.values[j], masters.values[j]))
          << "of " << masters.values[j];
  }
}

template <typename Rounded> static void checkRoundedTo() {
  for (size_t alignment : {64, 4}) {
    checkRounded<Rounded, float>(alignment);
    checkRounded<Rounded, BFloat16>(alignment);
    checkRounded<Rounded, Float16>(alignment);
  }
}

TEST(CUDAAdamW, writesMastersRounded) {
  checkRoundedTo<BFloat16>();
  checkRoundedTo<Float16>();
}

// At a rate of 0 masters stay, and are rounded.
template <typename Rounded> static void checkHalfway() {
  std::vector<float> masters = halfwayValues<Rounded>();
  auto count = static_cast<int64_t>(masters.size());
  std::vector<float> zeros(masters.size());
  Bits<Rounded> rounded =
      runOnAllSchedules<Bits<Rounded>>([&](auto &device) -> Bits<Rounded> {
        AdamWNumbers numbers = putNumbers(device);
        numbers.at[BOOST_RT_ADAMW_LR] =
            static_cast<const float *>(device.put(std::vector<float>{0}));
        cuda::AdamWTensor tensor{device.put(masters),
                                 device.put(zeros),
                                 device.put(zeros),
                                 device.put(zeros),
                                 device.put(std::vector<Rounded>(count)),
                                 count,
                                 true};
        cuda::adamw(device, {BOOST_RT_F32, BOOST_RT_F32, typeOf<Rounded>()}, 1,
                    &tensor, numbers, device.put(std::vector<int32_t>{0}));
        return {device.template get<Rounded>(tensor.rounded, count)};
      });
  for (size_t i = 0; i < masters.size(); ++i)
    ASSERT_TRUE(isNearest(rounded.values[i], masters[i]))
        << "of " << masters[i];
}

TEST(CUDAAdamW, roundsMastersToTheNearest) {
  checkHalfway<BFloat16>();
  checkHalfway<Float16>();
}

TEST(CUDAAdamW, leavesOutTheDecay) {
  checkUpdate<float, float>(1025, 64, /*decays=*/false);
  checkUpdate<BFloat16, float>(1025, 64, /*decays=*/false);
}

TEST(CUDAAdamW, takesAnyAddress) {
  checkUpdate<BFloat16, BFloat16>(1003, 4);
  checkUpdate<double, float>(13, 8);
}

// Tensors that begin and end anywhere, and none. One at a time they give the
// same bits.
TEST(CUDAAdamW, updatesManyTensorsAtOnce) {
  AdamWStates<float, BFloat16> states;
  for (size_t i = 0; i < BOOST_RT_MAX_UPDATES; ++i) {
    constexpr int64_t counts[] = {5, 4096, 0, 4097, 9001};
    states.push_back(makeState<float, BFloat16>(counts[i % 5]));
  }
  // Values of their own, and every second one does not decay.
  for (size_t i = 0; i < states.size(); ++i) {
    for (float &value : states[i].p)
      value += static_cast<float>(i);
    states[i].decays = i % 2 == 0;
  }
  auto together = updateAll(states, 4);
  for (size_t i = 0; i < states.size(); ++i)
    EXPECT_TRUE(update(states[i]) == together[i]) << i;
}

TEST(CUDAAdamW, ofNothing) {
  AdamWState<float, float> nothing;
  EXPECT_EQ(update(nothing).nonFinite, 0);
}

// The results differ from the CPU's in the last bits at most, where products
// are or are not rounded before they are added.
template <typename T, typename Grad> static void compareWithCPU() {
  constexpr int64_t count = 1025;
  auto cpu = makeState<T, Grad>(count);
  auto gpu = update(cpu);
  OneRank rank(1);
  float rate = kRate, step = kStep, scale = kScale;
  float beta1 = kBeta1, beta2 = kBeta2, eps = kEps, decay = kDecay;
  float share1 = kShare1, share2 = kShare2, epsRoot = kEpsRoot;
  void *buffers[] = {&rate,        &step,       &scale,       &beta1,
                     &beta2,       &share1,     &share2,      &eps,
                     &epsRoot,     &decay,      cpu.p.data(), cpu.m.data(),
                     cpu.v.data(), cpu.g.data()};
  int64_t counts[] = {count};
  int32_t decays[] = {1};
  boost_rt_adamw(rank.get(), typeOf<T>(), typeOf<Grad>(), 1, buffers, counts,
                 decays);
  std::vector<double> p(cpu.p.begin(), cpu.p.end()),
      m(cpu.m.begin(), cpu.m.end()), v(cpu.v.begin(), cpu.v.end());
  EXPECT_LT(relativeError(gpu.p, p), epsilonOf<T>() + 2e-7);
  EXPECT_LT(relativeError(gpu.m, m), 2e-7);
  EXPECT_LT(relativeError(gpu.v, v), 2e-7);
}

TEST(CUDAAdamW, isTheCPUs) {
  compareWithCPU<float, float>();
  compareWithCPU<float, BFloat16>();
  compareWithCPU<BFloat16, float>();
  compareWithCPU<double, double>();
}

template <typename T> static bool notesUpdate(T parameter, float moment, T g) {
  AdamWState<T, T> state{std::vector<T>(1001, T(1.0f)),
                         std::vector<float>(1001), std::vector<float>(1001),
                         std::vector<T>(1001, T(0.5f))};
  state.p[777] = parameter;
  state.v[777] = moment;
  state.g[777] = g;
  return update(state).nonFinite != 0;
}

template <typename T> static void checkNotes(float largest) {
  EXPECT_FALSE(notesUpdate<T>(T(1.0f), 0, T(0.5f)));
  EXPECT_FALSE(notesUpdate<T>(T(largest), 3e38f, T(0.5f)));
  for (float bad : {HUGE_VALF, -HUGE_VALF, NAN}) {
    EXPECT_TRUE(notesUpdate<T>(T(bad), 0, T(0.5f)));
    EXPECT_TRUE(notesUpdate<T>(T(1.0f), 0, T(bad)));
  }
  // An infinite second moment would stop its parameter, which stays finite.
  EXPECT_TRUE(notesUpdate<T>(T(1.0f), HUGE_VALF, T(0.5f)));
}

TEST(CUDAAdamW, notesWhatIsNotFinite) {
  checkNotes<float>(3.4e38f);
  checkNotes<double>(3.4e38f);
  checkNotes<BFloat16>(3.38e38f);
  checkNotes<Float16>(65504.0f);
}

//===----------------------------------------------------------------------===//
// Sums of squares
//===----------------------------------------------------------------------===//

template <typename T>
static double addSquares(const std::vector<T> &values, double sum) {
  for (const T &value : values)
    sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

TEST(CUDASumOfSquares, addsTensorsOfSeveralTypes) {
  auto x = randomValues<float>(30003, "x");
  auto y = randomValues<BFloat16>(7, "y");
  auto z = randomValues<double>(500, "z");
  auto u = randomValues<Float16>(4099, "u");
  auto w = randomValues<float>(5, "w");
  double expected =
      addSquares(x, addSquares(y, addSquares(z, addSquares(u, 0))));
  expected = addSquares(w, addSquares(x, expected));
  auto result = runOnAllSchedules<float>([&](auto &device) {
    const void *buffers[] = {device.put(x), device.put(y, 2), device.put(z, 8),
                             device.put(u), device.put(w, 4), device.put(x, 4)};
    int64_t counts[] = {30003, 7, 500, 4099, 5, 30003};
    int32_t types[] = {BOOST_RT_F32, BOOST_RT_BF16, BOOST_RT_F64,
                       BOOST_RT_F16, BOOST_RT_F32,  BOOST_RT_F32};
    void *out = device.template reserve<float>(1);
    cuda::sumOfSquares(device, 6, buffers, counts, types, out);
    return device.template get<float>(out, 1)[0];
  });
  // One rounding to f32; in f64, the order of the sum does not show.
  EXPECT_NEAR(result / expected, 1.0, 0x1p-24);
}

// Two launches, the second with more chunks than blocks.
TEST(CUDASumOfSquares, addsManyTensors) {
  constexpr int64_t number = 130;
  std::vector<std::vector<float>> tensors;
  double expected = 0;
  for (int64_t i = 0; i < number; ++i) {
    int64_t count = i == 129 ? 1030 * 4096 : i % 3 * 4097;
    tensors.push_back(randomValues<float>(count, std::to_string(i)));
    expected = addSquares(tensors.back(), expected);
  }
  EmulatedDevice device(boost_emu::ThreadOrder::Forward);
  std::vector<const void *> buffers;
  std::vector<int64_t> counts;
  for (const std::vector<float> &tensor : tensors) {
    buffers.push_back(device.put(tensor));
    counts.push_back(static_cast<int64_t>(tensor.size()));
  }
  std::vector<int32_t> types(number, BOOST_RT_F32);
  void *out = device.reserve<float>(1);
  cuda::sumOfSquares(device, number, buffers.data(), counts.data(),
                     types.data(), out);
  EXPECT_NEAR(device.get<float>(out, 1)[0] / expected, 1.0, 0x1p-24);
}

// Leftovers of the previous sum do not count.
TEST(CUDASumOfSquares, startsAnew) {
  EmulatedDevice device(boost_emu::ThreadOrder::Forward);
  std::vector<float> values(10000, 2.0f);
  const void *buffers[] = {device.put(values)};
  int64_t counts[] = {10000};
  int32_t types[] = {BOOST_RT_F32};
  void *out = device.reserve<float>(1);
  cuda::sumOfSquares(device, 1, buffers, counts, types, out);
  EXPECT_EQ(device.get<float>(out, 1)[0], 40000.0f);
  counts[0] = 3;
  cuda::sumOfSquares(device, 1, buffers, counts, types, out);
  EXPECT_EQ(device.get<float>(out, 1)[0], 12.0f);
  cuda::sumOfSquares(device, 0, nullptr, nullptr, nullptr, out);
  EXPECT_EQ(device.get<float>(out, 1)[0], 0.0f);
}
