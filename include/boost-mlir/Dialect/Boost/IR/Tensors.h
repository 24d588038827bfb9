//===- Tensors.h - What arguments and results are ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads `boost.tensor`, with which an argument or result of a function says
// what it is to the training program.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_TENSORS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_TENSORS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::boost {

/// Returns the `boost.tensor` among the attributes, or null. The attributes may
/// be null.
TensorAttr getTensor(DictionaryAttr attrs);
TensorAttr getArgTensor(FunctionOpInterface function, unsigned index);
TensorAttr getResultTensor(FunctionOpInterface function, unsigned index);

/// Returns true if the tensor has this role.
bool hasRole(TensorAttr tensor, TensorRole role);
bool hasRole(FunctionOpInterface function, unsigned arg, TensorRole role);
/// False for arguments of anything but a function.
bool hasRole(BlockArgument argument, TensorRole role);

/// Returns true if the tensor is a parameter, whether it is trained or frozen.
bool isParameter(TensorAttr tensor);
bool isParameter(FunctionOpInterface function, unsigned arg);
/// False for arguments of anything but a function.
bool isParameter(BlockArgument argument);

/// Returns true if tensors of this role are results only.
bool isResultRole(TensorRole role);

/// The name that users know, also of a program that is not imported yet, or
/// what the position gives: "arg0", "out0".
std::string getArgName(FunctionOpInterface function, unsigned index);
std::string getResultName(FunctionOpInterface function, unsigned index);

/// Returns true for a rule of initial values: "ones", "zeros",
/// "constant:VALUE", or "normal:STD" with a deviation of 0 or more, both of
/// them finite.
bool isInitRule(StringRef rule);

/// Checks that names tell the tensors of a function apart. A result may have
/// the name of an argument that it replaces: one of the same role, kind and
/// parameter.
LogicalResult verifyTensorNames(FunctionOpInterface function);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_TENSORS_H
