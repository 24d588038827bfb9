//===- AttentionTest.cpp - Attention against plain loops in double --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"

using namespace boost_rt;

namespace {
/// A bias or a mask has a number per score along the dimensions whose bit is
/// set: 8 batch, 4 heads, 2 queries, 1 keys.
constexpr int kNone = -1;

struct Case {
  int64_t b, sq, sk, h, kvh, dh;
  bool causal = false;
  int bias = kNone, mask = kNone;
  double softCap = 0;
  bool ofLse = false;
  /// With a mask of its own for each score: the only query row that sees
  /// nothing, everywhere.
  int64_t hiddenRow = kNone;
  /// With a bias of its own for each score: the only query row of which it
  /// hides every key, by a number beside which scores vanish.
  int64_t biasedRow = kNone;

  std::vector<int64_t> sizesOf(int repeated) const {
    return {repeated & 8 ? b : 1, repeated & 4 ? h : 1, repeated & 2 ? sq : 1,
            repeated & 1 ? sk : 1};
  }
  int64_t countOf(int dims) const {
    int64_t count = 1;
    if (dims != kNone)
      for (int64_t size : sizesOf(dims))
        count *= size;
    return dims == kNone ? 0 : count;
  }
  std::vector<int64_t> stridesOf(int dims) const {
    if (dims == kNone)
      return {};
    std::vector<int64_t> strides, sizes = sizesOf(dims);
    int64_t stride = 1;
    for (size_t i = 4; i-- > 0;) {
      strides.insert(strides.begin(), sizes[i] == 1 ? 0 : stride);
      stride *= sizes[i];
    }
    return strides;
  }
};

/// All tensors of one attention, in double.
struct Reference {
  explicit Reference(const Case &c)
      : c(c), scale(1.0 / std::sqrt(static_cast<double>(c.dh))),
        biasStrides(c.stridesOf(c.bias)), maskStrides(c.stridesOf(c.mask)) {}

  size_t q(int64_t b, int64_t i, int64_t h, int64_t d) const {
    return static_cast<size_t>(((b * c.sq + i) * c.h + h) * c.dh + d);
  }
  size_t k(int64_t b, int64_t i, int64_t h, int64_t d) const {
    int64_t head = h / (c.h / c.kvh);
    return static_cast<size_t>(((b * c.sk + i) * c.kvh + head) * c.dh + d);
  }
  static size_t at(const std::vector<int64_t> &strides, int64_t b, int64_t h,
                   int64_t i, int64_t j) {
    return static_cast<size_t>(b * strides[0] + h * strides[1] +
                               i * strides[2] + j * strides[3]);
  }

  /// Lets each row see the first key, but for the hidden one, which sees none.
  void hideRow() {
    for (int64_t b = 0; b < c.b; ++b)
      for (int64_t h = 0; h < c.h; ++h)
        for (int64_t i = 0; i < c.sq; ++i)
          for (int64_t j = 0; j < c.sk; ++j)
            if (i == c.hiddenRow || j == 0)
              masks[at(maskStrides, b, h, i, j)] = i != c.hiddenRow;
  }

  /// Hides every key from the biased row, and every third one from the others.
  template <typename T> void hideByBias(std::vector<T> &bias) const {
    for (int64_t b = 0; b < c.b; ++b)
      for (int64_t h = 0; h < c.h; ++h)
        for (int64_t i = 0; i < c.sq; ++i)
          for (int64_t j = 0; j < c.sk; ++j)
            if (i == c.biasedRow || j % 3 == 1)
              bias[at(biasStrides, b, h, i, j)] = T(-1e30);
  }

  bool sees(int64_t b, int64_t h, int64_t i, int64_t j) const {
    return (!c.causal || j <= i) &&
           (c.mask == kNone || masks[at(maskStrides, b, h, i, j)] != 0);
  }

  struct Row {
    std::vector<double> p, slopes;
    double lse;
  };

