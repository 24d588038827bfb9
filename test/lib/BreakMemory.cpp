//===- BreakMemory.cpp - A broken pass: the arena is used wrongly ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulates a wrong plan of memory: a result that nothing has written, which is
// right where the memory happens to be, or an input that is lost after the
// function has used it.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
struct BreakMemoryPass : PassWrapper<BreakMemoryPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BreakMemoryPass)

  BreakMemoryPass() = default;
  BreakMemoryPass(const BreakMemoryPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-boost-break-memory"; }
  StringRef getDescription() const override {
    return "Broken on purpose: leave a result unwritten, or overwrite an input";
  }

  Option<std::string> function{*this, "function",
                               llvm::cl::desc("Name of the function"),
                               llvm::cl::init("gradient")};
  Option<bool> overwrite{
      *this, "overwrite",
      llvm::cl::desc("Copy the first tensor of the arena over the next of its "
                     "type at the end, instead of leaving out the last "
                     "operation")};

  /// Drops the last operation without results, which writes a result of the
  /// function.
  static bool dropLast(func::FuncOp function) {
    for (Operation &op : llvm::reverse(function.front().without_terminator())) {
      if (op.getNumResults() > 0 || op.getNumOperands() == 0)
        continue;
      op.erase();
      return true;
    }
    return false;
  }

  static bool overwriteInput(func::FuncOp function) {
    auto views = llvm::to_vector(function.getOps<memref::ViewOp>());
    for (memref::ViewOp other : llvm::drop_begin(views)) {
      if (other.getType() != views.front().getType())
        continue;
      OpBuilder builder(function.front().getTerminator());
      rt::CopyOp::create(builder, function.getLoc(), TypeRange(), views.front(),
                         other);
      return true;
    }
    return false;
  }

  void runOnOperation() override {
    auto found = getOperation().lookupSymbol<func::FuncOp>(function);
    if (found && (overwrite ? overwriteInput(found) : dropLast(found)))
      return;
    getOperation().emitError() << "expects a function @" << function
                               << " with memory to break; run "
                                  "boostrt-plan-memory first";
    signalPassFailure();
  }
};
} // namespace

void mlir::boost::test::registerBreakMemoryPass() {
  PassRegistration<BreakMemoryPass>();
}
