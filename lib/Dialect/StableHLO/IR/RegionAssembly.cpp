//===- RegionAssembly.cpp - Text of reduce and while ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two operations whose pretty form carries regions.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Assembly.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::boost::stablehlo;

using Operands = SmallVector<OpAsmParser::UnresolvedOperand>;

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// The operation of a body that `applies` can stand for: one operation without
/// attributes on both block arguments, returned.
static Operation *getShortBodyOp(ReduceOp op) {
  Block &block = op.getBody().front();
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation &inner = block.front();
  auto ret = dyn_cast<ReturnOp>(block.back());
  if (!ret || !ret->getAttrs().empty() || !inner.getAttrs().empty() ||
      inner.getNumRegions() || inner.getNumResults() != 1 ||
      inner.getNumOperands() != 2 ||
      !isa_and_nonnull<StableHLODialect>(inner.getDialect()))
    return nullptr;
  Type type = inner.getResult(0).getType();
  bool sameTypes = llvm::all_of(block.getArgumentTypes(),
                                [&](Type other) { return other == type; });
  if (!sameTypes || type != op.getInitValues()[0].getType() ||
      !llvm::equal(inner.getOperands(), block.getArguments()) ||
      !llvm::equal(ret.getResults(), inner.getResults()))
    return nullptr;
  return &inner;
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << '(';
  llvm::interleave(
      llvm::zip(getInputs(), getInitValues()),
      [&](auto pair) {
        printer << std::get<0>(pair) << " init: " << std::get<1>(pair);
      },
      [&] { printer << "), ("; });
  printer << ')';
  Operation *inner = getShortBodyOp(*this);
  if (inner)
    printer << " applies " << inner->getName();
  printer << " across dimensions = ";
  printDimList(printer, getDimensions());
  printer.printOptionalAttrDict((*this)->getAttrs(), {getDimensionsAttrName()});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (inner)
    return;
  printer.printNewline();
  printer << " reducer";
  unsigned count = getInputs().size();
  Block &block = getBody().front();
  for (unsigned i = 0; i != count; ++i) {
    printer << '(';
    printer.printRegionArgument(block.getArgument(i));
    printer << ", ";
    printer.printRegionArgument(block.getArgument(i + count));
    printer << ") ";
  }
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// `(%x init: %c), (%y init: %d)`.
static ParseResult parseReduceOperands(OpAsmParser &parser, Operands &inputs,
                                       Operands &inits) {
  do {
    if (parser.parseLParen() || parser.parseOperand(inputs.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return success();
}

/// `(%a: S, %b: S)` per input; argument k of the block pairs with k + N.
static ParseResult parseReducer(OpAsmParser &parser, Region &body,
                                unsigned count) {
  SmallVector<OpAsmParser::Argument> lhs, rhs;
  if (parser.parseKeyword("reducer"))
    return failure();
  for (unsigned i = 0; i != count; ++i)
    if (parser.parseLParen() ||
        parser.parseArgument(lhs.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(rhs.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  lhs.append(rhs);
  return parser.parseRegion(body, lhs);
}

/// Builds the body that `applies NAME` stands for.
static ParseResult buildShortBody(OpAsmParser &parser, SMLoc nameLoc,
                                  StringRef name, Type type, Region &body) {
  MLIRContext *context = parser.getContext();
  Location loc = parser.getEncodedSourceLoc(nameLoc);
  std::optional<RegisteredOperationName> opName =
      RegisteredOperationName::lookup(name, context);
  if (!opName || !opName->hasTrait<OpTrait::NOperands<2>::Impl>() ||
      !opName->hasTrait<OpTrait::OneResult>() ||
      !opName->hasTrait<OpTrait::SameOperandsAndResultType>())
    return parser.emitError(nameLoc)
           << "'" << name << "' is not a binary operation of the subset";
  Block &block = body.emplaceBlock();
  block.addArguments({type, type}, {loc, loc});
  // The region has no parent yet, so the builder cannot take its context from
  // the block.
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(&block);
  OperationState state(loc, name);
  state.addOperands(block.getArguments());
  state.addTypes(type);
  Operation *inner = builder.create(state);
  ReturnOp::create(builder, loc, inner->getResults());
  return success();
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  Operands operands, inits;
  if (parseReduceOperands(parser, operands, inits))
    return failure();
  unsigned count = operands.size();
  operands.append(inits);

  StringRef inner;
  SMLoc innerLoc;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    innerLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&inner))
      return failure();
  }

  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual())
    return failure();
  FailureOr<SmallVector<int64_t>> dims = parseDimList(parser);
  if (failed(dims) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColon())
    return failure();
  result.addAttribute("dimensions",
                      parser.getBuilder().getDenseI64ArrayAttr(*dims));

  SMLoc typeLoc = parser.getCurrentLocation();
  FunctionType type;
  if (parser.parseType(type) ||
      parser.resolveOperands(operands, type.getInputs(), typeLoc,
                             result.operands))
    return failure();
  result.addTypes(type.getResults());

  Region *body = result.addRegion();
  if (inner.empty())
    return parseReducer(parser, *body, count);
  if (count != 1)
    return parser.emitError(innerLoc, "'applies' stands for one input only");
  return buildShortBody(parser, innerLoc, inner, type.getInput(1), *body);
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

void WhileOp::print(OpAsmPrinter &printer) {
  printer << '(';
  Block &cond = getCond().front();
  printer.shadowRegionArgs(getBody(), cond.getArguments());
  llvm::interleaveComma(
      llvm::zip(cond.getArguments(), getOperand()), printer, [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair);
      });
  printer << ')';
  if (getNumOperands())
    printer << " : " << getOperandTypes();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> args;
  Operands operands;
  SMLoc loc = parser.getCurrentLocation();
  auto parseBinding = [&]() -> ParseResult {
    return failure(parser.parseArgument(args.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseBinding))
    return failure();
  if (!operands.empty() && parser.parseColonTypeList(result.types))
    return failure();
  if (parser.resolveOperands(operands, result.types, loc, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (auto [arg, type] : llvm::zip(args, result.types))
    arg.type = type;
  return failure(parser.parseKeyword("cond") ||
                 parser.parseRegion(*result.addRegion(), args) ||
                 parser.parseKeyword("do") ||
                 parser.parseRegion(*result.addRegion(), args));
}
