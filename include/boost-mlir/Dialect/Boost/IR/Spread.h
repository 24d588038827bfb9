//===- Spread.h - Over which loop an operation is spread --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a placement says which loop of an operation is spread over an axis, in
// place of a price.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_SPREAD_H
#define BOOST_MLIR_DIALECT_BOOST_IR_SPREAD_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::boost {

/// A dictionary from axes of the mesh to the dimension of each operand, then of
/// each result, that the loop which is spread over the axis goes through; -1
/// where it goes through none. With -1 alone the operation is repeated by all
/// ranks of the axis. What is said of results counts only where no operand has
/// the loop. Axes that are not named are open.
inline constexpr llvm::StringLiteral kSpreadAttr = "boost.spread";

/// The loop of the operations that compute gradients of this one, where they
/// are not spread along the operation's own loop.
inline constexpr llvm::StringLiteral kGradientSpreadAttr =
    "boost.gradient_spread";

/// Writes `dims` of an axis into the attribute `name` of `op`.
void setSpread(Operation *op, llvm::StringRef name, llvm::StringRef axis,
               llvm::ArrayRef<int64_t> dims);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_SPREAD_H
