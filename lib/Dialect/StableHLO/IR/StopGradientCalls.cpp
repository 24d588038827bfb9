//===- StopGradientCalls.cpp - Calls that stop gradients ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/StopGradientCalls.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::boost;

bool stablehlo::isStopGradientTarget(StringRef target) {
  return target == "boost.stop_gradient";
}

bool stablehlo::isStopGradientCall(CustomCallOp call) {
  if (!isStopGradientTarget(call.getCallTargetName()) ||
      call->getNumOperands() != 1 || call->getNumResults() != 1)
    return false;
  Type type = call->getResult(0).getType();
  return call->getOperand(0).getType() == type &&
         isa<FloatType>(getElementTypeOrSelf(type));
}
