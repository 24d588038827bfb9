//===- SeparateOptimizer.cpp - Keep an update apart from the loss ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything up to the gradient works on the loss alone.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Optimizers.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_SEPARATEOPTIMIZERPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;

/// Checks that a function can be put behind another one.
static LogicalResult checkBody(func::FuncOp update) {
  if (update.isExternal() || !update.getBody().hasOneBlock())
    return emitError(update.getLoc())
           << "expects an update of one block, but '" << update.getName()
           << "' has " << update.getBody().getBlocks().size();
  WalkResult result = update.walk([&](func::CallOp call) {
    emitError(call.getLoc())
        << "expects an update without calls, but it calls '" << call.getCallee()
        << "'";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct SeparateOptimizerPass
    : stablehlo::impl::SeparateOptimizerPassBase<SeparateOptimizerPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> updates;
    for (auto function : module.getOps<func::FuncOp>())
      if (isUpdate(cast<FunctionOpInterface>(*function)))
        updates.push_back(function);
    if (updates.empty())
      return;
    if (updates.size() > 1) {
      auto diag = emitError(updates[1].getLoc())
                  << "expects one function that takes gradients, but got "
                  << updates.size();
      diag.attachNote(updates[0].getLoc()) << "the other one is here";
      return signalPassFailure();
    }
    func::FuncOp update = updates.front();
    if (failed(checkBody(update)))
      return signalPassFailure();
    auto builder = OpBuilder::atBlockEnd(module.getBody());
    auto optimizer =
        ModuleOp::create(builder, update.getLoc(), kOptimizerSymbol);
    update->moveBefore(optimizer.getBody(), optimizer.getBody()->end());
  }
};
} // namespace
