//===- Roundoff.cpp - Rounding errors drawn by chance ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Roundoff.h"

#include <cmath>

using namespace mlir;
using namespace mlir::boost::reference;

/// What generated code and the runtime promise of exp, log, tanh and the like
/// in f32, relative to the result.
static constexpr double kFunctionError = 2e-7;

double mlir::boost::reference::getUnitRoundoff(Type type) {
  return std::ldexp(1.0, -static_cast<int>(llvm::APFloat::semanticsPrecision(
                             cast<FloatType>(type).getFloatSemantics())));
}

/// The unit roundoff of the type that elements of `type` are computed in.
static double getComputeRoundoff(Type type) {
  return std::min(getUnitRoundoff(type), 0x1p-24);
}

/// SplitMix64, after Steele, Lea and Flood (2014).
double Roundoff::draw() {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

/// Adds an error of this standard deviation, uniformly distributed.
double Roundoff::disturb(double value, double deviation) {
  if (!active || deviation == 0)
    return value;
  return value + deviation * std::sqrt(3.0) * (2 * draw() - 1);
}

double Roundoff::step(double value, Type type) {
  return disturb(value, getComputeRoundoff(type) * std::abs(value));
}

double Roundoff::function(double value, Type type) {
  double error = type.isF64() ? 2 * getComputeRoundoff(type) : kFunctionError;
  return disturb(value, error * std::abs(value));
}

double Roundoff::sum(const Sum &sum, Type type) {
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

/// `value` rounded down or up to a format.
static double roundTo(double value, const llvm::fltSemantics &format,
                      llvm::RoundingMode mode) {
  llvm::APFloat rounded(value);
  bool losesInfo;
  rounded.convert(format, mode, &losesInfo);
  rounded.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return rounded.convertToDouble();
}

void Roundoff::round(Tensor &tensor) {
  auto type = dyn_cast<FloatType>(tensor.elementType());
  if (!active || !type)
    return;
  const llvm::fltSemantics &format = type.getFloatSemantics();
  for (double &value : tensor.data) {
    // Doubles have been rounded when they were computed: what is left to do is
    // to draw the error.
    if (type.isF64()) {
      value = step(value, type);
      continue;
    }
    if (type.isF32() && value == static_cast<double>(static_cast<float>(value)))
      continue;
    double low = roundTo(value, format, llvm::APFloat::rmTowardNegative);
    double high = roundTo(value, format, llvm::APFloat::rmTowardPositive);
    if (low == high || !std::isfinite(low) || !std::isfinite(high)) {
      value = roundTo(value, format, llvm::APFloat::rmNearestTiesToEven);
      continue;
    }
    value = draw() * (high - low) < value - low ? high : low;
  }
}
