//===- ProductOfNorm.cpp - Norms applied to products ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `RMSNorm(x; gamma, eps) . W` is `((x * gamma) . W) * rsqrt(mean(x^2) + eps)`.
// The multiplied rows are not normalized, and neither is the product, which
// ranks sum: in f16 both could leave the range. There the rows are first scaled
// near their final size, by a number per row that every rank knows: the scale
// of an earlier norm of the same residual stream.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::boost;

bool mlir::boost::hasNarrowRange(Value value) {
  auto type =
      cast<FloatType>(cast<RankedTensorType>(value.getType()).getElementType());
  return APFloat::semanticsMaxExponent(type.getFloatSemantics()) <
         APFloat::semanticsMaxExponent(APFloat::IEEEsingle());
}

namespace {
/// A term of a sum, the operation that normalizes it, and the eps of its norm.
struct NormedTerm {
  Value value;
  Operation *norm;
  double eps;
};
} // namespace

/// A norm of `value`.
static std::optional<NormedTerm> findNormOf(Value value) {
  for (Operation *user : value.getUsers()) {
    if (auto norm = dyn_cast<RMSNormOp>(user))
      if (norm.getInput() == value)
        return NormedTerm{value, norm, norm.getEps().convertToDouble()};
    if (auto bottleneck = dyn_cast<BottleneckOp>(user))
      if (bottleneck.getInput() == value && bottleneck.getGamma())
        return NormedTerm{value, bottleneck,
                          bottleneck.getEps()->convertToDouble()};
  }
  return std::nullopt;
}

/// The nearest of the terms that `sum` is made of that has a norm: in a
/// residual stream, the stream where it was normalized last.
static std::optional<NormedTerm> findNormedTerm(Value sum) {
  llvm::SmallSetVector<Value, 8> terms;
  terms.insert(sum);
  for (size_t i = 0; i < terms.size(); ++i) {
    auto add = terms[i].getDefiningOp<stablehlo::AddOp>();
    if (!add)
      continue;
    for (Value term : {add.getLhs(), add.getRhs()}) {
      if (std::optional<NormedTerm> normed = findNormOf(term))
        return normed;
      terms.insert(term);
    }
  }
  return std::nullopt;
}

/// The power of two nearest to `scale`. Multiplying by it rounds nothing. As a
/// step it has no gradient, which is right: what is multiplied by it is divided
/// by it later.
static Value buildPowerOfTwo(OpBuilder &builder, Location loc, Value scale) {
  Type type = scale.getType();
  Value log = stablehlo::LogOp::create(builder, loc, type, scale);
  Value perLogOfTwo =
      stablehlo::splatLike(builder, loc, scale, llvm::numbers::log2e);
  Value exponent =
      stablehlo::MulOp::create(builder, loc, type, log, perLogOfTwo);
  exponent =
      stablehlo::RoundNearestEvenOp::create(builder, loc, type, exponent);
  return stablehlo::PowOp::create(builder, loc, type,
                                  stablehlo::splatLike(builder, loc, scale, 2),
                                  exponent);
}

/// `input * gamma * rowScale`, rounded once.
static Value buildScaledGammaProduct(OpBuilder &builder, Location loc,
                                     Value input, Value gamma, Value rowScale) {
  Type own = cast<RankedTensorType>(input.getType()).getElementType();
  Type wide = cast<RankedTensorType>(rowScale.getType()).getElementType();
  Value product = buildGammaProduct(
      builder, loc, stablehlo::convert(builder, loc, input, wide), gamma);
  product = scaleRows(builder, loc, product, rowScale);
  return stablehlo::convert(builder, loc, product, own);
}

bool mlir::boost::canApplyNormToProduct(Value input) {
  return !hasNarrowRange(input) || findNormedTerm(input);
}

Value mlir::boost::buildProductOfNorm(
    OpBuilder &builder, Location loc, Value input, Value gamma, double eps,
    llvm::function_ref<Value(Value)> buildProduct) {
  if (!hasNarrowRange(input)) {
    Value product = buildProduct(buildGammaProduct(builder, loc, input, gamma));
    return scaleRows(builder, loc, product,
                     buildNormScale(builder, loc, input, eps));
  }
  std::optional<NormedTerm> earlier = findNormedTerm(input);
  if (!earlier)
    return buildProduct(RMSNormOp::create(builder, loc, input.getType(), input,
                                          gamma, APFloat(eps)));
  // The scale of the earlier norm is that norm's, of its layer and region, so
  // that the two are one computation and one all-reduce.
  ComponentBuilder earlierBuilder(earlier->norm);
  earlierBuilder.setInsertionPointAfterValue(earlier->value);
  Value earlierScale =
      buildNormScale(earlierBuilder, loc, earlier->value, earlier->eps);
  Value range = buildPowerOfTwo(builder, loc, earlierScale);
  Value product =
      buildProduct(buildScaledGammaProduct(builder, loc, input, gamma, range));
  Value scale = buildNormScale(builder, loc, input, eps);
  return scaleRows(
      builder, loc, product,
      stablehlo::DivOp::create(builder, loc, scale.getType(), scale, range));
}
