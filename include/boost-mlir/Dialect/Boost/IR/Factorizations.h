//===- Factorizations.h - Shapes and work of factorizations -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes each kind of factorization, for operations of every level.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_FACTORIZATIONS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_FACTORIZATIONS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"

#include "boost-mlir/Dialect/Boost/IR/BoostFactorizationEnums.h.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/Boost/IR/BoostFactorization.h.inc"

namespace mlir::boost {

/// The matrices of a factorization.
struct FactorizedMatrices {
  int64_t batch, rows, columns;

  explicit FactorizedMatrices(ShapedType type);
  int64_t getRank() const { return std::min(rows, columns); }
};

/// Returns the number of operands of a kind.
size_t getNumOperands(Factorization kind);

/// Returns the shapes of the results for operands of these types, which have
/// the element type and the batch of the first one. Calls `emitError` and fails
/// if the kind does not take such operands.
FailureOr<SmallVector<SmallVector<int64_t>>>
inferFactorization(Factorization kind, TypeRange operands,
                   function_ref<InFlightDiagnostic()> emitError);

/// Checks operands and results.
LogicalResult verifyFactorization(Factorization kind, TypeRange operands,
                                  TypeRange results,
                                  function_ref<InFlightDiagnostic()> emitError);

/// Returns the operations of arithmetic that a factorization takes, about.
double getFlops(Factorization kind, const FactorizedMatrices &matrices);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_FACTORIZATIONS_H
