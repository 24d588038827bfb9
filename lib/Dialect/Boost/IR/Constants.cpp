//===- Constants.cpp - Values that belong to a program --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Constants.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"

using namespace mlir;
using namespace mlir::boost;

/// Returns the `boost.tensor` of an argument of a function, or null.
static TensorAttr getTensorOf(BlockArgument argument) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function ? getArgTensor(function, argument.getArgNumber())
                  : TensorAttr();
}

bool mlir::boost::isConstant(TensorAttr tensor) {
  return hasRole(tensor, TensorRole::Frozen) && tensor.getInit() &&
         tensor.getInit() == kStoredInit;
}

bool mlir::boost::isConstant(BlockArgument argument) {
  return isConstant(getTensorOf(argument));
}

DictionaryAttr mlir::boost::getConstants(ModuleOp module) {
  return module->getAttrOfType<DictionaryAttr>(kConstantsAttr);
}

DenseElementsAttr mlir::boost::getConstantValue(BlockArgument argument) {
  TensorAttr tensor = getTensorOf(argument);
  if (!isConstant(tensor))
    return {};
  auto module = argument.getOwner()->getParentOp()->getParentOfType<ModuleOp>();
  DictionaryAttr values = module ? getConstants(module) : DictionaryAttr();
  return values ? values.getAs<DenseElementsAttr>(tensor.getName())
                : DenseElementsAttr();
}
