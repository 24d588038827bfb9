//===- ProgramHash.h - What makes two programs the same ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_PROGRAMHASH_H
#define BOOST_MLIR_LIB_DRIVER_PROGRAMHASH_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::boost {

/// A hash of the functions of a module that was read: their operations, the
/// names of their arguments and which parameters decay. Where the source came
/// from, how parameters start and where tensors lie is not in it, so that a
/// program has one hash for every mesh and placement.
std::string hashProgram(ModuleOp module);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_PROGRAMHASH_H
