//===- Batch.cpp - The sequences of a batch -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Batch.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

int64_t mlir::boost::getBatchSize(func::FuncOp func) {
  auto isBatch = [&](Value value) {
    auto arg = dyn_cast<BlockArgument>(value);
    return arg && arg.getOwner() == &func.front() &&
           hasRole(arg, TensorRole::Batch) && getTensorType(arg).getRank() > 0;
  };
  for (auto embedding : func.getOps<EmbeddingOp>()) {
    Value ids = embedding.getIds();
    while (Operation *op = ids.getDefiningOp()) {
      if (op->getNumOperands() != 1)
        break;
      ids = op->getOperand(0);
    }
    if (isBatch(ids))
      return getTensorType(ids).getDimSize(0);
  }
  auto *first = llvm::find_if(func.getArguments(), isBatch);
  return first == func.getArguments().end()
             ? 0
             : getTensorType(*first).getDimSize(0);
}

SmallVector<BlockArgument> mlir::boost::getBatchRows(func::FuncOp func) {
  int64_t size = getBatchSize(func);
  SmallVector<BlockArgument> rows;
  for (BlockArgument arg : func.getArguments()) {
    RankedTensorType type = getTensorType(arg);
    if (hasRole(arg, TensorRole::Batch) && type.getRank() > 0 &&
        (size == 0 || type.getDimSize(0) % size == 0))
      rows.push_back(arg);
  }
  return rows;
}
