//===- NumberCollectives.cpp - Sites of the collectives -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-number-collectives.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_NUMBERCOLLECTIVESPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

namespace {

struct NumberCollectivesPass
    : boost::rt::impl::NumberCollectivesPassBase<NumberCollectivesPass> {
  void runOnOperation() override {
    int32_t next = 0;
    // Those of the spmd level have no site.
    getOperation().walk([&](CollectiveOpInterface collective) {
      if (isa<RuntimeCallOpInterface>(collective.getOperation()))
        collective.setSite(next++);
    });
    getOperation()->setAttr(kSitesAttr,
                            Builder(&getContext()).getI64IntegerAttr(next));
  }
};

} // namespace
