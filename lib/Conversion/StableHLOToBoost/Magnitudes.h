//===- Magnitudes.h - How large the elements of a tensor may be -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_MAGNITUDES_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_MAGNITUDES_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost::raise {

/// Returns a bound of the magnitudes of the elements of `value`: that of the
/// constants that it is computed from by sums, products, selections and
/// movement. Floats of the batch may be anything, so that their bound is
/// infinite. Parameters, and what is computed in another way, are taken to be
/// of moderate size.
double boundMagnitude(Value value);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_MAGNITUDES_H
