//===- Optimizers.h - Functions that update parameters ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An update is a function in StableHLO that takes parameters, states, gradients
// and hyper-parameters, and returns what replaces parameters and states. Each
// argument and result says by its boost.tensor what it is.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_OPTIMIZERS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_OPTIMIZERS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::boost {

/// Returns true if a function takes gradients.
bool isUpdate(FunctionOpInterface function);

/// Returns the update among the functions of a module, or null.
FunctionOpInterface findUpdate(ModuleOp module);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_OPTIMIZERS_H
