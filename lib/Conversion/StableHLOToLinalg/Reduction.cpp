//===- Reduction.cpp - Reductions and integer products to linalg ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bf16 and f16 are accumulated in f32 and rounded once.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

/// Rounds or widens floating-point elements.
static Value buildCast(OpBuilder &builder, Location loc, Value tensor,
                       Type element) {
  auto type = cast<RankedTensorType>(tensor.getType());
  bool widen = element.getIntOrFloatBitWidth() >
               type.getElementType().getIntOrFloatBitWidth();
  return buildKernel(
      builder, loc, type.clone(element), tensor,
      builder.getMultiDimIdentityMap(type.getRank()),
      [&](OpBuilder &body, Location bodyLoc, ValueRange x) -> Value {
        if (widen)
          return arith::ExtFOp::create(body, bodyLoc, element, x[0]);
        return arith::TruncFOp::create(body, bodyLoc, element, x[0]);
      });
}

namespace {

struct ReduceConverter : OpConversionPattern<hlo::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(hlo::ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> resultTypes;
    if (failed(
            getTypeConverter()->convertTypes(op.getResultTypes(), resultTypes)))
      return failure();
    SmallVector<Value> inputs(adaptor.getInputs()), inits;
    Type wide = accumulatorType(op, inputs.front());
    SmallVector<Type> accumulators;
    for (auto [input, init, type] :
         llvm::zip(inputs, adaptor.getInitValues(), resultTypes)) {
      auto resultType = cast<RankedTensorType>(type);
      Type element = wide ? wide : resultType.getElementType();
      input = wide ? buildCast(rewriter, loc, input, wide) : input;
      Value start = wide ? widenScalar(rewriter, loc, init, wide) : init;
      accumulators.push_back(resultType.clone(element));
      inits.push_back(
          buildFill(rewriter, loc, resultType.clone(element), start));
    }
    auto generic = buildReduction(rewriter, op, inputs, inits, accumulators);
    SmallVector<Value> results(generic.getResults());
    if (wide)
      for (auto [result, type] : llvm::zip(results, resultTypes))
        result = buildCast(rewriter, loc, result,
                           cast<RankedTensorType>(type).getElementType());
    rewriter.replaceOp(op, results);
    return success();
  }

  /// f32 if the reduction is a simple one of short floats, else nothing.
  static Type accumulatorType(hlo::ReduceOp op, Value input) {
    Type element = getElementTypeOrSelf(input);
    bool isShort = isa<FloatType>(element) &&
                   element.getIntOrFloatBitWidth() < 32 &&
                   op.getInputs().size() == 1 && hlo::matchSimpleReduction(op);
    return isShort ? Float32Type::get(op.getContext()) : Type();
  }

  static Value widenScalar(OpBuilder &builder, Location loc, Value scalar,
                           Type wide) {
    DenseElementsAttr constant;
    if (!matchPattern(scalar, m_Constant(&constant)))
      return buildCast(builder, loc, scalar, wide);
    APFloat value = constant.getSplatValue<APFloat>();
    bool losesInfo = false;
    value.convert(cast<FloatType>(wide).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(RankedTensorType::get({}, wide), value));
  }

  /// Body argument k is accumulator k, argument N + k an element of input k.
  static linalg::GenericOp buildReduction(OpBuilder &builder, hlo::ReduceOp op,
                                          ValueRange inputs, ValueRange inits,
                                          TypeRange types) {
    int64_t rank = cast<RankedTensorType>(inputs.front().getType()).getRank();
    SmallVector<AffineExpr> kept;
    SmallVector<utils::IteratorType> loops;
    for (int64_t dim = 0; dim < rank; ++dim) {
      bool reduced = llvm::is_contained(op.getDimensions(), dim);
      loops.push_back(reduced ? utils::IteratorType::reduction
                              : utils::IteratorType::parallel);
      if (!reduced)
        kept.push_back(builder.getAffineDimExpr(dim));
    }
    SmallVector<AffineMap> maps(inputs.size(),
                                builder.getMultiDimIdentityMap(rank));
    maps.append(inits.size(),
                AffineMap::get(rank, 0, kept, builder.getContext()));
    return linalg::GenericOp::create(
        builder, op.getLoc(), types, inputs, inits, maps, loops,
        [&](OpBuilder &body, Location loc, ValueRange arguments) {
          SmallVector<Value> ordered(arguments.take_back(inits.size()));
          llvm::append_range(ordered, arguments.take_front(inputs.size()));
          linalg::YieldOp::create(
              body, loc, lowerScalarRegion(body, loc, op.getBody(), ordered));
        });
  }
};

