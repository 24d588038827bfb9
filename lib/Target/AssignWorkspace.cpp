//===- AssignWorkspace.cpp - Memory that calls use while they run ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boost-assign-workspace.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
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
    getOperation().walk([&](rt::RuntimeCallOpInterface call) {
      if (int64_t bytes = planned.getWorkspaceBytes(call))
        call->setAttr(rt::kWorkspaceBytesAttr,
                      builder.getI64IntegerAttr(bytes));
    });
  }
};

} // namespace
