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

/// A key of random numbers is a batch argument, but its words are no rows.
static bool mayHaveRows(func::FuncOp func, BlockArgument arg) {
  if (!hasRole(arg, TensorRole::Batch) || getTensorType(arg).getRank() == 0)
    return false;
  FeedAttr feed = getArgTensor(func, arg.getArgNumber()).getFeed();
  return !feed || feed.getValue() != Feed::Key;
}

int64_t mlir::boost::getBatchSize(func::FuncOp func) {
  auto isBatch = [&](Value value) {
    auto arg = dyn_cast<BlockArgument>(value);
    return arg && arg.getOwner() == &func.front() && mayHaveRows(func, arg);
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
    if (mayHaveRows(func, arg) &&
        (size == 0 || getTensorType(arg).getDimSize(0) % size == 0))
      rows.push_back(arg);
  }
  return rows;
}
