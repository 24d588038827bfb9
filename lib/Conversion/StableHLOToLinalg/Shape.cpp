//===- Shape.cpp - Constants and data movement to linalg and tensor -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reshapes and slices become views, joins become insertions into an undefined
// tensor; the rest are kernels that later fuse with their users.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

Value mlir::boost::buildReshape(OpBuilder &builder, Location loc, Value source,
                                RankedTensorType type) {
  auto sourceType = cast<RankedTensorType>(source.getType());
  if (sourceType == type)
    return source;
  if (auto groups = getReassociationIndicesForReshape(sourceType, type)) {
    if (sourceType.getRank() > type.getRank())
      return tensor::CollapseShapeOp::create(builder, loc, type, source,
                                             *groups);
    return tensor::ExpandShapeOp::create(builder, loc, type, source, *groups);
  }
  // No element, no order of elements: sizes need not be factors of each other.
  if (type.getNumElements() == 0)
    return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
  auto flat =
      RankedTensorType::get({type.getNumElements()}, type.getElementType());
  return buildReshape(builder, loc, buildReshape(builder, loc, source, flat),
                      type);
}

Value mlir::boost::buildFill(OpBuilder &builder, Location loc,
                             RankedTensorType type, Value scalar) {
  DenseElementsAttr constant;
  if (matchPattern(scalar, m_Constant(&constant)) && constant.isSplat()) {
    auto value = cast<TypedAttr>(constant.getSplatValue<Attribute>());
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                          type.getElementType());
    Value element = arith::ConstantOp::create(builder, loc, value);
    return linalg::FillOp::create(builder, loc, element, empty).getResult(0);
  }
  return buildKernel(
      builder, loc, type, scalar,
      AffineMap::get(type.getRank(), 0, builder.getContext()),
      [](OpBuilder &, Location, ValueRange elements) { return elements[0]; });
}

static Value takeElement(OpBuilder &, Location, ValueRange elements) {
  return elements.front();
}

namespace {

struct ConstantConverter : OpConversionPattern<hlo::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::ConstantOp op, OpAdaptor /*adaptor*/,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getKernelType(getTypeConverter(), op.getType());
    ElementsAttr value = op.getValue();
    if (value.getType() != type) {
      auto dense = dyn_cast<DenseElementsAttr>(value);
      if (!dense)
        return rewriter.notifyMatchFailure(op, "unsigned resource constant");
      value = dense.bitcast(type.getElementType());
    }
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, cast<TypedAttr>(value));
    return success();
  }
};

struct IotaConverter : OpConversionPattern<hlo::IotaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::IotaOp op, OpAdaptor /*adaptor*/,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getKernelType(getTypeConverter(), op.getType());
    Type element = type.getElementType();
    auto count = [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
      Value index =
          linalg::IndexOp::create(builder, loc, op.getIotaDimension());
      if (!isa<FloatType>(element))
        return arith::IndexCastOp::create(builder, loc, element, index);
      Value integer =
          arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
      return arith::SIToFPOp::create(builder, loc, element, integer);
    };
    rewriter.replaceOp(op,
                       buildKernel(rewriter, op.getLoc(), type, {}, {}, count));
    return success();
  }
};

struct BroadcastConverter : OpConversionPattern<hlo::BroadcastInDimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::BroadcastInDimOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getKernelType(getTypeConverter(), op.getType());
    auto source = cast<RankedTensorType>(adaptor.getOperand().getType());
    SmallVector<AffineExpr> places;
    for (auto [size, dim] :
         llvm::zip_equal(source.getShape(), op.getBroadcastDimensions()))
      places.push_back(size == type.getDimSize(dim)
                           ? rewriter.getAffineDimExpr(dim)
                           : rewriter.getAffineConstantExpr(0));
    auto map = AffineMap::get(type.getRank(), 0, places, getContext());
    rewriter.replaceOp(op, buildKernel(rewriter, op.getLoc(), type,
                                       adaptor.getOperand(), map, takeElement));
    return success();
  }
};

struct ReshapeConverter : OpConversionPattern<hlo::ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, buildReshape(rewriter, op.getLoc(), adaptor.getOperand(),
                         getKernelType(getTypeConverter(), op.getType())));
    return success();
  }
};

struct TransposeConverter : OpConversionPattern<hlo::TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    AffineMap map = inversePermutation(AffineMap::getPermutationMap(
        SmallVector<int64_t>(op.getPermutation()), getContext()));
    rewriter.replaceOp(
        op, buildKernel(rewriter, op.getLoc(),
                        getKernelType(getTypeConverter(), op.getType()),
                        adaptor.getOperand(), map, takeElement));
    return success();
  }
};

