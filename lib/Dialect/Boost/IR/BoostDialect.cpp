//===- BoostDialect.cpp - The boost dialect -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the operations and attributes of the boost dialect.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"

#include "CollectiveModels.h"
#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/Boost/IR/Factorizations.h"
#include "boost-mlir/Dialect/Boost/IR/StopGradient.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::boost;

#include "boost-mlir/Dialect/Boost/IR/BoostDialect.cpp.inc"
#include "boost-mlir/Dialect/Boost/IR/BoostEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "boost-mlir/Dialect/Boost/IR/BoostAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/Boost/IR/BoostOps.cpp.inc"

LogicalResult LayerAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                int64_t kind, int64_t index) {
  if (kind < 0)
    return emitError() << "expects a class of 0 or more, but got " << kind;
  if (index < 0)
    return emitError() << "expects an index of 0 or more, but got " << index;
  return success();
}

void BoostDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "boost-mlir/Dialect/Boost/IR/BoostAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "boost-mlir/Dialect/Boost/IR/BoostOps.cpp.inc"
      >();
  addOperations<ChooseOp, FactorizeOp, StopGradientOp>();
  attachCollectiveModels(*getContext());
}
