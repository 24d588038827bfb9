//===- AttentionTest.cpp - Attention against plain loops in double --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionRun.h"

using namespace boost_rt;
using cuda::AttentionPath;

namespace {
struct Bounds {
  /// Bounds of the result and of gradients, relative to the largest number.
  double result, gradient;
};
} // namespace

/// Rounding of inputs does not count: the oracle has the rounded ones. In f32,
/// sums of some hundred products, in the order of tiles.
template <typename T> static Bounds getBounds() {
  // The result is rounded once; gradients also use o, which was rounded.
  double stored = epsilonOf<T>();
  return std::is_same_v<T, double>
             ? Bounds{1e-13, 1e-12}
             : Bounds{stored / 2 + 2e-6, 2 * stored + 5e-6};
}

template <typename T>
static void check(const AttentionCase &c, const AttentionWay &way = {}) {
  AttentionOracle oracle(c);
  AttentionTensors<T> in = makeTensors<T>(c, oracle);
  oracle.run(widen(in.q), widen(in.k), widen(in.v), widen(in.bias),
             widen(in.dO), widen(in.dLse));
  auto out =
      runOnAllSchedules<AttentionResults<T>>([&](EmulatedDevice &device) {
        return computeAttention<T>(device, c, oracle, in, way);
      });
  Bounds bounds = getBounds<T>();
  EXPECT_LE(relativeError(out.o, oracle.o), bounds.result);
  EXPECT_LE(relativeError(out.lse, oracle.lse), std::min(bounds.result, 1e-6));
  EXPECT_LE(relativeError(out.dQ, oracle.dQ), bounds.gradient);
  EXPECT_LE(relativeError(out.dK, oracle.dK), bounds.gradient);
  EXPECT_LE(relativeError(out.dV, oracle.dV), bounds.gradient);
  EXPECT_LE(relativeError(out.dBias, oracle.dBias), bounds.gradient);
}

/// Numbers that are summed are rounded `roundings` times to 16 bits on their
/// way, and the sum once; what is in f32 adds far less.
template <typename T>
static void checkNumbers(const std::vector<T> &actual, const Doubles &expected,
                         const Doubles &magnitudes, int roundings,
                         const char *name) {
  double unit = epsilonOf<T>() / 2;
  for (size_t i = 0; i < actual.size(); ++i) {
    double bound = (unit * roundings + 0x1p-15) * magnitudes[i] +
                   unit * std::fabs(expected[i]) + 0x1p-25;
    ASSERT_LE(std::fabs(static_cast<double>(actual[i]) - expected[i]), bound)
        << name << " " << i;
  }
}

/// On tensor cores, where probabilities and gradients of scores are rounded to
/// 16 bits before they are multiplied.
template <typename T> static void checkMatrix(const AttentionCase &c) {
  AttentionOracle oracle(c);
  AttentionTensors<T> in = makeTensors<T>(c, oracle);
  oracle.run(widen(in.q), widen(in.k), widen(in.v), widen(in.bias),
             widen(in.dO), widen(in.dLse));
  auto out =
      runOnAllSchedules<AttentionResults<T>>([&](EmulatedDevice &device) {
        return computeAttention<T>(device, c, oracle, in,
                                   {AttentionPath::Best});
      });
  EXPECT_LE(relativeError(out.lse, oracle.lse), 1e-6);
  checkNumbers(out.o, oracle.o, oracle.magnitudes.o, 1, "o");
  checkNumbers(out.dV, oracle.dV, oracle.magnitudes.dV, 1, "dV");
  // The gradient of a score, and o in what is subtracted from it, twice.
  checkNumbers(out.dQ, oracle.dQ, oracle.magnitudes.dQ, 3, "dQ");
  checkNumbers(out.dK, oracle.dK, oracle.magnitudes.dK, 3, "dK");
}

static AttentionCase makeCase(int64_t b, int64_t sq, int64_t sk, int64_t h,
                              int64_t kvh, int64_t dh) {
  AttentionCase c;
  c.b = b;
  c.sq = sq;
  c.sk = sk;
  c.h = h;
  c.kvh = kvh;
  c.dh = dh;
  return c;
}

//===----------------------------------------------------------------------===//
// Without tensor cores
//===----------------------------------------------------------------------===//

TEST(CUDAAttention, ofSmallShapes) {
  check<float>(makeCase(2, 5, 7, 2, 2, 20));
  check<float>(makeCase(1, 1, 1, 1, 1, 1));
  check<double>(makeCase(2, 5, 7, 2, 2, 20));
  check<BFloat16>(makeCase(1, 5, 7, 2, 1, 20));
  check<Float16>(makeCase(1, 5, 7, 1, 1, 24));
}