  /// Probabilities of query row i and the slope of each score.
  Row row(int64_t b, int64_t h, int64_t i) const {
    auto keys = static_cast<size_t>(c.sk);
    Row row{std::vector<double>(keys), std::vector<double>(keys), 0};
    bool any = false;
    for (int64_t j = 0; j < c.sk; ++j)
      any |= sees(b, h, i, j);
    double largest = -HUGE_VAL, sum = 0;
    for (int64_t j = 0; j < c.sk && any; ++j) {
      double &score = row.p[static_cast<size_t>(j)];
      for (int64_t d = 0; d < c.dh; ++d)
        score += scale * qs[q(b, i, h, d)] * ks[k(b, j, h, d)];
      row.slopes[static_cast<size_t>(j)] = 1;
      if (c.softCap != 0) {
        double t = std::tanh(score / c.softCap);
        score = c.softCap * t;
        row.slopes[static_cast<size_t>(j)] = 1 - t * t;
      }
      if (c.bias != kNone)
        score += biases[at(biasStrides, b, h, i, j)];
      if (!sees(b, h, i, j))
        score = -HUGE_VAL;
    }
    for (double score : row.p)
      largest = std::fmax(largest, score);
    for (double &value : row.p)
      sum += value = std::exp(value - largest);
    for (double &value : row.p)
      value /= sum;
    row.lse = largest + std::log(sum);
    if (!any)
      row.slopes.clear();
    return row;
  }

  void run() {
    os.assign(qs.size(), 0);
    dqs.assign(qs.size(), 0);
    dks.assign(ks.size(), 0);
    dvs.assign(ks.size(), 0);
    dbiases.assign(biases.size(), 0);
    for (int64_t b = 0; b < c.b; ++b)
      for (int64_t h = 0; h < c.h; ++h)
        for (int64_t i = 0; i < c.sq; ++i)
          runRow(b, h, i);
  }

  void runRow(int64_t b, int64_t h, int64_t i) {
    double dLse = c.ofLse ? dlses[lse.size()] : 0;
    Row r = row(b, h, i);
    lse.push_back(r.lse);
    double delta = 0;
    std::vector<double> dp(r.p.size());
    for (size_t j = 0; j < r.p.size(); ++j)
      for (int64_t d = 0; d < c.dh; ++d) {
        double dO = dos[q(b, i, h, d)];
        os[q(b, i, h, d)] += r.p[j] * vs[k(b, j, h, d)];
        dvs[k(b, j, h, d)] += r.p[j] * dO;
        dp[j] += dO * vs[k(b, j, h, d)];
      }
    for (size_t j = 0; j < r.p.size(); ++j)
      delta += r.p[j] * dp[j];
    for (size_t j = 0; j < r.slopes.size(); ++j) {
      double dScore = r.p[j] * (dp[j] - delta + dLse);
      if (c.bias != kNone)
        dbiases[at(biasStrides, b, h, i, j)] += dScore;
      for (int64_t d = 0; d < c.dh; ++d) {
        double ds = scale * r.slopes[j] * dScore;
        dqs[q(b, i, h, d)] += ds * ks[k(b, j, h, d)];
        dks[k(b, j, h, d)] += ds * qs[q(b, i, h, d)];
      }
    }
  }

