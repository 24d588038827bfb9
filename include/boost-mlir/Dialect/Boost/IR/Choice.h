//===- Choice.h - Calls that a number chooses -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_CHOICE_H
#define BOOST_MLIR_DIALECT_BOOST_IR_CHOICE_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"

#define GET_OP_CLASSES
#include "boost-mlir/Dialect/Boost/IR/BoostChoice.h.inc"

namespace mlir::boost {

/// The function that computes which update is called, and its result.
inline constexpr llvm::StringLiteral kChooseUpdateFunction = "choose_update";
inline constexpr llvm::StringLiteral kChoiceTensor = "choice.update";

/// Returns the choices of a schedule in their order.
SmallVector<ChooseOp> getChoices(ScheduleOp schedule);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_CHOICE_H
