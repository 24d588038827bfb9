//===- Permutation.cpp - A random order of numbers, by counters -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Permutation.h"
#include "common/Random.h"

using namespace boost_rt;

/// More than the four that make a strong pseudorandom permutation (Luby and
/// Rackoff, 1988), since halves may be of few bits.
static constexpr uint32_t kRounds = 8;

static uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
static uint32_t high(uint64_t value) {
  return static_cast<uint32_t>(value >> 32);
}

Permutation::Permutation(int64_t size, uint64_t seed, uint64_t stream)
    : size(static_cast<uint64_t>(size)), key{low(seed), high(seed)},
      stream(stream) {
  while ((this->size - 1) >> (2 * halfBits) != 0)
    ++halfBits;
}

uint64_t Permutation::mix(uint64_t value) const {
  const uint64_t mask = (uint64_t(1) << halfBits) - 1;
  uint64_t left = value >> halfBits, right = value & mask;
  for (uint32_t round = 0; round < kRounds; ++round) {
    uint64_t noise =
        philox4x32({low(right), round, low(stream), high(stream)}, key)[0];
    uint64_t next = (left ^ noise) & mask;
    left = right;
    right = next;
  }
  return left << halfBits | right;
}

int64_t Permutation::operator[](int64_t index) const {
  auto value = static_cast<uint64_t>(index);
  do
    value = mix(value);
  while (value >= size);
  return static_cast<int64_t>(value);
}
