//===- UpdateChoices.h - Branches that counts choose ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches of an update that are known before it runs, since they depend on
// nothing but counts and hyper-parameters.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_UPDATECHOICES_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_UPDATECHOICES_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost::stablehlo {

/// The largest number of functions that an update is split into.
inline constexpr unsigned kMostUpdateChoices = 4;

/// Branches that one number chooses.
struct UpdateChoice {
  /// The index of `case` operations, or the predicate of `if` operations.
  Value index;
  SmallVector<Operation *> branches;
  /// The number of positions to choose from.
  unsigned count = 0;
};

/// Returns what the index of a `case` or `if` in an update is computed from,
/// in the order of the function, if that is nothing but integer scalars among
/// its states, scalars among its hyper-parameters, and constants.
std::optional<SmallVector<Operation *>> findIndexOperations(Operation *branch);

/// Returns the branches of an update that boost-split-update fixes: those that
/// one number of this kind chooses among at most kMostUpdateChoices positions,
/// of several such numbers the one whose branches have most operations.
std::optional<UpdateChoice> findUpdateChoice(func::FuncOp update);

/// Returns the region of `branch` that a position chooses.
Region &getChosenRegion(Operation *branch, unsigned position);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_UPDATECHOICES_H
