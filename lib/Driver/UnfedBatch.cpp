//===- UnfedBatch.cpp - Batches that training cannot fill -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnfedBatch.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::boost;

/// Integers in rows, one row for each of a mask, with as many columns or one
/// more or less.
static bool areBeside(RankedTensorType mask, BlockArgument ids) {
  auto type = dyn_cast<RankedTensorType>(ids.getType());
  return type && hasRole(ids, TensorRole::Batch) &&
         isa<IntegerType>(type.getElementType()) && type.getRank() == 2 &&
         mask.getRank() == 2 && type.getDimSize(0) == mask.getDimSize(0) &&
         std::abs(type.getDimSize(1) - mask.getDimSize(1)) <= 1;
}

LogicalResult mlir::boost::checkBatchIsFed(ModuleOp module) {
  LogicalResult result = success();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    for (BlockArgument argument : function.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || !hasRole(argument, TensorRole::Batch) ||
          !isa<FloatType>(type.getElementType()))
        continue;
      if (llvm::any_of(function.getArguments(), [&](BlockArgument other) {
            return areBeside(type, other);
          }))
        continue;
      TensorAttr tensor = getArgTensor(function, argument.getArgNumber());
      auto diag = emitError(argument.getLoc())
                  << "`train` cannot fill batch argument " << tensor.getName()
                  << ": it is " << type << ", and token files hold integers";
      diag.attachNote() << "to train, have the loss take token ids and compute "
                        << tensor.getName()
                        << " from them, or close over it if it is the same at "
                           "every step; to run `eval` only, compile with "
                           "--allow-float-batch";
      result = failure();
    }
  }
  return result;
}
