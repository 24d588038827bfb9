//===- DropAllReduce.cpp - A broken pass: a sum over ranks is missing -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulates a partial sum that is taken for the whole.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
struct DropAllReducePass
    : PassWrapper<DropAllReducePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropAllReducePass)

  DropAllReducePass() = default;
  DropAllReducePass(const DropAllReducePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override {
    return "test-boost-drop-all-reduce";
  }
  StringRef getDescription() const override {
    return "Broken on purpose: drop one sum over ranks of every function";
  }

  Option<unsigned> index{*this, "index",
                         llvm::cl::desc("Which sum, from 0, in program order"),
                         llvm::cl::init(0)};

  /// Drops the sum of that index. Returns false if the function has none.
  bool dropSum(func::FuncOp function) {
    unsigned next = 0;
    for (auto reduce : function.getOps<AllReduceOp>()) {
      if (reduce.getReduction() != Reduction::Sum || next++ != index)
        continue;
      reduce.replaceAllUsesWith(reduce.getInputs());
      reduce.erase();
      return true;
    }
    return false;
  }

  void runOnOperation() override {
    bool dropped = false;
    for (auto function : getOperation().getOps<func::FuncOp>())
      dropped |= dropSum(function);
    if (!dropped) {
      getOperation().emitError()
          << "expects a function with more than " << index.getValue()
          << " sums over ranks to drop one of; run boost-partition first";
      signalPassFailure();
    }
  }
};
} // namespace

void mlir::boost::test::registerDropAllReducePass() {
  PassRegistration<DropAllReducePass>();
}
