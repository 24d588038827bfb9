//===- Norms.h - The parts of a norm ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A norm is a product in any order and grouping: of the input, or the input
// less its mean, of 1 / sqrt(statistic + eps), and of a vector. What the raise
// passes of norms share finds these factors.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_NORMS_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_NORMS_H

#include "Views.h"

namespace mlir::boost::raise {

/// `1 / sqrt(statistic + eps)`, repeated along the last dimension. The
/// statistic is the mean of the squares of `input`, or its variance as
/// `mean(input^2) - mean(input)^2`.
struct NormScale {
  Value input;
  double eps;
  bool ofVariance;
};

/// A product that normalizes `center`.
struct NormProduct {
  /// The tensor that is multiplied by the scale.
  Value center;
  NormScale scale;
  /// A tensor that repeats it; null if there is none.
  Value gamma;
};

/// Takes a product apart into a scale, what `isCenterOf` says that it
/// normalizes, and perhaps a vector; nullopt if it has other factors.
std::optional<NormProduct>
matchNormProduct(Value product,
                 function_ref<bool(const NormScale &, Value)> isCenterOf);

/// Returns true if `value` repeats a vector over all but its last dimension.
bool isRepeatedVector(Value value);

/// The `x` of `x - mean(x)`, the mean over the last dimension; null otherwise.
Value matchCentered(Value value);

/// Returns true if `op` can be the last operation of a norm.
bool canEndNorm(Operation *op);

/// The tensor and the type that a norm which ends in `root` is computed in: the
/// input as it was before the statistic was taken, if that is the type of
/// `root`.
Value getNormInput(Operation *root, Value input);

/// The vector that `repeated` repeats, in a type that a norm of `input` takes;
/// `number` in all places if there is none.
Value makeNormVector(OpBuilder &builder, Location loc, Value repeated,
                     double number, Value input);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_NORMS_H
