//===- Constants.h - Values that belong to a program ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant is a frozen parameter whose value belongs to the program: users do
// not give it, and no checkpoint has it. The module has the values of its
// constants until code is generated; compiled programs load them from a file
// beside them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_CONSTANTS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_CONSTANTS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::boost {

/// The attribute of a module that has the values of its constants: a dictionary
/// of dense elements by name.
inline constexpr llvm::StringLiteral kConstantsAttr = "boost.constants";

/// The `init` of a constant.
inline constexpr llvm::StringLiteral kStoredInit = "stored";

/// The role of a constant in the manifest.
inline constexpr llvm::StringLiteral kConstantRole = "constant";

/// Returns true if the tensor is a constant. The tensor may be null.
bool isConstant(TensorAttr tensor);
/// False for arguments of anything but a function.
bool isConstant(BlockArgument argument);

/// Returns the values of the constants of a module, or null.
DictionaryAttr getConstants(ModuleOp module);

/// Returns the value of an argument that is a constant; null for any other
/// argument, for packed constants, and in a module without the values.
DenseElementsAttr getConstantValue(BlockArgument argument);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_CONSTANTS_H
