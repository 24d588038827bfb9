//===- GemmTest.cpp - boost_rt_gemm against a plain loop ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"

using namespace boost_rt;

namespace {
struct Case {
  int64_t m, n, k, batch;
  bool transposeA, transposeB, broadcastA, broadcastB;
};

/// Leading dimensions are two longer than rows, so that a mix-up of ld and
/// extent shows.
struct Layout {
  int64_t rows, columns, ld, stride, size;
  Layout(int64_t rows, int64_t columns, int64_t batch, bool broadcast,
         int64_t padding)
      : rows(rows), columns(columns), ld(columns + padding),
        stride(broadcast ? 0 : rows * ld),
        size((broadcast ? 1 : batch) * rows * ld) {}
};

template <typename In, typename Out>
void checkProduct(const Case &c, int threads, int64_t padding,
                  bool accumulate = false) {
  Layout a(c.transposeA ? c.k : c.m, c.transposeA ? c.m : c.k, c.batch,
           c.broadcastA, padding);
  Layout b(c.transposeB ? c.n : c.k, c.transposeB ? c.k : c.n, c.batch,
           c.broadcastB, padding);
  Layout r(c.m, c.n, c.batch, false, padding);
  auto as = randomValues<In>(a.size, "a"), bs = randomValues<In>(b.size, "b");
  auto cs = randomValues<Out>(r.size, "c");
  std::vector<double> expected(cs.size());
  for (size_t i = 0; i < cs.size(); ++i)
    expected[i] = static_cast<double>(cs[i]);
  for (int64_t i = 0; i < c.batch; ++i)
    for (int64_t row = 0; row < c.m; ++row)
      for (int64_t column = 0; column < c.n; ++column) {
        double &result = expected[i * r.stride + row * r.ld + column];
        double sum = accumulate ? result : 0;
        for (int64_t l = 0; l < c.k; ++l)
          sum += static_cast<double>(
                     as[i * a.stride +
                        (c.transposeA ? l * a.ld + row : row * a.ld + l)]) *
                 static_cast<double>(
                     bs[i * b.stride + (c.transposeB ? column * b.ld + l
                                                     : l * b.ld + column)]);
        result = sum;
      }
  OneRank rank(threads);
  boost_rt_gemm(rank.get(), typeOf<In>(), typeOf<Out>(), c.transposeA,
                c.transposeB, c.m, c.n, c.k, as.data(), a.ld, a.stride,
                bs.data(), b.ld, b.stride, cs.data(), r.ld, r.stride, c.batch,
                accumulate);
  double accumulated = sizeof(In) == 8 ? 0x1p-52 : 0x1p-23;
  EXPECT_LT(relativeError(cs, expected), epsilonOf<Out>() + 8 * accumulated)
      << c.m << "x" << c.n << "x" << c.k << " batch " << c.batch << " tA "
      << c.transposeA << " tB " << c.transposeB << " bA " << c.broadcastA
      << " bB " << c.broadcastB << " threads " << threads;
}

/// Every transposition and broadcast of one shape.
template <typename In, typename Out>
void checkAll(int64_t m, int64_t n, int64_t k, int64_t batch,
              bool accumulate = false) {
  for (int bits = 0; bits < 16; ++bits) {
    Case c{m,
           n,
           k,
           batch,
           bool(bits & 1),
           bool(bits & 2),
           bool(bits & 4),
           bool(bits & 8)};
    if (batch == 1 && (c.broadcastA || c.broadcastB))
      continue;
    checkProduct<In, Out>(c, 1, 2, accumulate);
    checkProduct<In, Out>(c, 3, 0, accumulate);
  }
}
} // namespace

TEST(Gemm, f32) {
  checkAll<float, float>(5, 7, 3, 1);
  checkAll<float, float>(33, 20, 17, 3);
  checkAll<float, float>(130, 70, 65, 1);
}

// With equal extents a swapped transposition has the right shape.
TEST(Gemm, squareShapes) {
  checkAll<float, float>(16, 16, 16, 2);
  checkAll<float, float>(96, 96, 96, 1);
}

TEST(Gemm, vectors) {
  checkAll<float, float>(1, 40, 30, 2);
  checkAll<float, float>(40, 1, 30, 1);
  checkAll<float, float>(40, 30, 1, 1);
}

