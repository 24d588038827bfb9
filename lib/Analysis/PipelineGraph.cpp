//===- PipelineGraph.cpp - What actions of a pipeline wait for ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An action waits for the one before it on its stage and for its input, and a
// transfer for its value and its slot.
//
//===----------------------------------------------------------------------===//

#include "PipelineGraph.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::boost;

PipelineGraph::PipelineGraph(const PipelineLists &lists, PipelineWaits waits)
    : lists(lists) {
  findActions();
  for (auto [first, stage] : llvm::zip_equal(firstAction, lists.stages))
    for (int64_t i = 1, end = stage.size(); i < end; ++i)
      addEdge(first + i - 1, first + i);
  addTransfers(waits);
  if (waits.forSlots)
    addSlots();
}

int64_t &PipelineGraph::at(PipelineWork work, int64_t chunk,
                           int64_t microBatch) {
  int64_t row = static_cast<int64_t>(work) * lists.shape.getNumChunks() + chunk;
  return index[row * lists.shape.microBatches + microBatch];
}

void PipelineGraph::addEdge(int64_t before, int64_t after) {
  followers[before].push_back(after);
  ++waiting[after];
}

void PipelineGraph::findActions() {
  const PipelineShape &shape = lists.shape;
  index.assign(kNumPipelineWorks * shape.getNumChunks() * shape.microBatches,
               -1);
  for (ArrayRef<PipelineAction> stage : lists.stages) {
    firstAction.push_back(actions.size());
    for (const PipelineAction &action : stage) {
      at(action.work, action.chunk, action.microBatch) = actions.size();
      actions.push_back(action);
    }
  }
  waiting.assign(actions.size(), 0);
  followers.resize(actions.size());
  incoming.assign(actions.size(), -1);
  outgoing.assign(actions.size(), -1);
}

void PipelineGraph::addTransfers(PipelineWaits waits) {
  const PipelineShape &shape = lists.shape;
  for (auto [producer, action] : llvm::enumerate(actions)) {
    bool isForward = action.work == PipelineWork::Forward;
    int64_t other = action.chunk + (isForward ? 1 : -1);
    if (action.work == PipelineWork::Weights || other < 0 ||
        other == shape.getNumChunks())
      continue;
    int64_t consumer = at(action.work, other, action.microBatch);
    int64_t from = shape.getStage(action.chunk), to = shape.getStage(other);
    int64_t receiversLast = consumer == firstAction[to] ? -1 : consumer - 1;
    int64_t node = getNumNodes();
    transfers.push_back({{action.work, action.chunk, action.microBatch, from,
                          action.slot, to, actions[consumer].slot},
                         static_cast<int64_t>(producer),
                         consumer,
                         receiversLast});
    waiting.push_back(0);
    followers.emplace_back();
    addEdge(producer, node);
    addEdge(node, consumer);
    outgoing[producer] = incoming[consumer] = node;
    if (waits.forReceiver && receiversLast >= 0)
      addEdge(receiversLast, node);
    auto next = static_cast<int64_t>(producer) + 1;
    bool isLast =
        next == getNumActions() || llvm::is_contained(firstAction, next);
    if (waits.forSender && !isLast && next != consumer)
      addEdge(node, next);
  }
}

/// Makes what fills a slot wait until everything has read it: the actions on
/// the chunk and micro-batch that had it before, and the transfers from it.
void PipelineGraph::addSlots() {
  // The last actions that used each slot of each stage.
  DenseMap<std::pair<int64_t, int64_t>, SmallVector<int64_t>> users;
  for (auto [node, action] : llvm::enumerate(actions)) {
    int64_t stage = lists.shape.getStage(action.chunk);
    SmallVector<int64_t> &before = users[{stage, action.slot}];
    if (action.work == PipelineWork::Forward) {
      bool isReceived = incoming[node] >= 0;
      int64_t filling = isReceived ? incoming[node] : node;
      for (int64_t user : before) {
        if (isReceived)
          addEdge(user, filling);
        if (outgoing[user] >= 0)
          addEdge(outgoing[user], filling);
      }
      before.clear();
    }
    before.push_back(node);
  }
}

SmallVector<PipelineSpan>
PipelineGraph::simulate(const PipelineCosts &costs,
                        SmallVector<int64_t> &order) const {
  SmallVector<PipelineSpan> spans(getNumNodes());
  SmallVector<double> ready(getNumNodes(), 0);
  DenseMap<std::pair<int64_t, int64_t>, double> links;
  auto execute = [&](int64_t node) {
    double begin = ready[node], seconds = 0;
    if (isTransfer(node)) {
      const PipelineTransfer &transfer = getTransfer(node);
      bool isForward = transfer.work == PipelineWork::Forward;
      seconds = costs.boundaries[transfer.chunk - (isForward ? 0 : 1)];
      double &link = links[{transfer.from, transfer.to}];
      begin = std::max(begin, link);
      link = begin + seconds;
    } else {
      const PipelineAction &action = actions[node];
      seconds = costs.chunks[action.chunk][static_cast<size_t>(action.work)];
    }
    spans[node] = {begin, begin + seconds};
    order.push_back(node);
    for (int64_t next : followers[node])
      ready[next] = std::max(ready[next], begin + seconds);
  };
  visit<double>([&](int64_t node) { return ready[node]; }, execute);
  return spans;
}

SmallVector<int64_t>
PipelineGraph::sort(ArrayRef<PipelineSpan> actionSpans) const {
  using Key = std::tuple<double, bool, bool, int64_t>;
  auto getKey = [&](int64_t node) -> Key {
    if (!isTransfer(node))
      return {actionSpans[node].begin, true, false, 0};
    const Transfer &transfer = transfers[node - getNumActions()];
    double due = actionSpans[transfer.producer].end;
    if (transfer.receiversLast >= 0)
      due = std::max(due, actionSpans[transfer.receiversLast].end);
    // Gradients free slots that activations fill, and later chunks free those
    // that earlier ones fill.
    return {due, false, transfer.transfer.work == PipelineWork::Forward,
            -transfer.transfer.chunk};
  };
  SmallVector<int64_t> order;
  visit<Key>(getKey, [&](int64_t node) { order.push_back(node); });
  return order;
}
