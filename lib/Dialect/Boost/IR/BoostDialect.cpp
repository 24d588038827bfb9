//===- BoostDialect.cpp - The boost dialect -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the operations and attributes of the boost dialect.
//
//===----------------------------------------------------------------------===//

#include "Sharding.h"

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

static LogicalResult verifyLayer(Operation *op, NamedAttribute attribute) {
  if (!isa<LayerAttr>(attribute.getValue()))
    return op->emitError() << "expects '" << kLayerAttr
                           << "' to be a #boost.layer, but got "
                           << attribute.getValue();
  if (isa<SymbolOpInterface>(op))
    return op->emitError() << "expects '" << kLayerAttr
                           << "' on operations inside of functions only";
  return success();
}

LogicalResult BoostDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  if (attribute.getName() == kLayerAttr)
    return verifyLayer(op, attribute);
  if (attribute.getName() == kShardingsAttr)
    return verifyShardings(op, attribute.getValue());
  if (attribute.getName() == kAxesAttr)
    return verifyAxisNames(op, attribute.getValue());
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
}