/// Reads the elements one by one: their places run backwards.
struct ReverseConverter : OpConversionPattern<hlo::ReverseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::ReverseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getKernelType(getTypeConverter(), op.getType());
    auto read = [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
      SmallVector<Value> places;
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        Value place = linalg::IndexOp::create(builder, loc, dim);
        if (llvm::is_contained(op.getDimensions(), dim)) {
          Value last = arith::ConstantIndexOp::create(builder, loc,
                                                      type.getDimSize(dim) - 1);
          place = arith::SubIOp::create(builder, loc, last, place);
        }
        places.push_back(place);
      }
      return tensor::ExtractOp::create(builder, loc, adaptor.getOperand(),
                                       places);
    };
    rewriter.replaceOp(op,
                       buildKernel(rewriter, op.getLoc(), type, {}, {}, read));
    return success();
  }
};

/// Between types of two widths; within one it is elementwise.
struct BitcastConverter : OpConversionPattern<hlo::BitcastConvertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::BitcastConvertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (hasScalarForm(op))
      return failure();
    RankedTensorType type = getKernelType(getTypeConverter(), op.getType());
    Value source = adaptor.getOperand();
    rewriter.replaceOp(op, type.getRank() > op.getOperand().getType().getRank()
                               ? split(rewriter, op.getLoc(), source, type)
                               : join(rewriter, op.getLoc(), source, type));
    return success();
  }

  /// The bits of a number, with zeros above them.
  static Value toBits(OpBuilder &builder, Location loc, Value number,
                      Type integer) {
    Type own = builder.getIntegerType(getWidth(number.getType()));
    if (number.getType() != own)
      number = arith::BitcastOp::create(builder, loc, own, number);
    return own == integer
               ? number
               : arith::ExtUIOp::create(builder, loc, integer, number)
                     .getResult();
  }

  /// The number that has the lowest of these bits.
  static Value fromBits(OpBuilder &builder, Location loc, Value bits,
                        Type type) {
    Type integer = builder.getIntegerType(getWidth(type));
    if (bits.getType() != integer)
      bits = arith::TruncIOp::create(builder, loc, integer, bits);
    return type == integer
               ? bits
               : arith::BitcastOp::create(builder, loc, type, bits).getResult();
  }

  /// Every part moves the bits of its number down to itself.
  static Value split(OpBuilder &rewriter, Location loc, Value source,
                     RankedTensorType type) {
    int64_t last = type.getRank() - 1;
    unsigned width = getWidth(type.getElementType());
    AffineMap map = getLeadingDims(type.getContext(), last + 1, last);
    return buildKernel(
        rewriter, loc, type, source, map,
        [&](OpBuilder &builder, Location loc, ValueRange elements) {
          Type integer =
              builder.getIntegerType(getWidth(elements[0].getType()));
          Value bits = toBits(builder, loc, elements[0], integer);
          Value part = linalg::IndexOp::create(builder, loc, last);
          part = arith::IndexCastOp::create(builder, loc, integer, part);
          Value step = arith::ConstantOp::create(
              builder, loc, builder.getIntegerAttr(integer, width));
          Value amount = arith::MulIOp::create(builder, loc, part, step);
          Value moved = arith::ShRUIOp::create(builder, loc, bits, amount);
          return fromBits(builder, loc, moved, type.getElementType());
        });
  }

  /// Every number reads its parts and moves their bits up to their places.
  static Value join(OpBuilder &rewriter, Location loc, Value source,
                    RankedTensorType type) {
    auto parts = cast<RankedTensorType>(source.getType());
    unsigned width = getWidth(parts.getElementType());
    auto read = [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
      Type integer = builder.getIntegerType(getWidth(type.getElementType()));
      SmallVector<Value> place;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        place.push_back(linalg::IndexOp::create(builder, loc, dim));
      place.emplace_back();
      Value bits;
      for (int64_t i = 0; i < parts.getShape().back(); ++i) {
        place.back() = arith::ConstantIndexOp::create(builder, loc, i);
        Value part = tensor::ExtractOp::create(builder, loc, source, place);
        part = toBits(builder, loc, part, integer);
        Value amount = arith::ConstantOp::create(
            builder, loc, builder.getIntegerAttr(integer, i * width));
        part = arith::ShLIOp::create(builder, loc, part, amount);
        bits = bits ? arith::OrIOp::create(builder, loc, bits, part).getResult()
                    : part;
      }
      return fromBits(builder, loc, bits, type.getElementType());
    };
    return buildKernel(rewriter, loc, type, {}, {}, read);
  }

  static unsigned getWidth(Type type) { return type.getIntOrFloatBitWidth(); }
};

