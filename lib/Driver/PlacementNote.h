//===- PlacementNote.h - What was placed, for the plan ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_PLACEMENTNOTE_H
#define BOOST_MLIR_LIB_DRIVER_PLACEMENTNOTE_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::boost {

/// Describes the shardings of the loss's arguments after the stage `place`: the
/// field `placement` of a plan, as JSON. Empty if nothing was placed.
std::string describePlacement(ModuleOp module);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_PLACEMENTNOTE_H
