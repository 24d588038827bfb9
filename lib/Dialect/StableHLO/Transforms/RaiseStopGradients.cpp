//===- RaiseStopGradients.cpp - boost-raise-stop-gradients ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/StopGradient.h"
#include "boost-mlir/Dialect/StableHLO/IR/StopGradientCalls.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_RAISESTOPGRADIENTSPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

namespace {
struct RaiseStopGradientsPass
    : stablehlo::impl::RaiseStopGradientsPassBase<RaiseStopGradientsPass> {
  void runOnOperation() override {
    getOperation()->walk([](CustomCallOp call) {
      if (!isStopGradientCall(call))
        return;
      OpBuilder builder(call);
      Value stopped = StopGradientOp::create(builder, call.getLoc(),
                                             call->getResult(0).getType(),
                                             call->getOperand(0));
      call->getResult(0).replaceAllUsesWith(stopped);
      call->erase();
    });
  }
};
} // namespace
