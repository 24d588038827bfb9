//===- NumberLoops.h - Loops over single numbers ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose trip count is not known stays a loop if a single kernel can run
// it: if all that it works on are scalars.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_NUMBERLOOPS_H
#define BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_NUMBERLOOPS_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost::stablehlo {

/// Takes out of a loop what is the same in every trip: parts of its state, and
/// what is computed from nothing else. Returns the loop that takes its place.
WhileOp hoistInvariants(WhileOp loop);

/// Returns true if the state of a loop and all values that it computes are
/// scalars, computed by elementwise operations.
bool isNumberLoop(WhileOp loop);

/// Makes what a loop of numbers reads from around it part of its state. Returns
/// the loop that takes its place.
WhileOp isolateNumberLoop(WhileOp loop);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_NUMBERLOOPS_H
