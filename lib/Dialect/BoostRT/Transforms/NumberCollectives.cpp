//===- NumberCollectives.cpp - Sites of the collectives -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-number-collectives.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include <map>

namespace mlir::boost::rt {
#define GEN_PASS_DEF_NUMBERCOLLECTIVESPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

/// Checks that the functions of all pipeline stages have equally many
/// collectives along the pipeline, in which ranks of different stages meet:
/// those of a stage that had fewer would be waited for.
static LogicalResult checkMeetings(ModuleOp module) {
  FailureOr<Mesh> mesh = Mesh::getOrOneRank(module);
  if (failed(mesh))
    return failure();
  std::optional<int16_t> axis = mesh->findAxis(kPipelineAxis);
  if (!axis)
    return success();
  std::map<int64_t, int64_t> counts;
  for (auto function : module.getOps<func::FuncOp>())
    if (std::optional<int64_t> stage = getStage(function)) {
      int64_t &count = counts[*stage];
      function.walk([&](CollectiveOpInterface collective) {
        count += collective.getGroupAxes() >> *axis & 1;
      });
    }
  for (auto [stage, count] : counts)
    if (count != counts.begin()->second) {
      InFlightDiagnostic diag = module.emitError(
          "expects all pipeline stages to meet equally often, but stage ");
      diag << counts.begin()->first << " has " << counts.begin()->second
           << " collectives along '" << kPipelineAxis << "', and stage "
           << stage << " has " << count;
      diag.attachNote() << "its update shares numbers between stages, which is "
                           "not supported for this optimizer; use a mesh "
                           "without '"
                        << kPipelineAxis << "'";
      return diag;
    }
  return success();
}

namespace {

struct NumberCollectivesPass
    : boost::rt::impl::NumberCollectivesPassBase<NumberCollectivesPass> {
  void runOnOperation() override {
    if (failed(checkMeetings(getOperation())))
      return signalPassFailure();
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
