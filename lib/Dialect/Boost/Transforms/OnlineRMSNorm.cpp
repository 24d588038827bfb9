//===- OnlineRMSNorm.cpp - Norms behind the products that read them -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bottlenecks take a norm over; narrow linears are scaled after the product.
// Other readers of the norm keep it.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "boost-mlir/Dialect/Boost/IR/Factors.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost {
#define GEN_PASS_DEF_ONLINERMSNORMPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

static int64_t getWidth(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().back();
}

static void takeOver(BottleneckOp op, RMSNormOp norm) {
  op.getInputMutable().assign(norm.getInput());
  op.getGammaMutable().assign(norm.getGamma());
  op.setEpsAttr(norm.getEpsAttr());
}

static void moveBehind(LinearOp op, RMSNormOp norm) {
  ComponentBuilder builder(op);
  Location loc = op.getLoc();
  auto buildProduct = [&](Value input) -> Value {
    auto product =
        LinearOp::create(builder, loc, op.getType(), input, op.getWeight(),
                         op.getTransposed(), op.getShardOutput());
    copyFactor(op, product);
    return product;
  };
  op.getResult().replaceAllUsesWith(
      buildProductOfNorm(builder, loc, norm.getInput(), norm.getGamma(),
                         norm.getEps().convertToDouble(), buildProduct));
  op.erase();
}

namespace {
struct OnlineRMSNorm
    : public mlir::boost::impl::OnlineRMSNormPassBase<OnlineRMSNorm> {
  using OnlineRMSNormPassBase::OnlineRMSNormPassBase;

  void rewrite(RMSNormOp norm) {
    // An operation may read the norm twice.
    SetVector<Operation *> users(norm->user_begin(), norm->user_end());
    for (Operation *user : users) {
      if (auto bottleneck = dyn_cast<BottleneckOp>(user)) {
        if (bottleneck.getInput() == norm.getResult() && !bottleneck.getGamma())
          takeOver(bottleneck, norm);
      } else if (auto linear = dyn_cast<LinearOp>(user)) {
        if (linear.getInput() == norm.getResult() &&
            (allLinears || getWidth(linear) < getWidth(norm)) &&
            canApplyNormToProduct(norm.getInput()))
          moveBehind(linear, norm);
      }
    }
    if (norm->use_empty())
      norm.erase();
  }

  void runOnOperation() override {
    SmallVector<RMSNormOp> norms;
    getOperation()->walk([&](RMSNormOp norm) { norms.push_back(norm); });
    // The last first: what is built for one may look for norms before it.
    for (RMSNormOp norm : llvm::reverse(norms))
      rewrite(norm);
  }
};
} // namespace
