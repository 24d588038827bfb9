//===- Random.cpp - Counter-based random numbers --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Random.h"

#include <cmath>
#include <cstring>

using namespace boost_rt;

static uint32_t low(uint64_t word) { return static_cast<uint32_t>(word); }
static uint32_t high(uint64_t word) {
  return static_cast<uint32_t>(word >> 32);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Replaces `count` counters by their blocks: word i of block j is words[i][j].
template <size_t capacity>
static void runPhilox(std::array<std::array<uint32_t, capacity>, 4> &words,
                      size_t count, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    for (size_t j = 0; j < count; ++j) {
      uint64_t product0 = uint64_t(0xD2511F53u) * words[0][j];
      uint64_t product1 = uint64_t(0xCD9E8D57u) * words[2][j];
      words[0][j] = high(product1) ^ words[1][j] ^ key[0];
      words[1][j] = low(product1);
      words[2][j] = high(product0) ^ words[3][j] ^ key[1];
      words[3][j] = low(product0);
    }
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
}

std::array<uint32_t, 4> boost_rt::philox4x32(std::array<uint32_t, 4> counter,
                                             std::array<uint32_t, 2> key) {
  std::array<std::array<uint32_t, 1>, 4> words;
  for (size_t i = 0; i < 4; ++i)
    words[i][0] = counter[i];
  runPhilox(words, 1, key);
  return {words[0][0], words[1][0], words[2][0], words[3][0]};
}

uint64_t boost_rt::fnv1a(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

//===----------------------------------------------------------------------===//
// Normal numbers
//
// This file is compiled without contraction to fused multiplications and
// additions, which not every machine has. Polynomials are those of FreeBSD's
// msun (Sun's fdlibm), with errors below one unit in the last place.
//===----------------------------------------------------------------------===//

static double toDouble(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

static uint64_t toBits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// An integer below 2^52, exactly, by operations that every vector unit has.
static double fromInteger(uint64_t integer) {
  return toDouble(integer | 0x4330000000000000u) - 0x1p52;
}

/// log(x) of a normal number.
static double logarithm(double x) {
  // x = 2^exponent * (1 + f), where 1 + f is from sqrt(1/2) to sqrt(2).
  constexpr uint64_t rootOfHalf = uint64_t(0x3fe6a09e) << 32;
  uint64_t bits = toBits(x) + ((uint64_t(0x3ff00000) << 32) - rootOfHalf);
  double exponent = fromInteger(bits >> 52) - 1023;
  double f = toDouble((bits & 0x000fffffffffffffu) + rootOfHalf) - 1;
  double s = f / (2 + f), z = s * s, w = z * z;
  double odd =
      w * (3.999999999940941908e-01 +
           w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  double even =
      z * (6.666666666666735130e-01 +
           w * (2.857142874366239149e-01 +
                w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  double half = 0.5 * f * f;
  return s * (half + (odd + even)) + exponent * 1.90821492927058770002e-10 -
         half + f + exponent * 6.93147180369123816490e-01;
}

/// sin(x) and cos(x) for |x| <= pi / 4.
static double sine(double x) {
  double z = x * x, w = z * z;
  double r =
      8.33333333332248946124e-03 +
      z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06) +
      z * w * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10);
  return x + z * x * (-1.66666666666666324348e-01 + z * r);
}
static double cosine(double x) {
  double z = x * x, w = z * z;
  double r =
      z * (4.16666666666666019037e-02 +
           z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05)) +
      w * w *
          (-2.75573143513906633035e-07 +
           z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
  double half = 0.5 * z, rest = 1 - half;
  return rest + ((1 - rest - half) + z * r);
}

/// A number in (0, 1) and an angle, as a pair of normal numbers (Box-Muller).
static void makePair(uint32_t radiusBits, uint32_t angleBits, double &first,
                     double &second) {
  // Uniform in (0, 1), so that the logarithm is finite.
  double u = (fromInteger(radiusBits) + 0.5) * 0x1p-32;
  double radius = std::sqrt(-2.0 * logarithm(u));
  // The nearest quarter turn, and the rest of the turn (angleBits + 0.5) /
  // 2^32.
  uint64_t quarter = ((uint64_t(angleBits) + (1u << 29)) >> 30) & 3;
  auto rest = static_cast<int32_t>(angleBits - (low(quarter) << 30));
  double x = (static_cast<double>(rest) + 0.5) * 0x1p-32 * (2 * M_PI);
  uint64_t c = toBits(radius * cosine(x)), s = toBits(radius * sine(x));
  uint64_t swaps = -(quarter & 1);
  first = toDouble(((c & ~swaps) | (s & swaps)) ^ ((quarter + 1) & 2) << 62);
  second = toDouble(((s & ~swaps) | (c & swaps)) ^ (quarter & 2) << 62);
}

void NormalStream::compute(uint64_t first, size_t count, Values &values) const {
  std::array<std::array<uint32_t, blocksAtOnce>, 4> words;
  for (size_t j = 0; j < count; ++j) {
    words[0][j] = low(first + j);
    words[1][j] = high(first + j);
    words[2][j] = low(hash);
    words[3][j] = high(hash);
  }
  runPhilox(words, count, {low(seed), high(seed)});
  std::array<std::array<double, blocksAtOnce>, 4> normal;
  for (size_t pair = 0; pair < 4; pair += 2)
    for (size_t j = 0; j < count; ++j)
      makePair(words[pair][j], words[pair + 1][j], normal[pair][j],
               normal[pair + 1][j]);
  for (size_t j = 0; j < count; ++j)
    for (size_t i = 0; i < 4; ++i)
      values[4 * j + i] = normal[i][j];
}

void NormalStream::write(int64_t begin, int64_t count, double deviation,
                         float *out) const {
  forEachPart(
      begin, count, [&](int64_t first, const double *values, int64_t n) {
        for (int64_t i = 0; i < n; ++i)
          out[first - begin + i] = static_cast<float>(deviation * values[i]);
      });
}
