//===- Factorization.h - Calls that are factorizations ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_REFERENCE_FACTORIZATION_H
#define BOOST_MLIR_LIB_REFERENCE_FACTORIZATION_H

#include "boost-mlir/Dialect/StableHLO/IR/FactorizationCalls.h"
#include "boost-mlir/Reference/Evaluator.h"

namespace mlir::boost::reference {

void addFactorizationRules(RuleSet &rules);

/// Computes the results of a call of this form that anything reads.
void evaluateFactorizationCall(const stablehlo::FactorizationCall &form,
                               ArrayRef<const Tensor *> operands,
                               MutableArrayRef<Tensor> results,
                               const Roundoff &roundoff);

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_LIB_REFERENCE_FACTORIZATION_H
