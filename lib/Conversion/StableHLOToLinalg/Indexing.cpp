//===- Indexing.cpp - Gathers and dynamic slices to linalg ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that compute where each element comes from.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "boost-mlir/Dialect/StableHLO/IR/KnownStarts.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

/// Reads the rank-0 start indices inside a kernel and clamps them.
static SmallVector<Value> readStarts(OpBuilder &builder, Location loc,
                                     ValueRange indices, TypeRange types,
                                     ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> sizes) {
  SmallVector<Value> starts;
  for (auto [index, type, dim, size] :
       llvm::zip_equal(indices, types, shape, sizes)) {
    Value read = tensor::ExtractOp::create(builder, loc, index, ValueRange());
    bool isUnsigned = getElementTypeOrSelf(type).isUnsignedInteger();
    starts.push_back(clampedStart(builder, loc, read, isUnsigned, dim, size));
  }
  return starts;
}

namespace {

struct DynamicSliceConverter : OpConversionPattern<hlo::DynamicSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::DynamicSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getKernelType(getTypeConverter(), op.getType());
    Value operand = adaptor.getOperand();
    ArrayRef<int64_t> shape = op.getOperand().getType().getShape();
    auto starts =
        hlo::getKnownStarts(op.getStartIndices(), shape, type.getShape());
    if (starts) {
      SmallVector<int64_t> ones(type.getRank(), 1);
      rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
          op, type, operand, ValueRange(), ValueRange(), ValueRange(), *starts,
          type.getShape(), ones);
      return success();
    }
    auto read = [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
      SmallVector<Value> places =
          readStarts(builder, loc, adaptor.getStartIndices(),
                     op.getStartIndices().getTypes(), shape, type.getShape());
      for (auto [dim, place] : llvm::enumerate(places))
        place = arith::AddIOp::create(
            builder, loc, place, linalg::IndexOp::create(builder, loc, dim));
      return tensor::ExtractOp::create(builder, loc, operand, places);
    };
    rewriter.replaceOp(op,
                       buildKernel(rewriter, op.getLoc(), type, {}, {}, read));
    return success();
  }
};

struct DynamicUpdateSliceConverter
    : OpConversionPattern<hlo::DynamicUpdateSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::DynamicUpdateSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getKernelType(getTypeConverter(), op.getType());
    ArrayRef<int64_t> sizes = op.getUpdate().getType().getShape();
    auto starts =
        hlo::getKnownStarts(op.getStartIndices(), type.getShape(), sizes);
    if (starts) {
      SmallVector<int64_t> ones(type.getRank(), 1);
      rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
          op, adaptor.getUpdate(), adaptor.getOperand(), ValueRange(),
          ValueRange(), ValueRange(), *starts, sizes, ones);
      return success();
    }
    rewriter.replaceOp(op, buildChoice(rewriter, op, adaptor, type));
    return success();
  }

  /// Every element from the update where it lies there, else from the operand.
  static Value buildChoice(OpBuilder &rewriter, hlo::DynamicUpdateSliceOp op,
                           OpAdaptor adaptor, RankedTensorType type) {
    ArrayRef<int64_t> sizes = op.getUpdate().getType().getShape();
    auto choose = [&](OpBuilder &builder, Location loc,
                      ValueRange elements) -> Value {
      SmallVector<Value> starts =
          readStarts(builder, loc, adaptor.getStartIndices(),
                     op.getStartIndices().getTypes(), type.getShape(), sizes);
      Value inside =
          arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      SmallVector<Value> places;
      for (auto [dim, start] : llvm::enumerate(starts)) {
        Value index = linalg::IndexOp::create(builder, loc, dim);
        Value place = arith::SubIOp::create(builder, loc, index, start);
        Value size = arith::ConstantIndexOp::create(builder, loc, sizes[dim]);
        Value fits = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, place, size);
        inside = arith::AndIOp::create(builder, loc, inside, fits);
        places.push_back(
            arith::SelectOp::create(builder, loc, fits, place, zero));
      }
      Value update =
          tensor::ExtractOp::create(builder, loc, adaptor.getUpdate(), places);
      return arith::SelectOp::create(builder, loc, inside, update,
                                     elements.front());
    };
    return buildKernel(rewriter, op.getLoc(), type, adaptor.getOperand(),
                       rewriter.getMultiDimIdentityMap(type.getRank()), choose);
  }
};

/// Every element reads its start indices, clamped, and then the operand.
struct GatherConverter : OpConversionPattern<hlo::GatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getKernelType(getTypeConverter(), op.getType());
    auto read = [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
      SmallVector<Value> places =
          computePlaces(builder, loc, op, adaptor.getStartIndices());
      return tensor::ExtractOp::create(builder, loc, adaptor.getOperand(),
                                       places);
    };
    rewriter.replaceOp(op,
                       buildKernel(rewriter, op.getLoc(), type, {}, {}, read));
    return success();
  }

  static SmallVector<Value> computePlaces(OpBuilder &builder, Location loc,
                                          hlo::GatherOp op, Value starts) {
    hlo::GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
    RankedTensorType operand = op.getOperand().getType();
    RankedTensorType indices = op.getStartIndices().getType();
    auto indexOf = [&](int64_t dim) -> Value {
      return linalg::IndexOp::create(builder, loc, dim);
    };
    // Result dimensions that run over the start indices, in order.
    SmallVector<Value> batch;
    for (int64_t dim = 0; dim < op.getType().getRank(); ++dim)
      if (!llvm::is_contained(dims.getOffsetDims(), dim))
        batch.push_back(indexOf(dim));
    // Place in the start indices: the batch, and which index of the vector.
    auto readStart = [&](int64_t component) -> Value {
      SmallVector<Value> place(batch);
      if (dims.getIndexVectorDim() < indices.getRank())
        place.insert(place.begin() + dims.getIndexVectorDim(),
                     arith::ConstantIndexOp::create(builder, loc, component));
      return tensor::ExtractOp::create(builder, loc, starts, place);
    };
    SmallVector<Value> places;
    int64_t offset = 0;
    for (int64_t dim = 0; dim < operand.getRank(); ++dim) {
      Value place = arith::ConstantIndexOp::create(builder, loc, 0);
      const auto *mapped = llvm::find(dims.getStartIndexMap(), dim);
      if (mapped != dims.getStartIndexMap().end())
        place = clampedStart(
            builder, loc, readStart(mapped - dims.getStartIndexMap().begin()),
            indices.getElementType().isUnsignedInteger(),
            operand.getDimSize(dim), op.getSliceSizes()[dim]);
      const auto *paired = llvm::find(dims.getOperandBatchingDims(), dim);
      if (paired != dims.getOperandBatchingDims().end()) {
        int64_t other = dims.getStartIndicesBatchingDims()
                            [paired - dims.getOperandBatchingDims().begin()];
        place = batch[other - (other > dims.getIndexVectorDim() ? 1 : 0)];
      } else if (!llvm::is_contained(dims.getCollapsedSliceDims(), dim)) {
        place = arith::AddIOp::create(builder, loc, place,
                                      indexOf(dims.getOffsetDims()[offset++]));
      }
      places.push_back(place);
    }
    return places;
  }
};

} // namespace

void mlir::boost::populateIndexingPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns
      .add<DynamicSliceConverter, DynamicUpdateSliceConverter, GatherConverter>(
          converter, patterns.getContext());
}
