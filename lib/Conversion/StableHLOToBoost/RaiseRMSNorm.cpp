//===- RaiseRMSNorm.cpp - Root-mean-square norms to boost.rms_norm --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A norm is a product of three factors in any order and grouping: the input,
// 1 / sqrt(mean of its squares + eps) and gamma. The root of the product is
// found, the factors are collected through conversions, and each must be
// recognized.
//
//===----------------------------------------------------------------------===//

#include "Norms.h"

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"

namespace mlir::boost {
#define GEN_PASS_DEF_RAISERMSNORMPASS
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

/// Gamma keeps the type that it is multiplied in.
static void raiseNorm(Operation *root) {
  if (!canEndNorm(root))
    return;
  auto norm = matchNormProduct(
      root->getResult(0), [](const NormScale &scale, Value factor) {
        return !scale.ofVariance &&
               peelConverts(factor) == peelConverts(scale.input);
      });
  if (!norm)
    return;
  OpBuilder builder(root);
  Location loc = root->getLoc();
  Value input = getNormInput(root, norm->scale.input);
  Value gamma = makeNormVector(builder, loc, norm->gamma, 1, input);
  Value result = RMSNormOp::create(builder, loc, input.getType(), input, gamma,
                                   builder.getF64FloatAttr(norm->scale.eps));
  root->getResult(0).replaceAllUsesWith(
      stablehlo::convert(builder, loc, result,
                         getTensorType(root->getResult(0)).getElementType()));
}

namespace {
struct RaiseRMSNorm
    : public mlir::boost::impl::RaiseRMSNormPassBase<RaiseRMSNorm> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      visitBackwards(block, raiseNorm);
  }
};
} // namespace
