//===- InlineCalls.cpp - Inline private functions -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callees first, so that every body is cloned in its final form. Exports have
// no recursion and no control flow between blocks; both are refused.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_INLINECALLSPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;

/// Replaces one call by the body of its callee.
static void inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  for (Operation &op : body.without_terminator()) {
    Operation *clone = builder.clone(op, mapping);
    clone->walk([&](Operation *inner) {
      inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
    });
  }
  for (auto [result, value] :
       llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

/// Writes composites as the calls that they are.
static void replaceComposites(ModuleOp module) {
  module.walk([](stablehlo::CompositeOp op) {
    OpBuilder builder(op);
    auto call =
        func::CallOp::create(builder, op.getLoc(), op.getDecompositionAttr(),
                             op.getResultTypes(), op.getInputs());
    op.replaceAllUsesWith(call.getResults());
    op.erase();
  });
}

namespace {

/// Where a function stands in the walk over the call graph.
enum class Progress { Untouched, Active, Done };

struct InlineCallsPass : stablehlo::impl::InlineCallsPassBase<InlineCallsPass> {
  void runOnOperation() override {
    progress.clear();
    replaceComposites(getOperation());
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(inlineInto(function, symbols)))
        return signalPassFailure();
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (function.isPrivate())
        function.erase();
  }

  LogicalResult inlineInto(func::FuncOp function, SymbolTable &symbols) {
    progress[function] = Progress::Active;
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || !callee.getBody().hasOneBlock())
        return call.emitError() << "expects '" << call.getCallee()
                                << "' to be a function of one block";
      // The parser has checked calls, but not composites.
      FunctionType type = callee.getFunctionType();
      if (call.getOperandTypes() != type.getInputs() ||
          call.getResultTypes() != type.getResults())
        return call.emitError()
               << "expects '" << call.getCallee() << "' to be of type "
               << call.getCalleeType() << ", but got " << type;
      if (progress[callee] == Progress::Active)
        return call.emitError()
               << "'" << call.getCallee()
               << "' calls itself, which cannot be compiled; write the loop "
                  "as lax.scan";
      if (progress[callee] == Progress::Untouched &&
          failed(inlineInto(callee, symbols)))
        return failure();
      inlineCall(call, callee);
    }
    progress[function] = Progress::Done;
    return success();
  }

  DenseMap<Operation *, Progress> progress;
};

} // namespace
