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

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  auto type = cast<RankedTensorType>(adaptor.getOperand().getType());
  auto k = static_cast<int64_t>(adaptor.getK());
  if (type.getRank() == 0)
    return emitOptionalError(loc, "expects an operand with a last dimension, ",
                             "but got ", type);
  if (k < 0 || k > type.getShape().back())
    return emitOptionalError(loc, "expects k of at most ",
                             type.getShape().back(), ", but got ", k);
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = k;
  types.push_back(type.clone(shape));
  types.push_back(RankedTensorType::get(shape, IntegerType::get(context, 32)));
  return success();
}

std::optional<Dialect::ParseOpHook>
CHLODialect::getParseOperationHook(StringRef opName) const {
  if (std::optional<ParseOpHook> hook = Dialect::getParseOperationHook(opName))
    return hook;
  return ParseOpHook(boost::stablehlo::refuseUnknownOp);
}
