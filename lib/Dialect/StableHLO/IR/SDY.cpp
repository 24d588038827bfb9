//===- SDY.cpp - Sharding annotations that import drops -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/SDY.h"
#include "boost-mlir/Dialect/StableHLO/IR/Unsupported.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::sdy;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Takes one token that may stand inside of angle brackets.
static bool skipToken(OpAsmParser &parser) {
  std::string text;
  StringRef keyword;
  StringAttr symbol;
  APInt number;
  OptionalParseResult integer = parser.parseOptionalInteger(number);
  return (integer.has_value() && succeeded(*integer)) ||
         succeeded(parser.parseOptionalComma()) ||
         succeeded(parser.parseOptionalLSquare()) ||
         succeeded(parser.parseOptionalRSquare()) ||
         succeeded(parser.parseOptionalLBrace()) ||
         succeeded(parser.parseOptionalRBrace()) ||
         succeeded(parser.parseOptionalLParen()) ||
         succeeded(parser.parseOptionalRParen()) ||
         succeeded(parser.parseOptionalEqual()) ||
         succeeded(parser.parseOptionalColon()) ||
         succeeded(parser.parseOptionalQuestion()) ||
         succeeded(parser.parseOptionalString(&text)) ||
         succeeded(parser.parseOptionalKeyword(&keyword)) ||
         succeeded(parser.parseOptionalSymbolName(symbol));
}

/// `<...>`, kept as it is written.
static ParseResult parseAngleText(OpAsmParser &parser, StringAttr &text) {
  const char *begin = parser.getCurrentLocation().getPointer();
  if (parser.parseLess())
    return failure();
  for (int depth = 1; depth > 0;) {
    if (succeeded(parser.parseOptionalGreater()))
      --depth;
    else if (succeeded(parser.parseOptionalLess()))
      ++depth;
    else if (!skipToken(parser))
      return parser.emitError(parser.getCurrentLocation(),
                              "expected a sharding annotation");
  }
  const char *end = parser.getCurrentLocation().getPointer();
  StringRef written = StringRef(begin, end - begin).rtrim();
  text = parser.getBuilder().getStringAttr(
      written.take_front(written.rfind('>') + 1));
  return success();
}

static void printAngleText(OpAsmPrinter &printer, Operation *op,
                           StringAttr text) {
  printer << text.getValue();
}

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/SDYDialect.cpp.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/StableHLO/IR/SDYOps.cpp.inc"

void SDYDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "boost-mlir/Dialect/StableHLO/IR/SDYOps.cpp.inc"
      >();
  allowUnknownOperations();
}

Attribute SDYDialect::parseAttribute(DialectAsmParser &parser,
                                     Type type) const {
  return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()),
                         parser.getFullSymbolSpec(),
                         NoneType::get(getContext()));
}

std::optional<Dialect::ParseOpHook>
SDYDialect::getParseOperationHook(StringRef opName) const {
  if (std::optional<ParseOpHook> hook = Dialect::getParseOperationHook(opName))
    return hook;
  return ParseOpHook(boost::stablehlo::refuseUnknownOp);
}
