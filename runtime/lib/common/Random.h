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
/// Box-Muller pairs per block, computed in double.
class NormalStream {
public:
  NormalStream(uint64_t seed, std::string_view name)
      : seed(seed), hash(fnv1a(name)) {}

  /// Calls function(i, value) for elements [begin, begin + count).
  template <typename Function>
  void generate(int64_t begin, int64_t count, Function &&function) const {
    std::array<double, 4> values{};
    int64_t current = -1;
    for (int64_t i = begin; i < begin + count; ++i) {
      if (i / 4 != current)
        values = block(static_cast<uint64_t>(current = i / 4));
      function(i, values[static_cast<size_t>(i % 4)]);
    }
  }

private:
  std::array<double, 4> block(uint64_t index) const;

  uint64_t seed, hash;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_RANDOM_H
