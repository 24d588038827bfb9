//===- VerifyRuntime.cpp - The legal form of the runtime level ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boost-verify-runtime. Reports every operation that has no business
// at the runtime level, not only the first.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_VERIFYRUNTIMEPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;

/// The pass that should have removed the operation, or nothing if it is legal.
static StringRef findResponsiblePass(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "stablehlo" || dialect == "chlo")
    return "convert-stablehlo-to-linalg";
  if (dialect == "boost" || (dialect == "shard" && !isa<shard::GridOp>(op)))
    return "convert-boost-to-runtime";
  auto isTensor = llvm::IsaPred<TensorType>;
  bool onTensors = llvm::any_of(op->getOperandTypes(), isTensor) ||
                   llvm::any_of(op->getResultTypes(), isTensor);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      onTensors |= llvm::any_of(block.getArgumentTypes(), isTensor);
  return onTensors ? "boostrt-bufferize" : "";
}

namespace {

struct VerifyRuntimePass
    : boost::rt::impl::VerifyRuntimePassBase<VerifyRuntimePass> {
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      StringRef pass = findResponsiblePass(op);
      if (pass.empty())
        return;
      op->emitOpError("has no business at the runtime level; ")
          << pass << " should have removed it";
      signalPassFailure();
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
