//===- FloatFormat.h - Rounding doubles to a format -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The evaluator rounds most elements that it computes, so for the formats of
// IEEE 754 that are narrower than double this is a few operations on doubles,
// an order of magnitude faster than `APFloat::convert` and equal to it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_REFERENCE_FLOATFORMAT_H
#define BOOST_MLIR_REFERENCE_FLOATFORMAT_H

#include "llvm/ADT/APFloat.h"
#include <utility>

namespace mlir::boost::reference {

/// A format of floating-point numbers that doubles are rounded to.
class FloatFormat {
public:
  explicit FloatFormat(const llvm::fltSemantics &semantics);

  /// The number of the format that is nearest, ties to even.
  double toNearest(double value) const;

  /// The numbers of the format next to a magnitude, not above it and not below
  /// it: both are `magnitude` where the format has it. The second is infinite
  /// beyond the largest number.
  std::pair<double, double> getNeighbors(double magnitude) const;

private:
  /// The distance between numbers of the format around a finite value.
  double getSpacing(double value) const;

  const llvm::fltSemantics &semantics;
  /// True if its numbers are doubles whose spacing a double can represent.
  bool isShort;
  int precision = 0, minExponent = 0;
  double largest = 0;
};

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_REFERENCE_FLOATFORMAT_H
