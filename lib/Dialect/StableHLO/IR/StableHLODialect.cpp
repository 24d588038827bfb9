//===- StableHLODialect.cpp - The StableHLO subset ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers operations and attributes.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Assembly.h"
#include "boost-mlir/Dialect/StableHLO/IR/FactorizationCalls.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Dialect/StableHLO/IR/Unsupported.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::boost::stablehlo;

#include "boost-mlir/Dialect/StableHLO/IR/StableHLODialect.cpp.inc"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLOEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "boost-mlir/Dialect/StableHLO/IR/StableHLOAttrs.cpp.inc"

void StableHLODialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "boost-mlir/Dialect/StableHLO/IR/StableHLOAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "boost-mlir/Dialect/StableHLO/IR/StableHLOOps.cpp.inc"
      >();
  addOperations<CholeskyOp>();
  // An unknown operation in generic form parses, so that boost-import-check can
  // list it with all others.
  allowUnknownOperations();
}

std::optional<Dialect::ParseOpHook>
StableHLODialect::getParseOperationHook(StringRef opName) const {
  if (std::optional<ParseOpHook> hook = Dialect::getParseOperationHook(opName))
    return hook;
  return ParseOpHook(refuseUnknownOp);
}

Operation *StableHLODialect::materializeConstant(OpBuilder &builder,
                                                 Attribute value, Type type,
                                                 Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}
