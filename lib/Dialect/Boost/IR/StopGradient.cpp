//===- StopGradient.cpp - Values that are constants -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/StopGradient.h"

using namespace mlir;
using namespace mlir::boost;

#define GET_OP_CLASSES
#include "boost-mlir/Dialect/Boost/IR/BoostStopGradient.cpp.inc"
