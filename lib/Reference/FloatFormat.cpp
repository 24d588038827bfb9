//===- FloatFormat.cpp - Rounding doubles to a format ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/FloatFormat.h"

#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir::boost::reference;
using llvm::APFloat;

static double convert(double value, const llvm::fltSemantics &semantics,
                      llvm::RoundingMode mode) {
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(semantics, mode, &losesInfo);
  rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return rounded.convertToDouble();
}

FloatFormat::FloatFormat(const llvm::fltSemantics &semantics)
    : semantics(semantics), isShort(&semantics == &APFloat::IEEEsingle() ||
                                    &semantics == &APFloat::BFloat() ||
                                    &semantics == &APFloat::IEEEhalf() ||
                                    &semantics == &APFloat::FloatTF32()) {
  if (!isShort)
    return;
  precision = static_cast<int>(APFloat::semanticsPrecision(semantics));
  minExponent = APFloat::semanticsMinExponent(semantics);
  APFloat number = APFloat::getLargest(semantics);
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  largest = number.convertToDouble();
}

double FloatFormat::getSpacing(double value) const {
  constexpr int kBias = 1023, kMantissaBits = 52;
  auto bits = llvm::bit_cast<uint64_t>(value);
  int exponent = static_cast<int>(bits >> kMantissaBits & 0x7ff) - kBias;
  int spacing = std::max(exponent, minExponent) - (precision - 1);
  return llvm::bit_cast<double>(static_cast<uint64_t>(spacing + kBias)
                                << kMantissaBits);
}

// Dividing and multiplying by a spacing, a power of two, is exact.

double FloatFormat::toNearest(double value) const {
  if (!isShort || !std::isfinite(value))
    return convert(value, semantics, APFloat::rmNearestTiesToEven);
  double spacing = getSpacing(value);
  double rounded = std::nearbyint(value / spacing) * spacing;
  return std::abs(rounded) > largest
             ? std::copysign(std::numeric_limits<double>::infinity(), value)
             : rounded;
}

std::pair<double, double> FloatFormat::getNeighbors(double magnitude) const {
  if (!isShort || !std::isfinite(magnitude))
    return {convert(magnitude, semantics, APFloat::rmTowardZero),
            convert(magnitude, semantics, APFloat::rmTowardPositive)};
  if (magnitude > largest)
    return {largest, std::numeric_limits<double>::infinity()};
  double spacing = getSpacing(magnitude);
  double low = std::floor(magnitude / spacing) * spacing;
  double high = low == magnitude ? magnitude : low + spacing;
  return {low, high > largest ? std::numeric_limits<double>::infinity() : high};
}
