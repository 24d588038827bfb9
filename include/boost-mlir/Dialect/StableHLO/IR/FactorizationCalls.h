//===- FactorizationCalls.h - Factorizations of programs --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `stablehlo.cholesky`, and the calls of LAPACK that JAX lowers factorizations
// to for CPUs. They say the same as operations `boost.factorize`.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_FACTORIZATIONCALLS_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_FACTORIZATIONCALLS_H

#include "boost-mlir/Dialect/Boost/IR/Factorizations.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

#define GET_OP_CLASSES
#include "boost-mlir/Dialect/StableHLO/IR/StableHLOFactorization.h.inc"

namespace mlir::boost::stablehlo {

/// Returns true if `target` is one of LAPACK's functions for a factorization.
bool isFactorizationTarget(StringRef target);

/// The factorization that a call computes.
struct FactorizationCall {
  Factorization kind;
  /// For every result of the factorization, the result of the call that has it.
  SmallVector<unsigned, 3> results;
  /// The result of the call that is not 0 where the factorization failed.
  std::optional<unsigned> status;
};

/// The factorization of a call of such a target; nothing if it is not complete,
/// or of a form that JAX does not write.
std::optional<FactorizationCall> matchFactorizationCall(CustomCallOp call);

/// The entries that a call of LAPACK is given. StableHLO has them in one place,
/// and what JAX prints in another. Null if there are none.
DictionaryAttr getBackendConfig(CustomCallOp call);

/// The place in `letters` of the character that LAPACK is given as `key`.
std::optional<size_t> readLetter(DictionaryAttr config, StringRef key,
                                 StringRef letters);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_FACTORIZATIONCALLS_H