struct SliceConverter : OpConversionPattern<hlo::SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getKernelType(getTypeConverter(), op.getType());
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, type, adaptor.getOperand(), ValueRange(), ValueRange(),
        ValueRange(), op.getStartIndices(), type.getShape(), op.getStrides());
    return success();
  }
};

} // namespace

static Value insertAt(OpBuilder &builder, Location loc, Value source,
                      Value dest, ArrayRef<int64_t> offsets,
                      ArrayRef<int64_t> strides) {
  return tensor::InsertSliceOp::create(
      builder, loc, source, dest, ValueRange(), ValueRange(), ValueRange(),
      offsets, cast<RankedTensorType>(source.getType()).getShape(), strides);
}

/// Tensors one after the other along `dim`.
static Value buildConcatenation(OpBuilder &builder, Location loc,
                                RankedTensorType type, ValueRange parts,
                                int64_t dim) {
  Value whole = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  for (Value part : parts) {
    whole = insertAt(builder, loc, part, whole, offsets, strides);
    offsets[dim] += cast<RankedTensorType>(part.getType()).getDimSize(dim);
  }
  return whole;
}

namespace {

struct ConcatenateConverter : OpConversionPattern<hlo::ConcatenateOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::ConcatenateOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, buildConcatenation(rewriter, op.getLoc(),
                               getKernelType(getTypeConverter(), op.getType()),
                               adaptor.getInputs(), op.getDimension()));
    return success();
  }
};

/// The part of an operand's dimension inside the padded result.
struct PaddedDim {
  /// First element that is kept, how many are, and where the first one goes.
  int64_t first = 0, count = 0, place = 0;
};

/// The operand inside a filled result; negative padding removes elements.
struct PadConverter : OpConversionPattern<hlo::PadOp> {
  using OpConversionPattern::OpConversionPattern;

  static PaddedDim computeDim(int64_t size, int64_t low, int64_t step,
                              int64_t resultSize) {
    PaddedDim dim;
    // Element i goes to low + i * step.
    dim.first = low < 0 ? llvm::divideCeil(-low, step) : 0;
    dim.place = low + dim.first * step;
    int64_t room = resultSize - dim.place;
    int64_t fitting = room > 0 ? llvm::divideCeil(room, step) : 0;
    dim.count = std::max<int64_t>(std::min(size - dim.first, fitting), 0);
    return dim;
  }

  LogicalResult
  matchAndRewrite(hlo::PadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = getKernelType(getTypeConverter(), op.getType());
    Value operand = adaptor.getOperand();
    auto operandType = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> firsts, counts, places, steps;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      int64_t step = op.getInteriorPadding()[i] + 1;
      PaddedDim dim =
          computeDim(operandType.getDimSize(i), op.getEdgePaddingLow()[i], step,
                     type.getDimSize(i));
      firsts.push_back(dim.first);
      counts.push_back(dim.count);
      places.push_back(dim.place);
      steps.push_back(step);
    }
    Value result = buildFill(rewriter, loc, type, adaptor.getPaddingValue());
    if (!llvm::is_contained(counts, 0)) {
      SmallVector<int64_t> ones(type.getRank(), 1);
      if (counts != operandType.getShape())
        operand = tensor::ExtractSliceOp::create(
            rewriter, loc, RankedTensorType::get(counts, type.getElementType()),
            operand, ValueRange(), ValueRange(), ValueRange(), firsts, counts,
            ones);
      result = insertAt(rewriter, loc, operand, result, places, steps);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Stays until memory is assigned, so that nothing is merged across it.
struct BarrierConverter : OpConversionPattern<hlo::OptimizationBarrierOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(hlo::OptimizationBarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ValueRange operands = adaptor.getOperands();
    rewriter.replaceOpWithNewOp<hlo::OptimizationBarrierOp>(
        op, operands.getTypes(), operands);
    return success();
  }
};

} // namespace

void mlir::boost::populateShapePatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<BarrierConverter, BitcastConverter, BroadcastConverter,
               ConcatenateConverter, ConstantConverter, IotaConverter,
               PadConverter, ReshapeConverter, ReverseConverter, SliceConverter,
               TransposeConverter>(converter, patterns.getContext());
}
