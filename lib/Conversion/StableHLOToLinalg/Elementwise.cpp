//===- Elementwise.cpp - Elementwise operations to linalg -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pattern for every operation with a scalar form.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace mlir::boost;

AffineMap mlir::boost::getLeadingDims(MLIRContext *context, int64_t loops,
                                      int64_t count) {
  SmallVector<AffineExpr> dims;
  for (int64_t dim = 0; dim < count; ++dim)
    dims.push_back(getAffineDimExpr(dim, context));
  return AffineMap::get(loops, 0, dims, context);
}

Value mlir::boost::buildKernel(OpBuilder &builder, Location loc,
                               RankedTensorType type, ValueRange inputs,
                               ArrayRef<AffineMap> maps,
                               ElementBuilder element) {
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, TypeRange(type), inputs, empty, allMaps, loops,
      [&](OpBuilder &body, Location bodyLoc, ValueRange arguments) {
        Value result = element(body, bodyLoc, arguments.drop_back());
        linalg::YieldOp::create(body, bodyLoc, result);
      });
  return generic.getResult(0);
}

namespace {

/// Operands of rank 0 beside larger ones are read at every place.
struct ElementwiseConverter : ConversionPattern {
  ElementwiseConverter(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (op->getDialect()->getNamespace() != "stablehlo" || !hasScalarForm(op))
      return failure();
    RankedTensorType type =
        getKernelType(getTypeConverter(), op->getResult(0).getType());
    SmallVector<AffineMap> maps;
    for (Value operand : operands) {
      int64_t rank = cast<RankedTensorType>(operand.getType()).getRank();
      maps.push_back(rank == type.getRank()
                         ? rewriter.getMultiDimIdentityMap(rank)
                         : AffineMap::get(type.getRank(), 0, getContext()));
    }
    Value result =
        buildKernel(rewriter, op->getLoc(), type, operands, maps,
                    [&](OpBuilder &builder, Location loc, ValueRange elements) {
                      return lowerScalar(builder, loc, op, elements);
                    });
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void mlir::boost::populateElementwisePatterns(const TypeConverter &converter,
                                              RewritePatternSet &patterns) {
  patterns.add<ElementwiseConverter>(converter, patterns.getContext());
}
