//===- ParameterAttrs.h - How parameters start and decay --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes, beside `boost.init`, that say how a parameter trains.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_PARAMETERATTRS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_PARAMETERATTRS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::boost {

/// On an argument: whether weight decay applies to the parameter.
inline constexpr llvm::StringLiteral kDecayAttr = "boost.decay";

/// On the module: the digest of the arrays that parameters start from, which
/// lie in a file beside the module.
inline constexpr llvm::StringLiteral kInitialValuesAttr =
    "boost.initial_values";

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_PARAMETERATTRS_H
