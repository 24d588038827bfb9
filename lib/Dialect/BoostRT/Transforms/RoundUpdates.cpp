//===- RoundUpdates.cpp - Rounded parameters beside their masters ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-round-updates, on tensors. An update of several tensors
// writes what is rounded of all of them, or of none.
//
//===----------------------------------------------------------------------===//

#include "KernelFusion.h"

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_ROUNDUPDATESPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost::rt;

/// Returns true if a kernel rounds its input to bf16 or f16, and does nothing
/// else.
static bool isRounding(linalg::GenericOp op) {
  if (!isElementwise(op) || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return false;
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  auto rounded = yield.getOperand(0).getDefiningOp<arith::TruncFOp>();
  return rounded && rounded.getIn() == op.getBody()->getArgument(0) &&
         (rounded.getType().isBF16() || rounded.getType().isF16());
}

/// The kernel of the block that rounds a value, or null.
static linalg::GenericOp findRounding(Value value, Block *block) {
  for (Operation *user : value.getUsers()) {
    auto kernel = dyn_cast<linalg::GenericOp>(user);
    if (kernel && kernel->getBlock() == block && isRounding(kernel))
      return kernel;
  }
  return {};
}

/// The kernels that round the new parameters, all to one type; none if some is
/// missing.
static SmallVector<linalg::GenericOp> findRoundings(AdamWOp update) {
  SmallVector<linalg::GenericOp> kernels;
  if (update.writesRounded() ||
      !getElementTypeOrSelf(update.getParam(0)).isF32())
    return {};
  for (size_t tensor = 0; tensor < update.getGrads().size(); ++tensor) {
    linalg::GenericOp kernel =
        findRounding(update->getResult(3 * tensor), update->getBlock());
    if (!kernel || (!kernels.empty() &&
                    getElementTypeOrSelf(kernel->getResult(0)) !=
                        getElementTypeOrSelf(kernels[0]->getResult(0))))
      return {};
    kernels.push_back(kernel);
  }
  return kernels;
}

static void round(AdamWOp update, ArrayRef<linalg::GenericOp> kernels) {
  OpBuilder builder(update);
  SmallVector<Value> outs;
  for (auto [tensor, kernel] : llvm::enumerate(kernels)) {
    auto type = cast<RankedTensorType>(
        linalg::GenericOp(kernel)->getResult(0).getType());
    llvm::append_range(outs, update.getOuts().slice(3 * tensor, 3));
    outs.push_back(tensor::EmptyOp::create(
        builder, update.getLoc(), type.getShape(), type.getElementType()));
  }
  auto rounding = AdamWOp::create(
      builder, update.getLoc(), ValueRange(outs).getTypes(), update.getGrads(),
      update.getNumbers(), outs, update.getDecaysAttr());
  rounding->setDiscardableAttrs(update->getDiscardableAttrDictionary());
  for (auto [tensor, kernel] : llvm::enumerate(kernels)) {
    ResultRange results = rounding->getResults().slice(4 * tensor, 4);
    for (size_t i = 0; i < 3; ++i)
      update->getResult(3 * tensor + i).replaceAllUsesWith(results[i]);
    linalg::GenericOp op = kernel;
    op->getResult(0).replaceAllUsesWith(results[3]);
    op.erase();
  }
  update.erase();
}

namespace {

struct RoundUpdatesPass
    : boost::rt::impl::RoundUpdatesPassBase<RoundUpdatesPass> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      for (auto update : llvm::make_early_inc_range(block.getOps<AdamWOp>()))
        if (SmallVector<linalg::GenericOp> kernels = findRoundings(update);
            !kernels.empty())
          round(update, kernels);
  }
};

} // namespace
