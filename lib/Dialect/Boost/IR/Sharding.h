//===- Sharding.h - What holds where a sharding is attached -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_IR_SHARDING_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_IR_SHARDING_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"

namespace mlir::boost {

/// Checks that `attr` is a sharding that fits a tensor of type `type` and the
/// mesh of the module around `op`, if there is one.
LogicalResult verifySharding(Operation *op, Attribute attr, Type type,
                             function_ref<InFlightDiagnostic()> emitError);

/// Verifies `boost.sharding` of an argument or result.
LogicalResult verifySharding(Operation *op, StringRef what, unsigned index,
                             Type type, Attribute attr);

/// Checks `boost.shardings`: one that fits for each result.
LogicalResult verifyShardings(Operation *op, Attribute attr);

/// Checks `boost.spread` and `boost.gradient_spread`: a dimension of each
/// tensor.
LogicalResult verifySpread(Operation *op, NamedAttribute attr);

/// Checks `boost.axes`: a name for each axis of a grid.
LogicalResult verifyAxisNames(Operation *op, Attribute attr);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_IR_SHARDING_H
