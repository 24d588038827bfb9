//===- Rematerialization.cpp - Marks of recomputed values -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::boost;

/// The name of the attribute, which also marks locations.
static StringAttr getMark(MLIRContext *context) {
  return StringAttr::get(context, kRecomputedAttr);
}

RecomputedScope::RecomputedScope(Operation *root) : root(root) {
  MLIRContext *context = root->getContext();
  StringAttr mark = getMark(context);
  root->walk([&](Operation *op) {
    if (op->removeAttr(mark))
      op->setLoc(FusedLoc::get(context, {op->getLoc()}, mark));
  });
}

RecomputedScope::~RecomputedScope() {
  MLIRContext *context = root->getContext();
  StringAttr mark = getMark(context);
  root->walk([&](Operation *op) {
    auto fused = dyn_cast<FusedLoc>(op->getLoc());
    if (!fused || fused.getMetadata() != mark)
      return;
    op->setLoc(FusedLoc::get(context, fused.getLocations()));
    // Bodies of operations belong to these.
    if (isa_and_nonnull<FunctionOpInterface>(op->getParentOp()))
      op->setAttr(mark, UnitAttr::get(context));
  });
}
