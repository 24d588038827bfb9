//===- DecomposeLayerNorm.cpp - boost.layer_norm to StableHLO -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a layer norm with two sums over each row, which ranks that hold parts
// of it add up at once.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Support/TensorTypes.h"

namespace mlir::boost {
#define GEN_PASS_DEF_DECOMPOSELAYERNORMPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using stablehlo::AddOp;
using stablehlo::DivOp;
using stablehlo::MaxOp;
using stablehlo::MulOp;
using stablehlo::SubtractOp;

RowStatistics mlir::boost::buildRowStatistics(OpBuilder &builder, Location loc,
                                              Value input, double eps) {
  RankedTensorType type = getTensorType(input);
  Type stat = type.getElementType().isF64() ? type.getElementType()
                                            : Type(builder.getF32Type());
  Value wide = stablehlo::convert(builder, loc, input, stat);
  auto buildMean = [&](Value values) -> Value {
    Value sum =
        stablehlo::reduceSum(builder, loc, values, {type.getRank() - 1});
    Value size = stablehlo::splatLike(
        builder, loc, sum, static_cast<double>(type.getShape().back()));
    return DivOp::create(builder, loc, sum.getType(), sum, size);
  };
  Value mean = buildMean(wide);
  Value meanSquare =
      buildMean(MulOp::create(builder, loc, wide.getType(), wide, wide));
  Type rows = mean.getType();
  Value square = MulOp::create(builder, loc, rows, mean, mean);
  Value variance = SubtractOp::create(builder, loc, rows, meanSquare, square);
  // Rounding may leave less than nothing of a row of equal numbers.
  Value zero = stablehlo::splatLike(builder, loc, variance, 0);
  variance = MaxOp::create(builder, loc, rows, variance, zero);
  Value shift = stablehlo::splatLike(builder, loc, variance, eps);
  Value shifted = AddOp::create(builder, loc, rows, variance, shift);
  return {mean, stablehlo::RsqrtOp::create(builder, loc, rows, shifted)};
}

static void decompose(LayerNormOp op) {
  ComponentBuilder builder(op);
  Location loc = op.getLoc();
  RankedTensorType type = getTensorType(op.getInput());
  auto [mean, scale] = buildRowStatistics(builder, loc, op.getInput(),
                                          op.getEps().convertToDouble());
  auto repeatRow = [&](Value rows) {
    return stablehlo::broadcastTrailing(builder, loc, rows, type.getShape());
  };
  Value result = stablehlo::convert(builder, loc, op.getInput(),
                                    getTensorType(scale).getElementType());
  Type wide = result.getType();
  result = SubtractOp::create(builder, loc, wide, result, repeatRow(mean));
  result = MulOp::create(builder, loc, wide, result, repeatRow(scale));
  // Gamma and beta are applied in their own type, as in an RMS norm.
  result = stablehlo::convert(builder, loc, result,
                              getTensorType(op.getGamma()).getElementType());
  auto repeatVector = [&](Value vector) {
    return stablehlo::broadcastInDim(builder, loc, vector, type.getShape(),
                                     {type.getRank() - 1});
  };
  Type own = result.getType();
  result =
      MulOp::create(builder, loc, own, result, repeatVector(op.getGamma()));
  result = AddOp::create(builder, loc, own, result, repeatVector(op.getBeta()));
  op.getResult().replaceAllUsesWith(
      stablehlo::convert(builder, loc, result, type.getElementType()));
  op.erase();
}

namespace {
struct DecomposeLayerNorm
    : public mlir::boost::impl::DecomposeLayerNormPassBase<DecomposeLayerNorm> {
  void runOnOperation() override { getOperation()->walk(decompose); }
};
} // namespace
