//===- CHLO.cpp - The part of CHLO that JAX prints ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/CHLO.h"
#include "boost-mlir/Dialect/StableHLO/IR/Unsupported.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::boost::chlo;

#include "boost-mlir/Dialect/StableHLO/IR/CHLODialect.cpp.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/StableHLO/IR/CHLOOps.cpp.inc"

void CHLODialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "boost-mlir/Dialect/StableHLO/IR/CHLOOps.cpp.inc"
      >();
  allowUnknownOperations();
}

std::optional<Dialect::ParseOpHook>
CHLODialect::getParseOperationHook(StringRef opName) const {
  if (std::optional<ParseOpHook> hook = Dialect::getParseOperationHook(opName))
    return hook;
  return ParseOpHook(boost::stablehlo::refuseUnknownOp);
}
