//===- Canonicalize.cpp - boost-canonicalize ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::boost {
#define GEN_PASS_DEF_CANONICALIZEPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {

/// Gives operations the component of the pattern's root, too. Other attributes
/// of the root, such as its shardings, need not fit their types.
class PlaceListener : public LayerPatternListener {
public:
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    LayerPatternListener::notifyOperationInserted(op, previous);
    bool isInBody = isa_and_present<FunctionOpInterface>(op->getParentOp());
    if (!getRoot() || !isInBody || op->hasTrait<OpTrait::ConstantLike>() ||
        op->hasAttr(kComponentAttr))
      return;
    if (Attribute component = getRoot()->getAttr(kComponentAttr))
      op->setAttr(kComponentAttr, component);
  }
};

class CanonicalizePass
    : public boost::impl::CanonicalizePassBase<CanonicalizePass> {
public:
  using CanonicalizePassBase::CanonicalizePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet owned(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(owned);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(owned, context);
    patterns = std::make_shared<FrozenRewritePatternSet>(std::move(owned));
    return success();
  }

  void runOnOperation() override {
    PlaceListener places;
    GreedyRewriteConfig config;
    config.setListener(&places);
    // Where the patterns do not converge, the result so far is kept.
    (void)applyPatternsGreedily(getOperation(), *patterns, config);
  }

private:
  std::shared_ptr<const FrozenRewritePatternSet> patterns;
};

} // namespace
