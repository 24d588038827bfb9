//===- Assembly.cpp - Pieces of StableHLO's text --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The custom directives of the TableGen formats. The text is StableHLO's own.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Assembly.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

//===----------------------------------------------------------------------===//
// Lists of dimensions
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> stablehlo::parseDimList(AsmParser &parser) {
  SmallVector<int64_t> dims;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(dims.emplace_back());
      }))
    return failure();
  return dims;
}

void stablehlo::printDimList(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  printer << '[';
  llvm::interleaveComma(dims, printer);
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ParseResult stablehlo::parseConversionType(OpAsmParser &parser, Type &operand,
                                           Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  operand = result = type;
  auto function = dyn_cast<FunctionType>(type);
  if (!function)
    return success();
  if (function.getNumInputs() != 1 || function.getNumResults() != 1)
    return parser.emitError(loc, "expects one operand and one result type");
  operand = function.getInput(0);
  result = function.getResult(0);
  return success();
}

void stablehlo::printConversionType(OpAsmPrinter &printer, Operation *op,
                                    Type operand, Type result) {
  if (operand == result)
    printer << result;
  else
    printer << '(' << operand << ") -> " << result;
}

static ParseResult checkThreeOperands(OpAsmParser &parser, SMLoc loc,
                                      FunctionType type) {
  if (type.getNumInputs() != 3 || type.getNumResults() != 1)
    return parser.emitError(loc, "expects three operand types and one result "
                                 "type");
  return success();
}

ParseResult stablehlo::parseSelectType(OpAsmParser &parser, Type &pred,
                                       Type &value) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(pred))
    return failure();
  auto function = dyn_cast<FunctionType>(pred);
  if (!function)
    return failure(parser.parseComma() || parser.parseType(value));
  if (checkThreeOperands(parser, loc, function))
    return failure();
  pred = function.getInput(0);
  value = function.getInput(1);
  if (function.getInput(2) != value || function.getResult(0) != value)
    return parser.emitError(loc, "expects one type for both values and the "
                                 "result");
  return success();
}

void stablehlo::printSelectType(OpAsmPrinter &printer, Operation *op, Type pred,
                                Type value) {
  printer << pred << ", " << value;
}

ParseResult stablehlo::parseClampType(OpAsmParser &parser, Type &bound,
                                      Type &operand) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(operand))
    return failure();
  bound = operand;
  auto function = dyn_cast<FunctionType>(operand);
  if (!function)
    return success();
  if (checkThreeOperands(parser, loc, function))
    return failure();
  bound = function.getInput(0);
  operand = function.getInput(1);
  if (function.getInput(2) != bound || function.getResult(0) != operand)
    return parser.emitError(loc, "expects one type for both bounds, and one "
                                 "for the operand and the result");
  return success();
}

void stablehlo::printClampType(OpAsmPrinter &printer, Operation *op, Type bound,
                               Type operand) {
  if (bound == operand)
    printer << operand;
  else
    printer << '(' << bound << ", " << operand << ", " << bound << ") -> "
            << operand;
}

ParseResult stablehlo::parseBarrierTypes(OpAsmParser &parser,
                                         SmallVectorImpl<Type> &operands,
                                         SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(operands))
    return failure();
  results.assign(operands.begin(), operands.end());
  return success();
}

void stablehlo::printBarrierTypes(OpAsmPrinter &printer, Operation *op,
                                  TypeRange operands, TypeRange results) {
  printer << operands;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// One of the words of an enumeration.
template <typename EnumT>
static ParseResult parseWord(AsmParser &parser, StringRef what, EnumT &value,
                             std::optional<EnumT> (*symbolize)(StringRef)) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<EnumT> known = symbolize(word);
  if (!known)
    return parser.emitError(loc)
           << "'" << word << "' is not a " << what << " of StableHLO";
  value = *known;
  return success();
}