TEST(Gemm, f64) { checkAll<double, double>(33, 20, 17, 2); }

TEST(Gemm, bf16) {
  checkAll<BFloat16, BFloat16>(33, 20, 17, 2);
  checkAll<BFloat16, float>(33, 20, 17, 1);
}

TEST(Gemm, f16) { checkAll<Float16, Float16>(19, 12, 24, 1); }

TEST(Gemm, f32ToBf16) { checkAll<float, BFloat16>(19, 12, 24, 1); }

// Larger than one tile of the converting path in every direction.
TEST(Gemm, severalTiles) {
  checkProduct<BFloat16, float>({150, 530, 300, 1, false, true, false, false},
                                2, 0);
  checkProduct<BFloat16, float>({150, 530, 300, 1, true, false, false, false},
                                1, 2);
}

TEST(Gemm, addedToWhatIsThere) {
  checkAll<float, float>(33, 20, 17, 3, /*accumulate=*/true);
  checkAll<double, double>(33, 20, 17, 2, /*accumulate=*/true);
  checkAll<BFloat16, BFloat16>(33, 20, 17, 2, /*accumulate=*/true);
  checkAll<BFloat16, float>(33, 20, 17, 1, /*accumulate=*/true);
  checkAll<Float16, Float16>(19, 12, 24, 1, /*accumulate=*/true);
  checkProduct<BFloat16, float>({150, 530, 300, 1, false, true, false, false},
                                2, 0, /*accumulate=*/true);
}

// 257 + 1: of bf16, where 257 is 256, a product that was rounded first would
// give that.
TEST(Gemm, theSumWithOldContentIsRoundedOnce) {
  std::vector<BFloat16> a{BFloat16(16), BFloat16(1)}, c{BFloat16(1)};
  OneRank rank(1);
  boost_rt_gemm(rank.get(), BOOST_RT_BF16, BOOST_RT_BF16, 0, 0, 1, 1, 2,
                a.data(), 2, 0, a.data(), 1, 0, c.data(), 1, 0, 1, 1);
  EXPECT_EQ(static_cast<float>(c[0]), 258.0f);
}

TEST(Gemm, resultDoesNotReadOldContent) {
  std::vector<float> a{1, 2}, b{3, 4}, c{std::nanf("")};
  OneRank rank(1);
  boost_rt_gemm(rank.get(), BOOST_RT_F32, BOOST_RT_F32, 0, 0, 1, 1, 2, a.data(),
                2, 0, b.data(), 1, 0, c.data(), 1, 0, 1, 0);
  EXPECT_EQ(c[0], 11.0f);
}

// 2^30 + 1 is no float: of f64, what is rounded is the result.
TEST(Gemm, productsOfF64AreAddedInF64) {
  std::vector<double> a{0x1p30, 1, 0x1p30}, b{1, 1, -1};
  for (bool accumulate : {false, true}) {
    std::vector<float> c{4};
    OneRank rank(1);
    boost_rt_gemm(rank.get(), BOOST_RT_F64, BOOST_RT_F32, 0, 0, 1, 1, 3,
                  a.data(), 3, 0, b.data(), 1, 0, c.data(), 1, 0, 1,
                  accumulate);
    EXPECT_EQ(c[0], accumulate ? 5.0F : 1.0F);
  }
}

// Where BLAS takes the types as they are, nothing is converted tile by tile.
TEST(Gemm, typesOfBlasAreNotConverted) {
  auto takesScratch = [](auto a, auto c) {
    std::vector<decltype(a)> as(4);
    std::vector<decltype(c)> cs(4);
    OneRank rank(1);
    boost_rt_gemm(rank.get(), typeOf<decltype(a)>(), typeOf<decltype(c)>(), 0,
                  0, 2, 2, 2, as.data(), 2, 0, as.data(), 2, 0, cs.data(), 2, 0,
                  1, 0);
    return rank.get()->scratch.get(0, 0) != nullptr;
  };
  EXPECT_FALSE(takesScratch(float(), float()));
  EXPECT_FALSE(takesScratch(double(), double()));
  EXPECT_TRUE(takesScratch(float(), BFloat16()));
}
