//===- AttentionTest.cpp - Attention against plain loops in double --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"

using namespace boost_rt;

namespace {
struct Case {
  int64_t b, s, h, kvh, dh;
  bool causal;
};

/// All tensors of one attention, in double.
struct Reference {
  explicit Reference(const Case &c)
      : c(c), scale(1.0 / std::sqrt(static_cast<double>(c.dh))) {}

  size_t q(int64_t b, int64_t i, int64_t h, int64_t d) const {
    return static_cast<size_t>(((b * c.s + i) * c.h + h) * c.dh + d);
  }
  size_t k(int64_t b, int64_t i, int64_t h, int64_t d) const {
    int64_t head = h / (c.h / c.kvh);
    return static_cast<size_t>(((b * c.s + i) * c.kvh + head) * c.dh + d);
  }

  /// Probabilities of query row i; also sets the row's lse.
  std::vector<double> row(int64_t b, int64_t h, int64_t i, double &lse) const {
    int64_t keys = c.causal ? i + 1 : c.s;
    std::vector<double> p(static_cast<size_t>(keys));
    double largest = -HUGE_VAL, sum = 0;
    for (int64_t j = 0; j < keys; ++j) {
      for (int64_t d = 0; d < c.dh; ++d)
        p[j] += scale * qs[q(b, i, h, d)] * ks[k(b, j, h, d)];
      largest = std::fmax(largest, p[j]);
    }
    for (double &value : p)
      sum += value = std::exp(value - largest);
    for (double &value : p)
      value /= sum;
    lse = largest + std::log(sum);
    return p;
  }

  void run() {
    os.assign(qs.size(), 0);
    dqs.assign(qs.size(), 0);
    dks.assign(ks.size(), 0);
    dvs.assign(ks.size(), 0);
    for (int64_t b = 0; b < c.b; ++b)
      for (int64_t h = 0; h < c.h; ++h)
        for (int64_t i = 0; i < c.s; ++i)
          runRow(b, h, i);
  }

  void runRow(int64_t b, int64_t h, int64_t i) {
    double statistic;
    std::vector<double> p = row(b, h, i, statistic);
    lse.push_back(statistic);
    double delta = 0;
    std::vector<double> dp(p.size());
    for (size_t j = 0; j < p.size(); ++j)
      for (int64_t d = 0; d < c.dh; ++d) {
        double dO = dos[q(b, i, h, d)];
        os[q(b, i, h, d)] += p[j] * vs[k(b, j, h, d)];
        dvs[k(b, j, h, d)] += p[j] * dO;
        dp[j] += dO * vs[k(b, j, h, d)];
      }
    for (size_t j = 0; j < p.size(); ++j)
      delta += p[j] * dp[j];
    for (size_t j = 0; j < p.size(); ++j)
      for (int64_t d = 0; d < c.dh; ++d) {
        double ds = scale * p[j] * (dp[j] - delta);
        dqs[q(b, i, h, d)] += ds * ks[k(b, j, h, d)];
        dks[k(b, j, h, d)] += ds * qs[q(b, i, h, d)];
      }
  }

  Case c;
  double scale;
  std::vector<double> qs, ks, vs, dos, os, lse, dqs, dks, dvs;
};

template <typename T> std::vector<double> widen(const std::vector<T> &values) {
  std::vector<double> wide;
  for (const T &value : values)
    wide.push_back(static_cast<double>(value));
  return wide;
}

template <typename T> struct Outputs {
  std::vector<T> o, dq, dk, dv;
  std::vector<float> lse;
};

template <typename T>
Outputs<T> compute(const Case &c, std::vector<T> q, std::vector<T> k,
                   std::vector<T> v, std::vector<T> dO, int threads) {
  OneRank rank(threads);
  auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(c.dh)));
  Outputs<T> out{std::vector<T>(q.size()), std::vector<T>(q.size()),
                 std::vector<T>(k.size()), std::vector<T>(k.size()),
                 std::vector<float>(static_cast<size_t>(c.b * c.h * c.s))};
  boost_rt_attention_forward(rank.get(), typeOf<T>(), q.data(), k.data(),
                             v.data(), out.o.data(), out.lse.data(), c.b, c.s,
                             c.h, c.kvh, c.dh, scale, c.causal);
  boost_rt_attention_backward(rank.get(), typeOf<T>(), q.data(), k.data(),
                              v.data(), out.o.data(), out.lse.data(), dO.data(),
                              out.dq.data(), out.dk.data(), out.dv.data(), c.b,
                              c.s, c.h, c.kvh, c.dh, scale, c.causal);
  return out;
}

/// Bounds in units of the storage type: forward, backward.
template <typename T> void check(const Case &c, double bound) {
  int64_t queries = c.b * c.s * c.h * c.dh, keys = c.b * c.s * c.kvh * c.dh;
  auto q = randomValues<T>(queries, "q"), dO = randomValues<T>(queries, "do");
  auto k = randomValues<T>(keys, "k"), v = randomValues<T>(keys, "v");
  Reference reference(c);
  reference.qs = widen(q);
  reference.ks = widen(k);
  reference.vs = widen(v);
  reference.dos = widen(dO);
  reference.run();
  auto out = compute(c, q, k, v, dO, 1);
  EXPECT_LT(relativeError(out.o, reference.os), bound);
  EXPECT_LT(relativeError(out.lse, reference.lse), 1e-6);
  EXPECT_LT(relativeError(out.dq, reference.dqs), bound);
  EXPECT_LT(relativeError(out.dk, reference.dks), bound);
  EXPECT_LT(relativeError(out.dv, reference.dvs), bound);
  auto threaded = compute(c, q, k, v, dO, 3);
  EXPECT_EQ(widen(out.o), widen(threaded.o));
  EXPECT_EQ(widen(out.dq), widen(threaded.dq));
  EXPECT_EQ(widen(out.dk), widen(threaded.dk));
  EXPECT_EQ(widen(out.dv), widen(threaded.dv));
}
} // namespace

TEST(Attention, full) { check<float>({2, 19, 3, 3, 8, false}, 5e-6); }

TEST(Attention, causal) { check<float>({2, 19, 3, 3, 8, true}, 5e-6); }

TEST(Attention, severalBlocks) {
  check<float>({1, 150, 2, 2, 16, true}, 5e-6);
  check<float>({1, 150, 2, 2, 16, false}, 5e-6);
}

TEST(Attention, groupedQuery) {
  check<float>({2, 70, 6, 2, 16, true}, 5e-6);
  check<float>({1, 33, 4, 1, 8, false}, 5e-6);
}

TEST(Attention, oneToken) { check<float>({1, 1, 2, 2, 4, true}, 5e-6); }

// The log-sum-exp is f32 for every type, which bounds the f64 gradient.
TEST(Attention, f64) { check<double>({1, 40, 4, 2, 8, true}, 1e-6); }

TEST(Attention, bf16) { check<BFloat16>({1, 70, 4, 2, 16, true}, 0x1p-6); }

TEST(Attention, f16) { check<Float16>({1, 70, 4, 2, 16, true}, 0x1p-9); }
