//===- OnlineLayerNorm.cpp - Layer norms behind products ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bottlenecks take a layer norm over; narrow linears are scaled and shifted
// after the product. What else reads the norm keeps it.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "boost-mlir/Dialect/Boost/IR/Factors.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::boost {
#define GEN_PASS_DEF_ONLINELAYERNORMPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using stablehlo::AddOp;
using stablehlo::MulOp;
using stablehlo::SubtractOp;

/// `vector . W`, repeated for every row of the product, in the type of `rows`.
static Value buildProductOfVector(OpBuilder &builder, Location loc,
                                  Value vector, RankedTensorType input,
                                  RankedTensorType rows,
                                  function_ref<Value(Value)> buildProduct) {
  vector = stablehlo::convert(builder, loc, vector, input.getElementType());
  Value row =
      stablehlo::reshape(builder, loc, vector, {1, input.getShape().back()});
  Value product = buildProduct(row);
  product = stablehlo::convert(builder, loc, product, rows.getElementType());
  ArrayRef<int64_t> shape = getTensorType(product).getShape().drop_front();
  product = stablehlo::reshape(builder, loc, product, shape);
  int64_t rank = rows.getRank();
  return stablehlo::broadcastInDim(
      builder, loc, product, rows.getShape(),
      llvm::to_vector(
          llvm::seq<int64_t>(rank - static_cast<int64_t>(shape.size()), rank)));
}

Value mlir::boost::buildProductOfLayerNorm(
    OpBuilder &builder, Location loc, Value input, Value gamma, Value beta,
    double eps, function_ref<Value(Value)> buildProduct) {
  RankedTensorType type = getTensorType(input);
  if (hasNarrowRange(input))
    return buildProduct(LayerNormOp::create(builder, loc, type, input, gamma,
                                            beta, APFloat(eps)));
  Value product = buildProduct(buildGammaProduct(builder, loc, input, gamma));
  RankedTensorType own = getTensorType(product);
  auto [mean, scale] = buildRowStatistics(builder, loc, input, eps);
  Value wide = stablehlo::convert(builder, loc, product,
                                  getTensorType(scale).getElementType());
  RankedTensorType rows = getTensorType(wide);
  auto repeatRow = [&](Value values) {
    return stablehlo::broadcastTrailing(builder, loc, values, rows.getShape());
  };
  Value ofGamma =
      buildProductOfVector(builder, loc, gamma, type, rows, buildProduct);
  Value ofBeta =
      buildProductOfVector(builder, loc, beta, type, rows, buildProduct);
  Value means = repeatRow(mean);
  Value ofMean = MulOp::create(builder, loc, rows, means, ofGamma);
  wide = SubtractOp::create(builder, loc, rows, wide, ofMean);
  wide = MulOp::create(builder, loc, rows, wide, repeatRow(scale));
  wide = AddOp::create(builder, loc, rows, wide, ofBeta);
  return stablehlo::convert(builder, loc, wide, own.getElementType());
}

static void takeOver(BottleneckOp op, LayerNormOp norm) {
  op.getInputMutable().assign(norm.getInput());
  op.getGammaMutable().assign(norm.getGamma());
  op.getBetaMutable().assign(norm.getBeta());
  op.setEpsAttr(norm.getEpsAttr());
}

static void moveBehind(LinearOp op, LayerNormOp norm) {
  ComponentBuilder builder(op);
  Location loc = op.getLoc();
  auto buildProduct = [&](Value input) -> Value {
    SmallVector<int64_t> shape(getTensorType(input).getShape());
    shape.back() = op.getType().getShape().back();
    auto product = LinearOp::create(builder, loc, op.getType().clone(shape),
                                    input, op.getWeight(), op.getTransposed(),
                                    op.getShardOutput());
    copyFactor(op, product);
    return product;
  };
  op.getResult().replaceAllUsesWith(buildProductOfLayerNorm(
      builder, loc, norm.getInput(), norm.getGamma(), norm.getBeta(),
      norm.getEps().convertToDouble(), buildProduct));
  op.erase();
}

namespace {
struct OnlineLayerNorm
    : public mlir::boost::impl::OnlineLayerNormPassBase<OnlineLayerNorm> {
  using OnlineLayerNormPassBase::OnlineLayerNormPassBase;

  static int64_t getWidth(Value value) {
    return getTensorType(value).getShape().back();
  }

  void rewrite(LayerNormOp norm) {
    // An operation may read the norm twice.
    SetVector<Operation *> users(norm->user_begin(), norm->user_end());
    for (Operation *user : users) {
      if (auto bottleneck = dyn_cast<BottleneckOp>(user)) {
        if (bottleneck.getInput() == norm.getResult() && !bottleneck.getGamma())
          takeOver(bottleneck, norm);
      } else if (auto linear = dyn_cast<LinearOp>(user)) {
        if (linear.getInput() == norm.getResult() &&
            getWidth(linear) < getWidth(norm) && !hasNarrowRange(norm))
          moveBehind(linear, norm);
      }
    }
    if (norm->use_empty())
      norm.erase();
  }

  void runOnOperation() override {
    SmallVector<LayerNormOp> norms;
    getOperation()->walk([&](LayerNormOp norm) { norms.push_back(norm); });
    for (LayerNormOp norm : norms)
      rewrite(norm);
  }
};
} // namespace