TEST(CUDAAttention, ofSeveralTiles) {
  check<float>(makeCase(1, 70, 130, 1, 1, 36));
  check<double>(makeCase(1, 70, 40, 1, 1, 36));
  check<BFloat16>(makeCase(1, 65, 64, 1, 1, 8));
}

// More columns than a tile has.
TEST(CUDAAttention, ofLargeHeads) {
  check<float>(makeCase(1, 3, 9, 1, 1, 70));
  check<double>(makeCase(1, 9, 3, 2, 1, 96));
}

TEST(CUDAAttention, atAnyAddress) {
  check<float>(makeCase(1, 5, 7, 2, 1, 8), {AttentionPath::Best, 4});
  check<BFloat16>(makeCase(1, 5, 7, 2, 1, 7), {AttentionPath::Best, 2});
}

TEST(CUDAAttention, groupedQueries) {
  check<float>(makeCase(2, 9, 11, 6, 2, 8));
  check<BFloat16>(makeCase(1, 9, 11, 3, 1, 8));
}

TEST(CUDAAttention, causal) {
  for (auto [sq, sk] : {std::pair{9, 9}, {70, 66}, {66, 133}, {5, 3}}) {
    AttentionCase c = makeCase(1, sq, sk, 2, 1, 8);
    c.causal = true;
    check<float>(c);
    if (sq < 70)
      check<double>(c);
  }
}

TEST(CUDAAttention, gradientOfLse) {
  AttentionCase c = makeCase(2, 9, 7, 2, 1, 8);
  c.ofLse = true;
  check<float>(c);
  check<Float16>(c);
}

TEST(CUDAAttention, softCap) {
  AttentionCase c = makeCase(1, 9, 7, 2, 1, 8);
  c.softCap = 0.5;
  c.ofLse = true;
  check<float>(c);
  check<double>(c);
  c.softCap = 30;
  check<BFloat16>(c);
}

// In more than one tile, summed in all ways over tiles.
TEST(CUDAAttention, biasOfSeveralTiles) {
  for (int dims : {15, 14, 13, 12, 3, 0}) {
    AttentionCase c = makeCase(1, 40, 34, 1, 1, 4);
    c.bias = dims;
    c.causal = dims == 13;
    c.ofLse = dims % 2 == 0;
    check<double>(c);
  }
  AttentionCase c = makeCase(1, 66, 67, 1, 1, 8);
  c.bias = 15;
  c.causal = true;
  check<BFloat16>(c);
}

// Every way of repeating a bias, and a mask.
TEST(CUDAAttention, biasAndMask) {
  for (int dims = 0; dims < 16; ++dims) {
    AttentionCase c = makeCase(2, 6, 9, 2, 1, 4);
    c.bias = dims;
    c.mask = dims * 7 % 16;
    c.causal = dims % 4 == 3;
    c.softCap = dims % 3 ? 2 : 0;
    // Without a gradient of lse, those of a row add up to 0.
    c.ofLse = true;
    check<double>(c);
  }
}

// Rows that see nothing: all their scores count as 0, for keys that come later
// and for those of other tiles, too.
TEST(CUDAAttention, hiddenRows) {
  for (int64_t row : {0, 33, 39})
    for (bool causal : {false, true}) {
      AttentionCase c = makeCase(1, 40, 34, 1, 1, 4);
      c.causal = causal;
      c.mask = 15;
      c.bias = 13;
      c.ofLse = true;
      c.hiddenRow = row;
      check<double>(c);
    }
  AttentionCase c = makeCase(1, 66, 67, 1, 1, 8);
  c.causal = true;
  c.mask = 3;
  c.hiddenRow = 1;
  check<float>(c);
  check<BFloat16>(c);
}

// A bias of -infinity hides keys, as a mask does; whole tiles of them, too.
TEST(CUDAAttention, infiniteBias) {
  AttentionCase c = makeCase(1, 3, 70, 1, 1, 4);
  c.bias = 1;
  c.infiniteBefore = 66;
  check<double>(c);
  check<float>(c);
}

// A bias hides all keys of a row, which then weigh the same: lse is as large as
// the bias, and gradients need the logarithm of the sum all the same.
TEST(CUDAAttention, rowHiddenByBias) {
  AttentionCase c = makeCase(1, 35, 34, 1, 1, 4);
  c.bias = 15;
  c.ofLse = true;
  c.biasedRow = 33;
  check<double>(c);
  c.causal = true;
  check<float>(c);
}

