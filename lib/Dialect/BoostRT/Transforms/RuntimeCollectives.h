//===- RuntimeCollectives.h - Groups and sites ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of boost-verify-runtime on operations with a group of ranks.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_RUNTIMECOLLECTIVES_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_RUNTIMECOLLECTIVES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::boost::rt {

/// Every group is one of axes of the mesh, the named ones, and shapes fit its
/// size; every collective has a site of its own, and no site is missing.
LogicalResult verifyCollectives(ModuleOp module);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_RUNTIMECOLLECTIVES_H
