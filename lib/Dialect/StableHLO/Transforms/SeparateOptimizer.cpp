//===- SeparateOptimizer.cpp - Keep an update apart from the loss ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything up to the gradient works on the loss alone.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Optimizers.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_SEPARATEOPTIMIZERPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;

/// Returns the functions that `update` calls, and those that these call.
static SmallVector<func::FuncOp> findCallees(func::FuncOp update,
                                             SymbolTable &symbols) {
  llvm::SetVector<func::FuncOp> callees;
  auto addCalleesOf = [&](func::FuncOp function) {
    function.walk([&](Operation *op) {
      FlatSymbolRefAttr name;
      if (auto call = dyn_cast<func::CallOp>(op))
        name = call.getCalleeAttr();
      else if (auto composite = dyn_cast<stablehlo::CompositeOp>(op))
        name = composite.getDecompositionAttr();
      auto callee =
          name ? symbols.lookup<func::FuncOp>(name.getAttr()) : func::FuncOp();
      if (callee && callee != update)
        callees.insert(callee);
    });
  };
  addCalleesOf(update);
  for (size_t i = 0; i < callees.size(); ++i)
    addCalleesOf(callees[i]);
  return callees.takeVector();
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
    if (update.isExternal() || !update.getBody().hasOneBlock()) {
      emitError(update.getLoc())
          << "expects an update of one block, but '" << update.getName()
          << "' has " << update.getBody().getBlocks().size();
      return signalPassFailure();
    }
    SymbolTable symbols(module);
    SmallVector<func::FuncOp> callees = findCallees(update, symbols);
    auto builder = OpBuilder::atBlockEnd(module.getBody());
    auto optimizer =
        ModuleOp::create(builder, update.getLoc(), kOptimizerSymbol);
    update->moveBefore(optimizer.getBody(), optimizer.getBody()->end());
    // The loss may call them too.
    for (func::FuncOp callee : callees) {
      func::FuncOp copy = callee.clone();
      copy.setPrivate();
      optimizer.push_back(copy);
    }
  }
};
} // namespace
