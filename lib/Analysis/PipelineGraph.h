//===- PipelineGraph.h - What actions of a pipeline wait for ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The actions of all stages and the transfers between them as a graph, which
// the verifier, the simulator and the list of all stages share.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_ANALYSIS_PIPELINEGRAPH_H
#define BOOST_MLIR_LIB_ANALYSIS_PIPELINEGRAPH_H

#include "boost-mlir/Analysis/PipelineSchedule.h"
#include "mlir/Support/LLVM.h"

#include <queue>

namespace mlir::boost {

/// The events that transfers wait for besides their values.
struct PipelineWaits {
  /// The action of the receiver before the one that needs the value.
  bool forReceiver;
  /// The actions and transfers that empty the slot that they fill.
  bool forSlots;
  /// Lets the sender's next action wait for the transfer of what it has just
  /// computed. Not all lists allow that.
  bool forSender = false;
};

/// Numbers actions and transfers, and says which wait for which. Lists must
/// have all actions.
class PipelineGraph {
public:
  PipelineGraph(const PipelineLists &lists, PipelineWaits waits);

  int64_t getNumNodes() const { return waiting.size(); }
  /// Returns the number of actions, which come first, stage by stage.
  int64_t getNumActions() const { return actions.size(); }
  bool isTransfer(int64_t node) const { return node >= getNumActions(); }
  const PipelineAction &getAction(int64_t node) const { return actions[node]; }
  const PipelineTransfer &getTransfer(int64_t node) const {
    return transfers[node - getNumActions()].transfer;
  }
  /// The actions that give and need the value of a transfer.
  int64_t getProducer(int64_t node) const {
    return transfers[node - getNumActions()].producer;
  }
  int64_t getConsumer(int64_t node) const {
    return transfers[node - getNumActions()].consumer;
  }

  /// Visits nodes, each after those that it waits for, the one with the lowest
  /// key first. `getKey` is asked once nothing is left to wait for. Returns
  /// false if some wait forever.
  template <typename Key>
  bool visit(function_ref<Key(int64_t)> getKey,
             function_ref<void(int64_t)> handle) const {
    SmallVector<int64_t> left(waiting);
    using Entry = std::pair<Key, int64_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    for (int64_t node = 0; node < getNumNodes(); ++node)
      if (left[node] == 0)
        ready.emplace(getKey(node), node);
    int64_t visited = 0;
    for (; !ready.empty(); ++visited) {
      int64_t node = ready.top().second;
      ready.pop();
      handle(node);
      for (int64_t next : followers[node])
        if (--left[next] == 0)
          ready.emplace(getKey(next), next);
    }
    return visited == getNumNodes();
  }

  ArrayRef<int64_t> getFollowers(int64_t node) const { return followers[node]; }

  /// Executes the graph. Returns the times of all nodes, and sets `order` to
  /// the order in which they begin.
  SmallVector<PipelineSpan> simulate(const PipelineCosts &costs,
                                     SmallVector<int64_t> &order) const;

  /// Returns all nodes in the order of time. Actions have the given ones.
  /// Transfers are due when their receivers come to them, and go first, so that
  /// stages send before they go on and free slots before they fill them.
  /// Returns fewer if some wait forever.
  SmallVector<int64_t> sort(ArrayRef<PipelineSpan> actions) const;

private:
  struct Transfer {
    PipelineTransfer transfer;
    int64_t producer, consumer;
    /// The action of the receiver before the one that needs the value, or -1.
    int64_t receiversLast;
  };

  void findActions();
  void addTransfers(PipelineWaits waits);
  void addSlots();
  void addEdge(int64_t before, int64_t after);
  int64_t &at(PipelineWork work, int64_t chunk, int64_t microBatch);

  const PipelineLists &lists;
  SmallVector<PipelineAction> actions;
  /// The first node of each stage.
  SmallVector<int64_t> firstAction;
  /// The actions by work, chunk and micro-batch.
  SmallVector<int64_t> index;
  SmallVector<Transfer> transfers;
  /// The transfers that bring the input of an action or take its output, or -1.
  SmallVector<int64_t> incoming, outgoing;
  SmallVector<SmallVector<int64_t, 4>> followers;
  /// The number of nodes that each waits for.
  SmallVector<int64_t> waiting;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_ANALYSIS_PIPELINEGRAPH_H
