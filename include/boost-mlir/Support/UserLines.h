//===- UserLines.h - The lines of a program that its author wrote -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JAX gives an operation the stack of calls that made it, with the frames of
// packages such as Flax or optax. What a reader looks for is the innermost line
// of their own.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_USERLINES_H
#define BOOST_MLIR_SUPPORT_USERLINES_H

#include "mlir/IR/Location.h"

#include <string>

namespace mlir::boost {

/// The innermost line in `loc` that is of no installed Python package; where
/// all are, the innermost one. `loc` itself if there is no line in it.
Location findUserLine(Location loc);

/// Describes the user's line as "file:line"; without a line, returns the name
/// that the location has, or "unknown".
std::string describeUserLine(Location loc);

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_USERLINES_H