TEST(CUDAAttention, ofNothing) {
  check<float>(makeCase(1, 0, 3, 1, 1, 4));
  check<float>(makeCase(0, 3, 3, 1, 1, 4));
}

/// One number that is not finite reaches the results that read it.
TEST(CUDAAttention, keepsNaN) {
  AttentionCase c = makeCase(1, 3, 5, 1, 1, 4);
  AttentionOracle oracle(c);
  auto in = makeTensors<float>(c, oracle);
  in.q[5] = NAN; // of the second query
  EmulatedDevice device(boost_emu::ThreadOrder::Forward);
  auto out = computeAttention<float>(device, c, oracle, in, {});
  for (size_t i = 0; i < out.o.size(); ++i)
    EXPECT_EQ(std::isnan(out.o[i]), i / 4 == 1) << i;
}

//===----------------------------------------------------------------------===//
// With tensor cores
//===----------------------------------------------------------------------===//

TEST(CUDAMatrixAttention, ofSmallShapes) {
  checkMatrix<BFloat16>(makeCase(1, 5, 7, 2, 2, 16));
  checkMatrix<Float16>(makeCase(2, 5, 7, 1, 1, 48));
  checkMatrix<BFloat16>(makeCase(1, 1, 1, 1, 1, 80));
  checkMatrix<Float16>(makeCase(1, 1, 1, 1, 1, 8));
}

TEST(CUDAMatrixAttention, ofSeveralTiles) {
  checkMatrix<BFloat16>(makeCase(1, 70, 130, 1, 1, 64));
  checkMatrix<Float16>(makeCase(1, 130, 70, 1, 1, 16));
}

// One for each number of columns that kernels are made for, and sizes between.
TEST(CUDAMatrixAttention, ofAllSizesOfHeads) {
  for (int64_t dh : {32, 80, 96, 112, 128}) {
    AttentionCase c = makeCase(1, 35, 67, 2, 1, dh);
    c.causal = dh != 96;
    checkMatrix<BFloat16>(c);
  }
  for (int64_t dh : {24, 64, 88, 128})
    checkMatrix<Float16>(makeCase(1, 17, 35, 1, 1, dh));
}

TEST(CUDAMatrixAttention, causalGroupedQueries) {
  for (auto [sq, sk] : {std::pair{66, 66}, {70, 35}, {35, 70}}) {
    AttentionCase c = makeCase(1, sq, sk, 2, 1, 16);
    c.causal = true;
    c.ofLse = true;
    checkMatrix<BFloat16>(c);
  }
  AttentionCase c = makeCase(2, 9, 9, 4, 2, 32);
  c.causal = true;
  checkMatrix<Float16>(c);
}

TEST(CUDAMatrixAttention, softCapAndBias) {
  for (int dims : {15, 5, 2}) {
    AttentionCase c = makeCase(2, 9, 33, 2, 1, 16);
    c.softCap = dims == 5 ? 30 : 0.5;
    c.bias = dims;
    c.ofLse = true;
    checkMatrix<BFloat16>(c);
  }
}

TEST(CUDAMatrixAttention, mask) {
  for (int dims : {15, 9, 3, 2, 0}) {
    AttentionCase c = makeCase(2, 9, 35, 2, 1, 16);
    c.mask = dims;
    c.causal = dims == 3;
    checkMatrix<Float16>(c);
  }
}

TEST(CUDAMatrixAttention, hiddenRows) {
  for (int64_t row : {0, 40}) {
    AttentionCase c = makeCase(1, 66, 70, 1, 1, 16);
    c.causal = true;
    c.mask = 3;
    c.hiddenRow = row;
    c.ofLse = true;
    checkMatrix<BFloat16>(c);
  }
}

TEST(CUDAMatrixAttention, infiniteBias) {
  AttentionCase c = makeCase(1, 3, 70, 1, 1, 16);
  c.bias = 1;
  c.infiniteBefore = 66;
  checkMatrix<Float16>(c);
}

TEST(CUDAMatrixAttention, rowHiddenByBias) {
  AttentionCase c = makeCase(1, 17, 35, 1, 1, 16);
  c.bias = 15;
  c.ofLse = true;
  c.biasedRow = 16;
  checkMatrix<BFloat16>(c);
}

// Heads of other sizes, and tensors at other addresses.
TEST(CUDAMatrixAttention, leavesOthersToOtherKernels) {
  check<BFloat16>(makeCase(1, 3, 5, 1, 1, 20), {AttentionPath::Best});
  check<BFloat16>(makeCase(1, 3, 5, 1, 1, 144), {AttentionPath::Best});
  check<Float16>(makeCase(1, 3, 5, 1, 1, 16), {AttentionPath::Best, 8});
}
