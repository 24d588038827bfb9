//===- Random.h - Counter-based random numbers ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element of a tensor is a function of (seed, tensor name, global index), so
// every layout starts from the same parameters.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_RANDOM_H
#define BOOST_RUNTIME_COMMON_RANDOM_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace boost_rt {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy
/// as 1, 2, 3", SC 2011).
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key);

/// 64-bit FNV-1a.
uint64_t fnv1a(std::string_view text);

/// Standard normal numbers of one tensor. Element i is number i % 4 of the
/// Philox block with key `seed` and counter (i / 4, hash of the name): two
/// Box-Muller pairs per block, computed in double by a fixed sequence of
/// operations that IEEE 754 rounds exactly. So every machine, whatever its
/// vectors and its library of mathematical functions, has the same bits.
class NormalStream {
public:
  NormalStream(uint64_t seed, std::string_view name)
      : seed(seed), hash(fnv1a(name)) {}

  /// Calls function(i, value) for elements [begin, begin + count).
  template <typename Function>
  void generate(int64_t begin, int64_t count, Function &&function) const {
    forEachPart(begin, count,
                [&](int64_t first, const double *values, int64_t n) {
                  for (int64_t i = 0; i < n; ++i)
                    function(first + i, values[i]);
                });
  }

  /// Writes elements [begin, begin + count), multiplied by `deviation` in
  /// double.
  void write(int64_t begin, int64_t count, double deviation, float *out) const;

private:
  /// Blocks are computed side by side, in the lanes of vectors.
  static constexpr size_t blocksAtOnce = 64;
  using Values = std::array<double, 4 * blocksAtOnce>;

  /// Computes `count` blocks from `first` on, at most blocksAtOnce.
  void compute(uint64_t first, size_t count, Values &values) const;

  /// Calls function(first, values, count) for parts of [begin, begin + count).
  template <typename Function>
  void forEachPart(int64_t begin, int64_t count, Function &&function) const {
    Values values;
    for (int64_t end = begin + count; begin < end;) {
      int64_t start = begin / 4 * 4;
      int64_t last = std::min<int64_t>(end, start + int64_t(values.size()));
      compute(static_cast<uint64_t>(begin / 4),
              static_cast<size_t>(last - start + 3) / 4, values);
      function(begin, values.data() + (begin - start), last - begin);
      begin = last;
    }
  }

  uint64_t seed, hash;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_RANDOM_H
