//===- Weights.cpp - What is computed from parameters ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Weights.h"

#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Support/ReadValues.h"

using namespace mlir;
using namespace mlir::boost;

Weights::Weights(Block &block) {
  DenseSet<Value> constants;
  for (BlockArgument argument : block.getArguments())
    if (isParameter(argument))
      values.insert(argument);
    else if (isConstant(argument))
      constants.insert(argument);
  for (Operation &op : block) {
    llvm::SetVector<Value> reads = getReadValues(&op);
    auto isConstant = [&](Value value) { return constants.contains(value); };
    if (llvm::all_of(reads, isConstant))
      constants.insert_range(op.getResults());
    else if (llvm::all_of(reads, [&](Value value) {
               return contains(value) || isConstant(value);
             }))
      values.insert_range(op.getResults());
  }
}

llvm::SetVector<Value> Weights::getParameters(Value weight) const {
  llvm::SetVector<Value> parameters, seen;
  seen.insert(weight);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (!contains(seen[i]))
      continue;
    if (Operation *op = seen[i].getDefiningOp())
      seen.insert_range(getReadValues(op));
    else
      parameters.insert(seen[i]);
  }
  return parameters;
}
