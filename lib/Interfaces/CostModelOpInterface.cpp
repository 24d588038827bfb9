//===- CostModelOpInterface.cpp - What ops cost ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Interfaces/CostModelOpInterface.h"

using namespace mlir;
using namespace mlir::boost;

#include "boost-mlir/Interfaces/CostModelOpInterface.cpp.inc"
