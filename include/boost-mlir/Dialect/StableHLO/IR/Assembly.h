//===- Assembly.h - Pieces of StableHLO's text ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsers and printers that the TableGen formats of the dialect refer to.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_ASSEMBLY_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_ASSEMBLY_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost::stablehlo {

/// `[0, 2]`.
FailureOr<SmallVector<int64_t>> parseDimList(AsmParser &parser);
void printDimList(AsmPrinter &printer, ArrayRef<int64_t> dims);

/// `(A) -> B`, or `A` when both are the same.
ParseResult parseConversionType(OpAsmParser &parser, Type &operand,
                                Type &result);
void printConversionType(OpAsmPrinter &printer, Operation *op, Type operand,
                         Type result);

/// `P, A`, or `(P, A, A) -> A`.
ParseResult parseSelectType(OpAsmParser &parser, Type &pred, Type &value);
void printSelectType(OpAsmPrinter &printer, Operation *op, Type pred,
                     Type value);

/// `A`, or `(B, A, B) -> A` when the bounds have another type.
ParseResult parseClampType(OpAsmParser &parser, Type &bound, Type &operand);
void printClampType(OpAsmPrinter &printer, Operation *op, Type bound,
                    Type operand);

/// `A, B` for both operands and results.
ParseResult parseBarrierTypes(OpAsmParser &parser,
                              SmallVectorImpl<Type> &operands,
                              SmallVectorImpl<Type> &results);
void printBarrierTypes(OpAsmPrinter &printer, Operation *op, TypeRange operands,
                       TypeRange results);

/// `LT`.
ParseResult parseComparisonDirection(OpAsmParser &parser,
                                     ComparisonDirectionAttr &direction);
void printComparisonDirection(OpAsmPrinter &printer, Operation *op,
                              ComparisonDirectionAttr direction);

/// `, SIGNED`, or nothing.
ParseResult parseComparisonType(OpAsmParser &parser, ComparisonTypeAttr &type);
void printComparisonType(OpAsmPrinter &printer, Operation *op,
                         ComparisonTypeAttr type);

/// `e8m7`.
ParseResult parseExponentMantissa(OpAsmParser &parser, IntegerAttr &exponent,
                                  IntegerAttr &mantissa);
void printExponentMantissa(OpAsmPrinter &printer, Operation *op,
                           IntegerAttr exponent, IntegerAttr mantissa);

/// `[0:2, 1:7:2]`.
ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &starts,
                             DenseI64ArrayAttr &limits,
                             DenseI64ArrayAttr &strides);
void printSliceRanges(OpAsmPrinter &printer, Operation *op,
                      DenseI64ArrayAttr starts, DenseI64ArrayAttr limits,
                      DenseI64ArrayAttr strides);

/// `%0, %1,`.
ParseResult parseOperandsWithComma(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands);
void printOperandsWithComma(OpAsmPrinter &printer, Operation *op,
                            OperandRange operands);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`.
ParseResult parseDotDimensionNumbers(OpAsmParser &parser,
                                     DotDimensionNumbersAttr &dims);
void printDotDimensionNumbers(OpAsmPrinter &printer, Operation *op,
                              DotDimensionNumbersAttr dims);

/// `, precision = [DEFAULT, DEFAULT], algorithm = <..>`; each may be missing.
ParseResult parsePrecision(OpAsmParser &parser, ArrayAttr &precision,
                           DotAlgorithmAttr &algorithm);
void printPrecision(OpAsmPrinter &printer, Operation *op, ArrayAttr precision,
                    DotAlgorithmAttr algorithm);

/// `[b, 0, f]x[0, i, o]->[b, 0, f]`.
FailureOr<ConvDimensionNumbersAttr> parseConvNumbers(AsmParser &parser);
void printConvNumbers(AsmPrinter &printer, ConvDimensionNumbersAttr numbers);
ParseResult parseConvDimensions(OpAsmParser &parser,
                                ConvDimensionNumbersAttr &numbers);
void printConvDimensions(OpAsmPrinter &printer, Operation *op,
                         ConvDimensionNumbersAttr numbers);

/// `stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse =
/// [false]`; each may be missing.
ParseResult parseConvWindow(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                            DenseIntElementsAttr &padding,
                            DenseI64ArrayAttr &lhsDilation,
                            DenseI64ArrayAttr &rhsDilation,
                            DenseBoolArrayAttr &reversal);
void printConvWindow(OpAsmPrinter &printer, Operation *op,
                     DenseI64ArrayAttr strides, DenseIntElementsAttr padding,
                     DenseI64ArrayAttr lhsDilation,
                     DenseI64ArrayAttr rhsDilation,
                     DenseBoolArrayAttr reversal);

/// `@name`.
ParseResult parseCallTarget(OpAsmParser &parser, StringAttr &target);
void printCallTarget(OpAsmPrinter &printer, Operation *op, StringAttr target);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_ASSEMBLY_H
