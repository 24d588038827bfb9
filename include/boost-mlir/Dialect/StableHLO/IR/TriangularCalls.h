//===- TriangularCalls.h - Triangular systems as calls ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JAX lowers `triangular_solve` for CPUs to a call of LAPACK, which says the
// same as `stablehlo.triangular_solve`.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_TRIANGULARCALLS_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_TRIANGULARCALLS_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost::stablehlo {

/// Returns true if `target` is LAPACK's solver of triangular systems.
bool isTriangularTarget(StringRef target);

/// The form of a triangular system.
struct TriangularForm {
  bool isLeft, isLower, hasUnitDiagonal, isTransposed;
};

TriangularForm getForm(TriangularSolveOp op);

/// The form of a call of such a target; nothing if it is not complete.
std::optional<TriangularForm> matchTriangularCall(CustomCallOp call);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_TRIANGULARCALLS_H
