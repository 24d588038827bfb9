//===- Choice.cpp - Calls that a number chooses ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Choice.h"

using namespace mlir;
using namespace mlir::boost;

#define GET_OP_CLASSES
#include "boost-mlir/Dialect/Boost/IR/BoostChoice.cpp.inc"

LogicalResult ChooseOp::verify() {
  if (getFunctions().size() < 2)
    return emitOpError(
               "expects at least two functions to choose from, but got ")
           << getFunctions().size();
  llvm::SmallDenseSet<StringAttr> names;
  for (StringAttr name : getFunctionNames())
    if (!names.insert(name).second)
      return emitOpError("expects different functions, but got @")
             << name.getValue() << " twice";
  return success();
}

SmallVector<ChooseOp> mlir::boost::getChoices(ScheduleOp schedule) {
  return llvm::to_vector(schedule.getBody().front().getOps<ChooseOp>());
}