  Case c;
  double scale;
  std::vector<int64_t> biasStrides, maskStrides;
  std::vector<double> qs, ks, vs, biases, dos, dlses, os, lse, dqs, dks, dvs,
      dbiases;
  std::vector<uint8_t> masks;
};

template <typename T> std::vector<double> widen(const std::vector<T> &values) {
  std::vector<double> wide;
  for (const T &value : values)
    wide.push_back(static_cast<double>(value));
  return wide;
}

template <typename T>
using StatOf = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <typename T> struct Inputs {
  std::vector<T> q, k, v, dO;
  std::vector<StatOf<T>> bias, dLse;
  std::vector<uint8_t> mask;
};

template <typename T> struct Outputs {
  std::vector<T> o, dq, dk, dv;
  std::vector<StatOf<T>> lse, dBias;
};

template <typename T>
Outputs<T> compute(const Reference &reference, Inputs<T> in, int threads) {
  const Case &c = reference.c;
  OneRank rank(threads);
  Outputs<T> out{std::vector<T>(in.q.size()),
                 std::vector<T>(in.q.size()),
                 std::vector<T>(in.k.size()),
                 std::vector<T>(in.k.size()),
                 std::vector<StatOf<T>>(static_cast<size_t>(c.b * c.h * c.sq)),
                 std::vector<StatOf<T>>(in.bias.size())};
  auto biasStrides = reference.biasStrides, maskStrides = reference.maskStrides;
  void *bias = c.bias == kNone ? nullptr : in.bias.data();
  void *mask = c.mask == kNone ? nullptr : in.mask.data();
  void *dLse = c.ofLse ? in.dLse.data() : nullptr;
  boost_rt_attention_forward(rank.get(), typeOf<T>(), in.q.data(), in.k.data(),
                             in.v.data(), bias, biasStrides.data(), mask,
                             maskStrides.data(), out.o.data(), out.lse.data(),
                             c.b, c.sq, c.sk, c.h, c.kvh, c.dh, reference.scale,
                             c.softCap, c.causal);
  boost_rt_attention_backward(rank.get(), typeOf<T>(), in.q.data(), in.k.data(),
                              in.v.data(), bias, biasStrides.data(), mask,
                              maskStrides.data(), out.o.data(), out.lse.data(),
                              in.dO.data(), dLse, out.dq.data(), out.dk.data(),
                              out.dv.data(), c.b, c.sq, c.sk, c.h, c.kvh, c.dh,
                              reference.scale, c.softCap, c.causal, 0);
  if (bias)
    boost_rt_attention_bias_backward(
        rank.get(), typeOf<T>(), in.q.data(), in.k.data(), in.v.data(), bias,
        biasStrides.data(), mask, maskStrides.data(), out.o.data(),
        out.lse.data(), in.dO.data(), dLse, out.dBias.data(), c.b, c.sq, c.sk,
        c.h, c.kvh, c.dh, reference.scale, c.softCap, c.causal);
  return out;
}

/// All results within `bound`, relative, and the same for several threads.
template <typename T> void check(const Case &c, double bound) {
  int64_t queries = c.b * c.sq * c.h * c.dh, keys = c.b * c.sk * c.kvh * c.dh;
  Inputs<T> in;
  in.q = randomValues<T>(queries, "q");
  in.dO = randomValues<T>(queries, "do");
  in.k = randomValues<T>(keys, "k");
  in.v = randomValues<T>(keys, "v");
  in.bias = randomValues<StatOf<T>>(c.countOf(c.bias), "bias");
  in.dLse = randomValues<StatOf<T>>(c.b * c.h * c.sq, "dlse");
  Reference reference(c);
  for (double value : randomValues<double>(c.countOf(c.mask), "mask"))
    reference.masks.push_back(value > -0.25);
  if (c.hiddenRow != kNone)
    reference.hideRow();
  if (c.biasedRow != kNone)
    reference.hideByBias(in.bias);
  in.mask = reference.masks;
  reference.qs = widen(in.q);
  reference.ks = widen(in.k);
  reference.vs = widen(in.v);
  reference.dos = widen(in.dO);
  reference.biases = widen(in.bias);
  reference.dlses = widen(in.dLse);
  reference.run();
  auto out = compute(reference, in, 1);
  EXPECT_LT(relativeError(out.o, reference.os), bound);
  EXPECT_LT(relativeError(out.lse, reference.lse), std::min(bound, 1e-6));
  EXPECT_LT(relativeError(out.dq, reference.dqs), bound);
  EXPECT_LT(relativeError(out.dk, reference.dks), bound);
  EXPECT_LT(relativeError(out.dv, reference.dvs), bound);
  if (c.bias != kNone)
    EXPECT_LT(relativeError(out.dBias, reference.dbiases), bound);
  auto threaded = compute(reference, in, 3);
  EXPECT_EQ(widen(out.o), widen(threaded.o));
  EXPECT_EQ(widen(out.dq), widen(threaded.dq));
  EXPECT_EQ(widen(out.dk), widen(threaded.dk));
  EXPECT_EQ(widen(out.dv), widen(threaded.dv));
  EXPECT_EQ(widen(out.dBias), widen(threaded.dBias));
}
} // namespace

