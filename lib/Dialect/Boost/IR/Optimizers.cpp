//===- Optimizers.cpp - Functions that update parameters ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Optimizers.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"

using namespace mlir;
using namespace mlir::boost;

bool mlir::boost::isUpdate(FunctionOpInterface function) {
  return llvm::any_of(llvm::seq(function.getNumArguments()), [&](unsigned i) {
    return hasRole(getArgTensor(function, i), TensorRole::Gradient);
  });
}

FunctionOpInterface mlir::boost::findUpdate(ModuleOp module) {
  for (auto function : module.getOps<FunctionOpInterface>())
    if (isUpdate(function))
      return function;
  return nullptr;
}
