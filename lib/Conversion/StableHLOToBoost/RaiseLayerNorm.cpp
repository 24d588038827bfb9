//===- RaiseLayerNorm.cpp - Layer norms to boost.layer_norm ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer norm is a product of the input less its mean, of
// 1 / sqrt(variance + eps) and of gamma, to which beta may be added.
//
//===----------------------------------------------------------------------===//

#include "Norms.h"

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"

namespace mlir::boost {
#define GEN_PASS_DEF_RAISELAYERNORMPASS
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

/// Returns true if `scale` is that of a tensor, and `factor` is that tensor
/// minus its mean.
static bool isCentered(const NormScale &scale, Value factor) {
  Value input = matchCentered(factor);
  if (!input)
    return false;
  return peelConverts(scale.input) ==
         peelConverts(scale.ofVariance ? input : factor);
}

namespace {
struct LayerNorm {
  NormProduct product;
  /// A tensor that repeats it; null if there is none.
  Value beta;
};
} // namespace

static std::optional<LayerNorm> matchLayerNorm(Value value) {
  if (auto product = matchNormProduct(value, isCentered))
    return LayerNorm{*product, /*beta=*/Value()};
  auto add = peelConverts(value).getDefiningOp<stablehlo::AddOp>();
  if (!add)
    return std::nullopt;
  for (auto [product, beta] : {std::pair(add.getLhs(), add.getRhs()),
                               std::pair(add.getRhs(), add.getLhs())})
    if (isRepeatedVector(beta))
      if (auto norm = matchNormProduct(product, isCentered))
        return LayerNorm{*norm, beta};
  return std::nullopt;
}

static void raiseNorm(Operation *root) {
  if (!canEndNorm(root))
    return;
  auto norm = matchLayerNorm(root->getResult(0));
  if (!norm)
    return;
  OpBuilder builder(root);
  Location loc = root->getLoc();
  const NormProduct &product = norm->product;
  Value input = getNormInput(root, matchCentered(product.center));
  Value gamma = makeNormVector(builder, loc, product.gamma, 1, input);
  Value beta = makeNormVector(builder, loc, norm->beta, 0, input);
  beta = stablehlo::convert(builder, loc, beta,
                            getTensorType(gamma).getElementType());
  Value result =
      LayerNormOp::create(builder, loc, input.getType(), input, gamma, beta,
                          builder.getF64FloatAttr(product.scale.eps));
  root->getResult(0).replaceAllUsesWith(
      stablehlo::convert(builder, loc, result,
                         getTensorType(root->getResult(0)).getElementType()));
}

namespace {
struct RaiseLayerNorm
    : public mlir::boost::impl::RaiseLayerNormPassBase<RaiseLayerNorm> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      visitBackwards(block, raiseNorm);
  }
};
} // namespace
