//===- StableHLOCanonicalize.cpp - Folding and canonicalization -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an importer wants gone: identities, compositions of data movement,
// small constants. Nothing here changes a rounding.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::boost::stablehlo;

OpFoldResult ConstantOp::fold(FoldAdaptor adaptor) { return getValue(); }

LogicalResult OptimizationBarrierOp::canonicalize(OptimizationBarrierOp op,
                                                  PatternRewriter &rewriter) {
  if (!op.use_empty())
    return failure();
  rewriter.eraseOp(op);
  return success();
}
