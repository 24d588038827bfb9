//===- ScheduleChoice.h - Choices that a schedule may make ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_IR_SCHEDULECHOICE_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_IR_SCHEDULECHOICE_H

#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::boost {

/// Verifies that a choice depends on nothing but scalars that are states or
/// hyper-parameters, and that its functions take and return the same tensors.
/// All of its functions exist, and their arguments say which tensors they are.
LogicalResult verifyChoice(ChooseOp choice, SymbolTableCollection &symbols);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_IR_SCHEDULECHOICE_H
