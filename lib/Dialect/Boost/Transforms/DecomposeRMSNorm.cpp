//===- DecomposeRMSNorm.cpp - boost.rms_norm to StableHLO -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a norm as square, sum, reciprocal root and products, with the
// statistic in f32, so that differentiation and sharding need no rule for it.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Support/TensorTypes.h"

namespace mlir::boost {
#define GEN_PASS_DEF_DECOMPOSERMSNORMPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Shared with other passes that write norms
//===----------------------------------------------------------------------===//

ComponentBuilder::ComponentBuilder(Operation *op) : OpBuilder(op) {
  marker.block = op->getBlock();
  marker.component = op->getAttr(kComponentAttr);
  marker.layer = getLayer(op);
  setListener(&marker);
}

void ComponentBuilder::Marker::notifyOperationInserted(Operation *op,
                                                       InsertPoint previous) {
  if (component && op->getBlock() == block &&
      !op->hasTrait<OpTrait::ConstantLike>())
    op->setAttr(kComponentAttr, component);
  setLayerIfNone(op, layer);
}

Value mlir::boost::buildNormScale(OpBuilder &builder, Location loc, Value input,
                                  double eps) {
  RankedTensorType type = getTensorType(input);
  Type stat = type.getElementType().isF64() ? type.getElementType()
                                            : Type(builder.getF32Type());
  Value wide = stablehlo::convert(builder, loc, input, stat);
  Value squares =
      stablehlo::MulOp::create(builder, loc, wide.getType(), wide, wide);
  Value sum = stablehlo::reduceSum(builder, loc, squares, {type.getRank() - 1});
  Value size = stablehlo::splatLike(
      builder, loc, sum, static_cast<double>(type.getShape().back()));
  Value mean = stablehlo::DivOp::create(builder, loc, sum.getType(), sum, size);
  Value shifted =
      stablehlo::AddOp::create(builder, loc, sum.getType(), mean,
                               stablehlo::splatLike(builder, loc, mean, eps));
  return stablehlo::RsqrtOp::create(builder, loc, sum.getType(), shifted);
}

Value mlir::boost::buildGammaProduct(OpBuilder &builder, Location loc,
                                     Value input, Value gamma) {
  RankedTensorType type = getTensorType(input);
  gamma = stablehlo::convert(builder, loc, gamma, type.getElementType());
  gamma = stablehlo::broadcastInDim(builder, loc, gamma, type.getShape(),
                                    {type.getRank() - 1});
  return stablehlo::MulOp::create(builder, loc, type, input, gamma);
}

Value mlir::boost::scaleRows(OpBuilder &builder, Location loc, Value rows,
                             Value scale) {
  RankedTensorType type = getTensorType(rows);
  Value wide = stablehlo::convert(builder, loc, rows,
                                  getTensorType(scale).getElementType());
  wide = stablehlo::MulOp::create(
      builder, loc, wide.getType(), wide,
      stablehlo::broadcastTrailing(builder, loc, scale, type.getShape()));
  return stablehlo::convert(builder, loc, wide, type.getElementType());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void decompose(RMSNormOp op) {
  ComponentBuilder builder(op);
  Location loc = op.getLoc();
  RankedTensorType type = getTensorType(op.getInput());
  Value scale = buildNormScale(builder, loc, op.getInput(),
                               op.getEps().convertToDouble());
  Value normal = stablehlo::convert(builder, loc, op.getInput(),
                                    getTensorType(scale).getElementType());
  normal = stablehlo::MulOp::create(
      builder, loc, normal.getType(), normal,
      stablehlo::broadcastTrailing(builder, loc, scale, type.getShape()));
  // Gamma is applied in its own type: an f32 gamma is not rounded to bf16.
  Type gammaType = getTensorType(op.getGamma()).getElementType();
  normal = stablehlo::convert(builder, loc, normal, gammaType);
  Value gamma = stablehlo::broadcastInDim(
      builder, loc, op.getGamma(), type.getShape(), {type.getRank() - 1});
  Value result =
      stablehlo::MulOp::create(builder, loc, normal.getType(), normal, gamma);
  op.getResult().replaceAllUsesWith(
      stablehlo::convert(builder, loc, result, type.getElementType()));
  op.erase();
}

namespace {
struct DecomposeRMSNorm
    : public mlir::boost::impl::DecomposeRMSNormPassBase<DecomposeRMSNorm> {
  void runOnOperation() override { getOperation()->walk(decompose); }
};
} // namespace