TEST(Attention, full) { check<float>({2, 19, 19, 3, 3, 8}, 5e-6); }

TEST(Attention, causal) { check<float>({2, 19, 19, 3, 3, 8, true}, 5e-6); }

TEST(Attention, severalBlocks) {
  check<float>({1, 150, 150, 2, 2, 16, true}, 5e-6);
  check<float>({1, 150, 150, 2, 2, 16}, 5e-6);
}

TEST(Attention, groupedQuery) {
  check<float>({2, 70, 70, 6, 2, 16, true}, 5e-6);
  check<float>({1, 33, 33, 4, 1, 8}, 5e-6);
}

TEST(Attention, oneToken) { check<float>({1, 1, 1, 2, 2, 4, true}, 5e-6); }

TEST(Attention, otherKeys) {
  check<float>({2, 5, 150, 2, 1, 8}, 5e-6);
  check<float>({2, 150, 5, 2, 2, 8}, 5e-6);
}

TEST(Attention, gradientOfLse) {
  check<float>({2, 70, 70, 4, 2, 8, true, kNone, kNone, 0, true}, 5e-6);
}

TEST(Attention, softCap) {
  check<float>({1, 70, 70, 2, 2, 8, true, kNone, kNone, 0.5, true}, 5e-6);
}

// Every way of repeating a bias, and a mask, over several blocks.
TEST(Attention, bias) {
  for (int dims = 0; dims < 16; ++dims)
    check<float>({2, 70, 66, 4, 2, 8, false, dims, kNone, 2, true}, 5e-6);
}

TEST(Attention, mask) {
  for (int dims = 0; dims < 16; ++dims)
    check<double>({2, 70, 66, 4, 2, 8, false, 5, dims}, 1e-12);
}

// The first queries of a head see nothing.
TEST(Attention, causalMask) {
  for (int dims = 0; dims < 16; ++dims)
    check<double>({2, 70, 70, 4, 2, 8, true, 5, dims, 0, true}, 1e-12);
}

// One row of a causal block sees nothing, the first or the last of it: it reads
// all keys, those behind the block too.
TEST(Attention, oneHiddenRow) {
  for (int64_t row : {0, 63, 64, 127, 128, 129}) {
    Case c{1, 130, 130, 2, 1, 8, true, 5, 15, 0, true, row};
    check<float>(c, 5e-6);
    check<double>(c, 1e-12);
    check<BFloat16>(c, 0x1p-6);
  }
}

// A bias hides all keys of a row, which then weigh the same: lse is as large as
// the bias, and gradients need the logarithm of the sum all the same.
TEST(Attention, oneRowHiddenByBias) {
  for (bool causal : {false, true})
    for (int64_t row : {0, 63, 64, 129}) {
      Case c{1, 130, 130, 2, 1, 8, causal, 15, kNone, 0, true, kNone, row};
      check<float>(c, 5e-6);
      check<double>(c, 1e-12);
      check<BFloat16>(c, 0x1p-6);
    }
}

TEST(Attention, f64) { check<double>({1, 40, 40, 4, 2, 8, true}, 1e-13); }

TEST(Attention, bf16) {
  check<BFloat16>({1, 70, 70, 4, 2, 16, true}, 0x1p-6);
  check<BFloat16>({1, 70, 70, 4, 2, 16, true, 7, 9, 2}, 0x1p-6);
}

TEST(Attention, f16) { check<Float16>({1, 70, 70, 4, 2, 16, true}, 0x1p-9); }
