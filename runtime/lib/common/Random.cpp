//===- Random.cpp - Counter-based random numbers --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Random.h"

#include <cmath>

using namespace boost_rt;

std::array<uint32_t, 4> boost_rt::philox4x32(std::array<uint32_t, 4> counter,
                                             std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t(0xD2511F53u) * counter[0];
    uint64_t product1 = uint64_t(0xCD9E8D57u) * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

uint64_t boost_rt::fnv1a(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

static uint32_t low(uint64_t word) { return static_cast<uint32_t>(word); }
static uint32_t high(uint64_t word) {
  return static_cast<uint32_t>(word >> 32);
}

std::array<double, 4> NormalStream::block(uint64_t index) const {
  auto bits = philox4x32({low(index), high(index), low(hash), high(hash)},
                         {low(seed), high(seed)});
  std::array<double, 4> values;
  for (size_t pair = 0; pair < 2; ++pair) {
    // Uniform in (0, 1), so that the logarithm is finite.
    double u = (bits[2 * pair] + 0.5) * 0x1p-32;
    double angle = 2.0 * M_PI * ((bits[2 * pair + 1] + 0.5) * 0x1p-32);
    double radius = std::sqrt(-2.0 * std::log(u));
    values[2 * pair] = radius * std::cos(angle);
    values[2 * pair + 1] = radius * std::sin(angle);
  }
  return values;
}
