//===- AssignWorkspace.cpp - Memory that calls use while they run ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boost-assign-workspace.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/Factorize.h"
#include "boost-mlir/Target/Passes.h"
#include "boost-mlir/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::boost {
#define GEN_PASS_DEF_ASSIGNWORKSPACEPASS
#include "boost-mlir/Target/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {

struct AssignWorkspacePass
    : boost::impl::AssignWorkspacePassBase<AssignWorkspacePass> {
  using AssignWorkspacePassBase::AssignWorkspacePassBase;

  void runOnOperation() override {
    const Target &planned = getTarget(target);
    Builder builder(&getContext());
    if (failed(checkCalls(planned)))
      return signalPassFailure();
    getOperation().walk([&](rt::RuntimeCallOpInterface call) {
      if (int64_t bytes = planned.getWorkspaceBytes(call))
        call->setAttr(rt::kWorkspaceBytesAttr,
                      builder.getI64IntegerAttr(bytes));
    });
  }

  /// Refuses the calls that the runtime of the target has no function for.
  LogicalResult checkCalls(const Target &planned) {
    if (planned.getKind() != TargetKind::CUDA)
      return success();
    WalkResult result = getOperation().walk([](rt::FactorizeOp call) {
      auto diag = emitError(call.getLoc())
                  << "factorization '" << stringifyFactorization(call.getKind())
                  << "' is not supported on GPUs";
      diag.attachNote() << "compile the program with --target=cpu, or leave "
                           "out the factorization";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace
