//===- Permutation.h - A random order of numbers, by counters ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_PERMUTATION_H
#define BOOST_RUNTIME_COMMON_PERMUTATION_H

#include <array>
#include <cstdint>

namespace boost_rt {

/// A permutation of [0, size) that is a function of `seed` and `stream` alone:
/// nothing is stored, and any rank finds any element.
///
/// A Feistel network of Philox permutes the numbers of an even number of bits;
/// those that fall outside go through it again (cycle walking: Black and
/// Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).
class Permutation {
public:
  /// `size` is in [1, 2^62].
  Permutation(int64_t size, uint64_t seed, uint64_t stream);

  /// Returns the image of `index`, which is in [0, size).
  int64_t operator[](int64_t index) const;

private:
  uint64_t mix(uint64_t value) const;

  uint64_t size;
  std::array<uint32_t, 2> key;
  uint64_t stream;
  int halfBits = 1;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_PERMUTATION_H
