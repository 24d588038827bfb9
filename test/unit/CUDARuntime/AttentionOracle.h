//===- AttentionOracle.h - Attention in plain loops -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of attention and of its gradients in double, with no thought of
// how anyone computes them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_CUDARUNTIME_ATTENTIONORACLE_H
#define BOOST_MLIR_TEST_UNIT_CUDARUNTIME_ATTENTIONORACLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boost_rt {

/// A bias or a mask has a number per score along the dimensions whose bit is
/// set: 8 batch, 4 heads, 2 queries, 1 keys.
constexpr int kNone = -1;

struct AttentionCase {
  int64_t b = 1, sq = 1, sk = 1, h = 1, kvh = 1, dh = 1;
  bool causal = false;
  int bias = kNone, mask = kNone;
  double softCap = 0;
  bool ofLse = false;
  /// A row of the mask that hides everything, and whether no other hides any.
  int64_t hiddenRow = kNone;
  bool isOnlyHiddenRow = false;
  /// The bias of keys before this one is -infinity.
  int64_t infiniteBefore = 0;
  /// With a bias for every score: the row of which it hides all keys, by a
  /// number beside which scores vanish; of other rows it hides every third key.
  int64_t biasedRow = kNone;

  int64_t getQueries() const { return b * sq * h * dh; }
  int64_t getKeys() const { return b * sk * kvh * dh; }
  std::vector<int64_t> sizesOf(int dims) const;
  int64_t countOf(int dims) const;
  std::vector<int64_t> stridesOf(int dims) const;
};

using Doubles = std::vector<double>;

class AttentionOracle {
public:
  explicit AttentionOracle(const AttentionCase &attention);

  /// Computes everything below.
  void run(Doubles q, Doubles k, Doubles v, Doubles bias, Doubles dO,
           Doubles dLse);

  AttentionCase c;
  double scale;
  std::vector<int64_t> biasStrides, maskStrides;
  std::vector<uint8_t> masks;
  /// The numbers of the bias that hide keys.
  std::vector<size_t> hiding;
  Doubles o, lse, dQ, dK, dV, dBias;
  /// The sums of the absolute values that these are sums of. For gradients of
  /// products, what is subtracted from one counts, too.
  struct {
    Doubles o, dQ, dK, dV;
  } magnitudes;

private:
  /// One query of one head.
  struct Row {
    int64_t b, h, i;
  };

  std::size_t atQuery(const Row &row, int64_t d) const;
  std::size_t atKey(const Row &row, int64_t key, int64_t d) const;
  static std::size_t at(const std::vector<int64_t> &strides, const Row &row,
                        int64_t key);
  bool sees(const Row &row, int64_t key) const;
  void runRow(const Row &row);
  /// Probabilities, and the slopes of scores: none if nothing is seen.
  void computeRow(const Row &row, Doubles &p, Doubles &slopes);
  void differentiateRow(const Row &row, const Doubles &p,
                        const Doubles &slopes);

  Doubles q, k, v, bias, dO, dLse;
};

template <typename T> Doubles widen(const std::vector<T> &values) {
  Doubles wide;
  for (const T &value : values)
    wide.push_back(static_cast<double>(value));
  return wide;
}

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_UNIT_CUDARUNTIME_ATTENTIONORACLE_H
