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

using Meetings = SmallVector<int64_t>;

/// Appends the meetings of the collectives along the pipeline in a function.
static LogicalResult appendMeetings(func::FuncOp function, int16_t axis,
                                    Meetings &meetings) {
  WalkResult result = function.walk([&](CollectiveOpInterface collective) {
    if (!(collective.getGroupAxes() >> axis & 1))
      return WalkResult::advance();
    auto sum = dyn_cast<rt::AllReduceOp>(collective.getOperation());
    if (!sum || !sum.getMeeting()) {
      collective->emitOpError("expects a meeting, because the ranks of its "
                              "group run functions of different stages");
      return WalkResult::interrupt();
    }
    meetings.push_back(*sum.getMeeting());
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Checks that the functions of all pipeline stages meet in the same
/// collectives, in the same order: for one that a stage lacks, the others would
/// wait forever.
static LogicalResult checkMeetings(ModuleOp module) {
  FailureOr<Mesh> mesh = Mesh::getOrOneRank(module);
  if (failed(mesh))
    return failure();
  std::optional<int16_t> axis = mesh->findAxis(kPipelineAxis);
  if (!axis)
    return success();
  std::map<int64_t, Meetings> ofStage;
  for (auto function : module.getOps<func::FuncOp>())
    if (std::optional<int64_t> stage = getStage(function))
      if (failed(appendMeetings(function, *axis, ofStage[*stage])))
        return failure();
  for (const auto &[stage, meetings] : ofStage) {
    const auto &[firstStage, first] = *ofStage.begin();
    if (meetings != first)
      return module.emitError("expects all pipeline stages to have the same "
                              "meetings, but stage ")
             << firstStage << " has [" << first << "], and stage " << stage
             << " has [" << meetings << "]";
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