/// Products of integers; those of floats are legal, and BLAS calls later.
struct IntegerDotConverter : OpConversionPattern<hlo::DotGeneralOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(hlo::DotGeneralOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getKernelType(getTypeConverter(), op.getType());
    hlo::DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
    int64_t lhsRank = op.getLhs().getType().getRank();
    int64_t rhsRank = op.getRhs().getType().getRank();
    // Loops: those of the result in order, then the contracted ones.
    int64_t next = dims.getLhsBatchingDimensions().size();
    int64_t numLoops =
        type.getRank() + dims.getLhsContractingDimensions().size();
    auto loopsOf = [&](int64_t rank, ArrayRef<int64_t> batch,
                       ArrayRef<int64_t> contracting) {
      SmallVector<AffineExpr> loops(rank);
      for (auto [i, dim] : llvm::enumerate(batch))
        loops[dim] = rewriter.getAffineDimExpr(i);
      for (auto [i, dim] : llvm::enumerate(contracting))
        loops[dim] = rewriter.getAffineDimExpr(type.getRank() + i);
      for (AffineExpr &loop : loops)
        if (!loop)
          loop = rewriter.getAffineDimExpr(next++);
      return AffineMap::get(numLoops, 0, loops, getContext());
    };
    AffineMap lhs = loopsOf(lhsRank, dims.getLhsBatchingDimensions(),
                            dims.getLhsContractingDimensions());
    AffineMap rhs = loopsOf(rhsRank, dims.getRhsBatchingDimensions(),
                            dims.getRhsContractingDimensions());
    AffineMap out = getLeadingDims(getContext(), numLoops, type.getRank());
    rewriter.replaceOp(op,
                       buildProduct(rewriter, op, type, adaptor.getOperands(),
                                    {lhs, rhs, out}));
    return success();
  }

  static Value buildProduct(OpBuilder &builder, hlo::DotGeneralOp op,
                            RankedTensorType type, ValueRange operands,
                            ArrayRef<AffineMap> maps) {
    Location loc = op.getLoc();
    bool isUnsigned =
        op.getLhs().getType().getElementType().isUnsignedInteger() ||
        op.getLhs().getType().getElementType().isInteger(1);
    Type element = type.getElementType();
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    Value empty =
        tensor::EmptyOp::create(builder, loc, type.getShape(), element);
    Value start =
        linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
    SmallVector<utils::IteratorType> loops(maps.front().getNumDims(),
                                           utils::IteratorType::reduction);
    std::fill_n(loops.begin(), type.getRank(), utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        builder, loc, TypeRange(type), operands, start, maps, loops,
        [&](OpBuilder &body, Location bodyLoc, ValueRange x) {
          auto widen = [&](Value value) -> Value {
            if (value.getType() == element)
              return value;
            if (isUnsigned)
              return arith::ExtUIOp::create(body, bodyLoc, element, value);
            return arith::ExtSIOp::create(body, bodyLoc, element, value);
          };
          Value product =
              arith::MulIOp::create(body, bodyLoc, widen(x[0]), widen(x[1]));
          Value sum = arith::AddIOp::create(body, bodyLoc, x[2], product);
          linalg::YieldOp::create(body, bodyLoc, sum);
        });
    return generic.getResult(0);
  }
};

} // namespace

void mlir::boost::populateReductionPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<IntegerDotConverter, ReduceConverter>(converter,
                                                     patterns.getContext());
}
