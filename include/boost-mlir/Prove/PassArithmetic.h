//===- PassArithmetic.h - What passes do to arithmetic ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table is made from the line `Arithmetic: TAG` of each pass's description.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_PROVE_PASSARITHMETIC_H
#define BOOST_MLIR_PROVE_PASSARITHMETIC_H

#include "mlir/Support/LLVM.h"

namespace mlir::boost::prove {

/// The changes that a pass may make to results that are computed in double.
struct PassArithmetic {
  enum class Tag {
    exact,         ///< Nothing: the same numbers.
    reassociating, ///< Sums and products in another order.
    approximate    ///< As far as `bound` goes, relative to each operation.
  };
  Tag tag;
  double bound;
};

/// Bound of the error of each operation reassociated in double.
inline constexpr double kReassociationBound = 1e-12;

/// The arithmetic of the pass with this flag. Passes from upstream and passes
/// for tests are exact; nothing for a pass of ours whose description does not
/// say.
std::optional<PassArithmetic> getArithmetic(StringRef flag);

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_PROVE_PASSARITHMETIC_H
