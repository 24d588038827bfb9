//===- IndexChecks.h - What gathers and scatters index ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_STABLEHLO_IR_INDEXCHECKS_H
#define BOOST_MLIR_LIB_DIALECT_STABLEHLO_IR_INDEXCHECKS_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost::stablehlo {

/// A list of dimensions and the name that messages give it.
struct NamedDims {
  StringRef name;
  ArrayRef<int64_t> dims;
};

/// The dimension numbers of a gather that a scatter has as well, under other
/// names.
struct IndexedDims {
  /// Dimensions of the operand that windows do not have.
  NamedDims collapsed;
  NamedDims operandBatching;
  NamedDims indicesBatching;
  /// The dimension of the operand that each component of an index is for.
  NamedDims map;
  int64_t vectorDim;
};

/// Returns true if `dims` are in increasing order without repetition and below
/// `rank`.
bool isSortedSet(ArrayRef<int64_t> dims, int64_t rank);

/// Checks dimension numbers against each other and the types they belong to.
LogicalResult checkIndexedDims(std::optional<Location> loc,
                               const IndexedDims &numbers,
                               RankedTensorType operand,
                               RankedTensorType indices);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_LIB_DIALECT_STABLEHLO_IR_INDEXCHECKS_H
