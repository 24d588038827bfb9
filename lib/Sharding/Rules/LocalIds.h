//===- LocalIds.h - Indices into a rank's part ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A look-up in a dimension that is sharded: a rank reads what it holds, and
// contributes zero for the rest.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_SHARDING_RULES_LOCALIDS_H
#define BOOST_MLIR_LIB_SHARDING_RULES_LOCALIDS_H

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace mlir::boost {

/// Returns the dimension that indices name, if there is one alone and it is
/// among those of which slices have one element.
std::optional<int64_t> getOnlyIndexedDim(ArrayRef<int64_t> indexed,
                                         ArrayRef<int64_t> ofOneElement);

/// Ids relative to the first row of the rank's part.
struct LocalIds {
  /// Clamped to the rows of the part.
  Value ids;
  /// Booleans of the same shape: the ids that needed no clamping.
  Value held;
};

/// Returns `ids` in the rank's part of `localRows` rows of a dimension that is
/// sharded over `axes`. Ids outside of the whole dimension are clamped to it.
LocalIds buildLocalIds(OpBuilder &builder, Location loc, const Mesh &mesh,
                       const AxisList &axes, Value ids, int64_t localRows);

/// Returns `ids` less the first row of the rank's part, without clamping, in a
/// type that holds the difference.
Value buildRelativeIds(OpBuilder &builder, Location loc, const Mesh &mesh,
                       const AxisList &axes, Value ids, int64_t localRows);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_SHARDING_RULES_LOCALIDS_H
