//===- Factorize.h - The call that factorizes matrices ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_FACTORIZE_H
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_FACTORIZE_H

#include "boost-mlir/Dialect/Boost/IR/Factorizations.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-runtime/FactorizationWorkspace.h"

#define GET_OP_CLASSES
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTFactorization.h.inc"

namespace mlir::boost::rt {

/// Returns the factorization as the function of the runtime takes it.
boost_rt::MatrixFactorization getMatrixFactorization(FactorizeOp op);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_FACTORIZE_H
