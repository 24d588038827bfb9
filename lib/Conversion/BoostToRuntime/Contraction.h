//===- Contraction.h - Products as BLAS calls -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which boostrt.gemm computes a dot_general or a boost.linear.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_BOOSTTORUNTIME_CONTRACTION_H
#define BOOST_MLIR_LIB_CONVERSION_BOOSTTORUNTIME_CONTRACTION_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::boost {

/// Replaces a floating-point product by a gemm. Transposes and slices of the
/// operands and a transpose of the result are read as layouts of the gemm.
/// `nextPhase` is the marker of the phase behind that of the product, or null.
void convertDotGeneral(IRRewriter &rewriter, stablehlo::DotGeneralOp op,
                       PhaseOp nextPhase);

void convertLinear(IRRewriter &rewriter, LinearOp op);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_CONVERSION_BOOSTTORUNTIME_CONTRACTION_H
