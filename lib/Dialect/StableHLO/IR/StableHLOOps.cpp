//===- StableHLOOps.cpp - Operations of the subset ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated definitions and the builders beside them.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Assembly.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::boost::stablehlo;

void ConvertOp::build(OpBuilder &builder, OperationState &state, Value operand,
                      Type elementType) {
  auto type = cast<RankedTensorType>(operand.getType());
  build(builder, state, type.clone(elementType), operand);
}

void CompareOp::build(OpBuilder &builder, OperationState &state, Value lhs,
                      Value rhs, ComparisonDirection direction) {
  build(builder, state, lhs, rhs, direction, ComparisonTypeAttr());
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  bool isInteger = isa<IntegerType>(getType().getElementType());
  setName(getResult(), isInteger ? "c" : "cst");
}

#define GET_OP_CLASSES
#include "boost-mlir/Dialect/StableHLO/IR/StableHLOOps.cpp.inc"