ParseResult
stablehlo::parseComparisonDirection(OpAsmParser &parser,
                                    ComparisonDirectionAttr &direction) {
  ComparisonDirection value;
  if (parseWord<ComparisonDirection>(parser, "comparison direction", value,
                                     symbolizeComparisonDirection))
    return failure();
  direction = ComparisonDirectionAttr::get(parser.getContext(), value);
  return success();
}

void stablehlo::printComparisonDirection(OpAsmPrinter &printer, Operation *op,
                                         ComparisonDirectionAttr direction) {
  printer << stringifyComparisonDirection(direction.getValue());
}

ParseResult stablehlo::parseComparisonType(OpAsmParser &parser,
                                           ComparisonTypeAttr &type) {
  if (parser.parseOptionalComma())
    return success();
  ComparisonType value;
  if (parseWord<ComparisonType>(parser, "comparison type", value,
                                symbolizeComparisonType))
    return failure();
  type = ComparisonTypeAttr::get(parser.getContext(), value);
  return success();
}

void stablehlo::printComparisonType(OpAsmPrinter &printer, Operation *op,
                                    ComparisonTypeAttr type) {
  if (type)
    printer << ", " << stringifyComparisonType(type.getValue());
}

ParseResult stablehlo::parseExponentMantissa(OpAsmParser &parser,
                                             IntegerAttr &exponent,
                                             IntegerAttr &mantissa) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  int32_t exponentBits = 0, mantissaBits = 0;
  auto [left, right] = word.drop_front().split('m');
  if (!word.starts_with("e") || left.getAsInteger(10, exponentBits) ||
      right.getAsInteger(10, mantissaBits))
    return parser.emitError(loc)
           << "expects a format such as e8m7, but got '" << word << "'";
  exponent = parser.getBuilder().getI32IntegerAttr(exponentBits);
  mantissa = parser.getBuilder().getI32IntegerAttr(mantissaBits);
  return success();
}

void stablehlo::printExponentMantissa(OpAsmPrinter &printer, Operation *op,
                                      IntegerAttr exponent,
                                      IntegerAttr mantissa) {
  printer << 'e' << exponent.getInt() << 'm' << mantissa.getInt();
}

ParseResult stablehlo::parseSliceRanges(OpAsmParser &parser,
                                        DenseI64ArrayAttr &starts,
                                        DenseI64ArrayAttr &limits,
                                        DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> start, limit, stride;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(start.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limit.emplace_back()))
      return failure();
    stride.push_back(1);
    if (parser.parseOptionalColon())
      return success();
    return parser.parseInteger(stride.back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  starts = parser.getBuilder().getDenseI64ArrayAttr(start);
  limits = parser.getBuilder().getDenseI64ArrayAttr(limit);
  strides = parser.getBuilder().getDenseI64ArrayAttr(stride);
  return success();
}

void stablehlo::printSliceRanges(OpAsmPrinter &printer, Operation *op,
                                 DenseI64ArrayAttr starts,
                                 DenseI64ArrayAttr limits,
                                 DenseI64ArrayAttr strides) {
  printer << '[';
  llvm::interleaveComma(
      llvm::zip(starts.asArrayRef(), limits.asArrayRef(), strides.asArrayRef()),
      printer, [&](auto range) {
        auto [start, limit, stride] = range;
        printer << start << ':' << limit;
        if (stride != 1)
          printer << ':' << stride;
      });
  printer << ']';
}

