//===- VectorMath.h - Row functions that compilers vectorize ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions keep `lanes` partial results and add them in a fixed order, so
// that they vectorize without license to reassociate.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CPU_VECTORMATH_H
#define BOOST_RUNTIME_CPU_VECTORMATH_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace boost_rt {

inline constexpr int lanes = 16;

/// exp(x), relative error below 2e-7; 0 below -87.3, infinity above 88.7.
inline float fastExp(float x) {
  constexpr float log2e = 1.44269504088896341f;
  constexpr float ln2High = 0.693359375f, ln2Low = -2.12194440e-4f;
  constexpr float lowest = -87.3f, highest = 88.7f;
  // Adding and subtracting 1.5 * 2^23 rounds to the nearest integer.
  constexpr float rounder = 12582912.0f;
  float t = x < lowest ? lowest : x;
  t = t > highest ? highest : t;
  float shifted = t * log2e + rounder;
  float n = shifted - rounder;
  float r = t - n * ln2High - n * ln2Low;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  uint32_t word;
  std::memcpy(&word, &shifted, sizeof(word));
  // Half of the exponent first: 2^128 is no float. 127 + n/2, twice.
  int32_t exponent = static_cast<int32_t>(word - 0x4b400000u);
  int32_t half = exponent >> 1;
  uint32_t firstBits = static_cast<uint32_t>(half + 127) << 23;
  uint32_t secondBits = static_cast<uint32_t>(exponent - half + 127) << 23;
  float first, second;
  std::memcpy(&first, &firstBits, sizeof(first));
  std::memcpy(&second, &secondBits, sizeof(second));
  float result = p * first * second;
  result = x < lowest ? 0.0f : result;
  return x > highest ? HUGE_VALF : result;
}

inline double fastExp(double x) { return std::exp(x); }

/// tanh(x), relative error below 4e-7: the odd polynomial of Cephes' tanhf for
/// small x, 1 - 2 / (exp(2 x) + 1) for others.
inline float fastTanh(float x) {
  float size = std::fabs(x), z = x * x;
  float p = -5.70498872745e-3f;
  p = p * z + 2.06390887954e-2f;
  p = p * z - 5.37397155531e-2f;
  p = p * z + 1.33314422036e-1f;
  p = p * z - 3.33332819422e-1f;
  float small = p * z * x + x;
  float large = 1 - 2 / (fastExp(2 * size) + 1);
  return size < 0.625f ? small : std::copysign(large, x);
}

inline double fastTanh(double x) { return std::tanh(x); }

/// Sums `partial` in a fixed order.
template <typename T> T addLanes(const T *partial) {
  T sum = 0;
  for (int j = 0; j < lanes; ++j)
    sum += partial[j];
  return sum;
}

template <typename T> T rowMax(const T *row, int64_t count) {
  T partial[lanes];
  for (int j = 0; j < lanes; ++j)
    partial[j] = row[0];
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int j = 0; j < lanes; ++j)
      partial[j] = partial[j] < row[i + j] ? row[i + j] : partial[j];
  T best = partial[0];
  for (int j = 1; j < lanes; ++j)
    best = best < partial[j] ? partial[j] : best;
  for (; i < count; ++i)
    best = best < row[i] ? row[i] : best;
  return best;
}

/// row[i] = exp(row[i] - shift); returns the sum of the new values.
template <typename T> T rowExp(T *row, int64_t count, T shift) {
  T partial[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int j = 0; j < lanes; ++j) {
      T value = fastExp(row[i + j] - shift);
      row[i + j] = value;
      partial[j] += value;
    }
  for (int j = 0; i < count; ++i, ++j) {
    row[i] = fastExp(row[i] - shift);
    partial[j] += row[i];
  }
  return addLanes(partial);
}

template <typename T> T rowDot(const T *x, const T *y, int64_t count) {
  T partial[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int j = 0; j < lanes; ++j)
      partial[j] += x[i + j] * y[i + j];
  for (int j = 0; i < count; ++i, ++j)
    partial[j] += x[i] * y[i];
  return addLanes(partial);
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_CPU_VECTORMATH_H
