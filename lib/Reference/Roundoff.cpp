//===- Roundoff.cpp - Rounding errors drawn by chance ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Roundoff.h"

#include <cmath>

using namespace mlir;
using namespace mlir::boost::reference;

/// The relative error that generated code and the runtime promise for exp, log,
/// tanh and similar functions in f32.
static constexpr double kFunctionError = 2e-7;

double mlir::boost::reference::getUnitRoundoff(Type type) {
  // Asked for every element: the usual types without a lookup.
  if (type.isF32())
    return 0x1p-24;
  if (type.isBF16())
    return 0x1p-8;
  return std::ldexp(1.0, -static_cast<int>(llvm::APFloat::semanticsPrecision(
                             cast<FloatType>(type).getFloatSemantics())));
}

/// The unit roundoff of the type that elements of `type` are computed in.
static double getComputeRoundoff(Type type) {
  return std::min(getUnitRoundoff(type), 0x1p-24);
}

/// The finalizer of SplitMix64, after Steele, Lea and Flood (2014).
static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Roundoff::Roundoff(uint64_t seed) : active(true), operation(mix(seed)) {}

void Roundoff::beginOperation() { operation += 0x9e3779b97f4a7c15u; }

double Roundoff::draw(double value) const {
  uint64_t z = mix(mix(operation) ^ llvm::bit_cast<uint64_t>(std::abs(value)));
  return static_cast<double>(z >> 11) * 0x1p-53;
}

/// Errors of opposite values are opposite.
static double addError(double value, double error) {
  return value + (value < 0 ? -error : error);
}

/// A draw as a number of mean 0 and deviation 1, uniformly distributed.
static double center(double draw) { return std::sqrt(3.0) * (2 * draw - 1); }

double Roundoff::disturb(double value, double deviation) const {
  if (!active || !std::isfinite(value))
    return value;
  return addError(value, deviation * center(draw(value)));
}

double Roundoff::step(double value, Type type) const {
  return disturb(value, getComputeRoundoff(type) * std::abs(value));
}

/// A polynomial may err in one direction everywhere: there is an error that all
/// results share, and one of each.
double Roundoff::function(double value, Type type) const {
  if (!active || !std::isfinite(value))
    return value;
  double error = type.isF64() ? 2 * getComputeRoundoff(type) : kFunctionError;
  double deviation = error * std::abs(value);
  // No result of arithmetic is drawn for by this key.
  double shared = center(draw(std::numeric_limits<double>::infinity()));
  return disturb(addError(value, deviation * shared), deviation);
}

double Roundoff::sum(const Sum &sum, Type type) const {
  if (!active)
    return sum.value;
  double compute = getComputeRoundoff(type), stored = getUnitRoundoff(type);
  double variance = compute * compute * (sum.partialSquares + sum.termSquares);
  if (stored > compute)
    variance += stored * stored * sum.termSquares;
  return disturb(sum.value, std::sqrt(variance));
}

//===----------------------------------------------------------------------===//
// Rounding to a type
//===----------------------------------------------------------------------===//

double Roundoff::roundMagnitude(double value, const FloatFormat &format) const {
  auto [low, high] = format.getNeighbors(value);
  if (!std::isfinite(high))
    return format.toNearest(value);
  if (low == high)
    return low;
  return draw(low) * (high - low) < value - low ? high : low;
}

double Roundoff::round(double value, const FloatFormat &format) const {
  if (!active)
    return value;
  return std::copysign(roundMagnitude(std::abs(value), format), value);
}

void Roundoff::round(Tensor &tensor) const {
  auto type = dyn_cast<FloatType>(tensor.elementType());
  if (!active || !type)
    return;
  FloatFormat format(type.getFloatSemantics());
  // Doubles have been rounded when they were computed: what is left to do is to
  // draw the error.
  for (double &value : tensor.data)
    value = type.isF64() ? step(value, type) : round(value, format);
}
