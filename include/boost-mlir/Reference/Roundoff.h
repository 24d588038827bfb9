//===- Roundoff.h - Rounding errors drawn by chance -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stochastic arithmetic: every rounding that a compiled program does may go up
// or down. How far the results of several draws lie apart is how far rounding
// can carry a correct program. docs/Verify.md derives the numbers.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_REFERENCE_ROUNDOFF_H
#define BOOST_MLIR_REFERENCE_ROUNDOFF_H

#include "boost-mlir/Reference/FloatFormat.h"
#include "boost-mlir/Reference/Tensor.h"

namespace mlir::boost::reference {

/// A sum with what its rounding errors depend on.
struct Sum {
  double value = 0;
  /// The squares of all partial sums, and of all terms, added up.
  double partialSquares = 0, termSquares = 0;

  void add(double term) {
    value += term;
    partialSquares += value * value;
    termSquares += term * term;
  }
};

/// Half the distance from 1 to the next number of a floating-point type.
double getUnitRoundoff(Type type);

/// Draws errors of one evaluation; without a seed there are none. As in a
/// compiled program an error depends on the operation and the value alone, so
/// that equal values err alike and their errors add up where they do.
class Roundoff {
public:
  Roundoff() = default;
  explicit Roundoff(uint64_t seed);

  bool isActive() const { return active; }

  /// From here on errors are those of another operation.
  void beginOperation();

  /// The result of arithmetic inside an operation on elements of `type`. Short
  /// types are computed with in f32.
  double step(double value, Type type) const;

  /// Rounds the value of a function that the runtime approximates.
  double function(double value, Type type) const;

  /// Rounds a sum in some order, of which ranks may hold parts that have been
  /// rounded to `type`.
  double sum(const Sum &sum, Type type) const;

  /// Rounds to one of the two neighbors in `format`, to the nearer one the
  /// more often the nearer it is; what the format has stays. Values between the
  /// same neighbors are rounded at the same place between them.
  double round(double value, const FloatFormat &format) const;

  /// Rounds the elements to their type.
  void round(Tensor &tensor) const;

private:
  double roundMagnitude(double value, const FloatFormat &format) const;
  double disturb(double value, double deviation) const;
  /// In [0, 1), the same for values of the same magnitude.
  double draw(double value) const;

  bool active = false;
  uint64_t operation = 0;
};

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_REFERENCE_ROUNDOFF_H
