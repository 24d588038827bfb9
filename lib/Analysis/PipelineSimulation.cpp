//===- PipelineSimulation.cpp - Stages of a pipeline over time ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes the lists of a pipeline with given costs, and brings the actions of
// all stages and their transfers into one order.
//
//===----------------------------------------------------------------------===//

#include "PipelineGraph.h"

#include "boost-mlir/Analysis/PipelineSchedule.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::boost;

/// Returns the most slots of each stage that are in use at once.
static SmallVector<int64_t> countHeld(const PipelineLists &lists) {
  return llvm::map_to_vector(lists.stages,
                             [&](ArrayRef<PipelineAction> actions) {
                               int64_t held = 0, most = 0;
                               for (const PipelineAction &action : actions) {
                                 held += action.work == PipelineWork::Forward;
                                 most = std::max(most, held);
                                 held -= action.work == lists.last;
                               }
                               return most;
                             });
}

PipelineTimeline mlir::boost::simulate(const PipelineLists &lists,
                                       const PipelineCosts &costs) {
  PipelineGraph graph(lists, {/*forReceiver=*/false, /*forSlots=*/true});
  SmallVector<int64_t> order;
  SmallVector<PipelineSpan> spans = graph.simulate(costs, order);
  PipelineTimeline timeline;
  for (int64_t node : order)
    if (graph.isTransfer(node))
      timeline.transfers.emplace_back(graph.getTransfer(node), spans[node]);
  timeline.held = countHeld(lists);
  ArrayRef<PipelineSpan> rest(spans);
  for (const auto &actions : lists.stages) {
    timeline.actions.emplace_back(rest.take_front(actions.size()));
    rest = rest.drop_front(actions.size());
    timeline.makespan =
        std::max(timeline.makespan, timeline.actions.back().back().end);
  }
  for (ArrayRef<PipelineSpan> actions : timeline.actions) {
    timeline.idle.push_back(timeline.makespan);
    for (const PipelineSpan &span : actions)
      timeline.idle.back() -= span.end - span.begin;
  }
  return timeline;
}

SmallVector<PipelineStep>
mlir::boost::linearize(const PipelineLists &lists,
                       const PipelineTimeline &timeline) {
  SmallVector<PipelineSpan> spans;
  for (ArrayRef<PipelineSpan> actions : timeline.actions)
    llvm::append_range(spans, actions);
  // A rank sends when it comes to a transfer, so that is best done at once.
  for (bool atOnce : {true, false}) {
    PipelineGraph graph(lists, {/*forReceiver=*/true, /*forSlots=*/true,
                                /*forSender=*/atOnce});
    SmallVector<int64_t> order = graph.sort(spans);
    if (static_cast<int64_t>(order.size()) < graph.getNumNodes())
      continue;
    return llvm::map_to_vector(order, [&](int64_t node) {
      return graph.isTransfer(node) ? PipelineStep(graph.getTransfer(node))
                                    : PipelineStep(graph.getAction(node));
    });
  }
  llvm_unreachable("the verifier refuses such lists");
}