ParseResult stablehlo::parseOperandsWithComma(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  while (true) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult found = parser.parseOptionalOperand(operand);
    if (!found.has_value())
      return success();
    if (failed(*found) || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
}

void stablehlo::printOperandsWithComma(OpAsmPrinter &printer, Operation *op,
                                       OperandRange operands) {
  llvm::interleave(
      operands, [&](Value operand) { printer << operand << ','; },
      [&] { printer << ' '; });
}

ParseResult stablehlo::parseCallTarget(OpAsmParser &parser,
                                       StringAttr &target) {
  return parser.parseSymbolName(target);
}

void stablehlo::printCallTarget(OpAsmPrinter &printer, Operation *op,
                                StringAttr target) {
  printer.printSymbolName(target);
}

//===----------------------------------------------------------------------===//
// dot_general
//===----------------------------------------------------------------------===//

/// `[0, 1] x [0, 1]`.
static ParseResult parseDimPairs(AsmParser &parser, SmallVector<int64_t> &lhs,
                                 SmallVector<int64_t> &rhs) {
  FailureOr<SmallVector<int64_t>> left = parseDimList(parser);
  if (failed(left) || parser.parseKeyword("x"))
    return failure();
  FailureOr<SmallVector<int64_t>> right = parseDimList(parser);
  if (failed(right))
    return failure();
  lhs = *left;
  rhs = *right;
  return success();
}

static void printDimPairs(AsmPrinter &printer, ArrayRef<int64_t> lhs,
                          ArrayRef<int64_t> rhs) {
  printDimList(printer, lhs);
  printer << " x ";
  printDimList(printer, rhs);
}

ParseResult stablehlo::parseDotDimensionNumbers(OpAsmParser &parser,
                                                DotDimensionNumbersAttr &dims) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parser.parseEqual() || parseDimPairs(parser, lhsBatch, rhsBatch) ||
       parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") || parser.parseEqual() ||
      parseDimPairs(parser, lhsContract, rhsContract))
    return failure();
  dims = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatch, rhsBatch,
                                      lhsContract, rhsContract);
  return success();
}

void stablehlo::printDotDimensionNumbers(OpAsmPrinter &printer, Operation *op,
                                         DotDimensionNumbersAttr dims) {
  if (!dims.getLhsBatchingDimensions().empty() ||
      !dims.getRhsBatchingDimensions().empty()) {
    printer << "batching_dims = ";
    printDimPairs(printer, dims.getLhsBatchingDimensions(),
                  dims.getRhsBatchingDimensions());
    printer << ", ";
  }
  printer << "contracting_dims = ";
  printDimPairs(printer, dims.getLhsContractingDimensions(),
                dims.getRhsContractingDimensions());
}

static ParseResult parsePrecisionWords(OpAsmParser &parser,
                                       ArrayAttr &precision) {
  SmallVector<Attribute> words;
  auto parseOne = [&]() -> ParseResult {
    Precision value;
    if (parseWord<Precision>(parser, "precision", value, symbolizePrecision))
      return failure();
    words.push_back(PrecisionAttr::get(parser.getContext(), value));
    return success();
  };
  if (parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  precision = parser.getBuilder().getArrayAttr(words);
  return success();
}

ParseResult stablehlo::parsePrecision(OpAsmParser &parser, ArrayAttr &precision,
                                      DotAlgorithmAttr &algorithm) {
  if (parser.parseOptionalComma())
    return success();
  if (succeeded(parser.parseOptionalKeyword("precision"))) {
    if (parsePrecisionWords(parser, precision))
      return failure();
    if (parser.parseOptionalComma())
      return success();
  }
  if (parser.parseKeyword("algorithm") || parser.parseEqual())
    return failure();
  algorithm = dyn_cast_or_null<DotAlgorithmAttr>(
      DotAlgorithmAttr::parse(parser, Type()));
  return success(algorithm != nullptr);
}

void stablehlo::printPrecision(OpAsmPrinter &printer, Operation *op,
                               ArrayAttr precision,
                               DotAlgorithmAttr algorithm) {
  if (precision) {
    printer << ", precision = [";
    llvm::interleaveComma(precision.getAsRange<PrecisionAttr>(), printer,
                          [&](PrecisionAttr word) {
                            printer << stringifyPrecision(word.getValue());
                          });
    printer << ']';
  }
  if (algorithm) {
    printer << ", algorithm = ";
    algorithm.print(printer);
  }
}
