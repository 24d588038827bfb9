//===- StageWeights.cpp - Gradients that are not urgent -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides backward passes into the gradients of inputs, for which another stage
// waits, and those of weights, such that the least bytes are kept in between.
// Values that were recomputed for both are computed once more instead.
//
//===----------------------------------------------------------------------===//

#include "StageCalls.h"

#include "boost-mlir/Analysis/MinCut.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
class WeightSeparator {
public:
  WeightSeparator(func::FuncOp function, const StageCalls &calls, int64_t chunk,
                  DenseMap<Operation *, int64_t> &assigned)
      : function(function), call(calls.getCall(chunk, PipelineWork::Backward)),
        weights(calls.getCall(chunk, PipelineWork::Weights)),
        isFirst(chunk == 0), assigned(assigned) {}

  void run();

private:
  bool isInCall(Operation *op) const;
  bool isWaitedFor(Operation *user) const;
  DenseSet<Operation *> findInputGradients();
  void copyRecomputed(const DenseSet<Operation *> &needed);
  void mergeCopies();
  void erase(Operation *op);
  int64_t getBytesToKeep(Value value) const;
  SmallVector<Operation *> findDeferred(const DenseSet<Operation *> &needed);

  func::FuncOp function;
  /// The backward pass of the chunk, and the call for the rest of it.
  int64_t call, weights;
  bool isFirst;
  DenseMap<Operation *, int64_t> &assigned;
  /// Copies of recomputed operations for the gradients of weights, and the
  /// operations that they are copies of.
  SmallVector<std::pair<Operation *, Operation *>> copies;
};
} // namespace

static StringRef getComponent(Operation *op) {
  auto component = op->getAttrOfType<StringAttr>(kComponentAttr);
  return component ? component.getValue() : StringRef();
}

bool WeightSeparator::isInCall(Operation *op) const {
  auto known = assigned.find(op);
  return known != assigned.end() && known->second == call;
}

/// Returns true if what a user reads is a gradient of the chunk's input:
/// another chunk reads it, or a parameter before the first layer has its
/// gradient from it.
bool WeightSeparator::isWaitedFor(Operation *user) const {
  if (!isFirst)
    return assigned.contains(user) && !isInCall(user);
  return isInCall(user) && !getLayer(user) &&
         getComponent(user) != kGradientsComponent;
}

/// Returns the operations that the gradients of inputs depend on.
DenseSet<Operation *> WeightSeparator::findInputGradients() {
  DenseSet<Operation *> needed;
  for (Operation &op : llvm::reverse(function.front())) {
    if (!isInCall(&op) || (isFirst && !getLayer(&op)))
      continue;
    if (llvm::any_of(op.getUsers(), [&](Operation *user) {
          return needed.contains(user) || isWaitedFor(user);
        }))
      needed.insert(&op);
  }
  if (!needed.empty())
    return needed;
  // Nothing waits: all but the sums may as well be computed at once.
  for (auto [op, own] : assigned)
    if (own == call && getComponent(op) != kGradientsComponent)
      needed.insert(op);
  return needed;
}

/// Returns true if an operation belongs to a recomputation that communicates
/// nothing.
static bool isLocalRecomputation(Operation *op) {
  return isa<boost::stablehlo::OptimizationBarrierOp>(op) ||
         (op->hasAttr(kRecomputedAttr) && !isa<CollectiveOpInterface>(op));
}

/// Copies what is recomputed for the gradients of inputs, for those readers
/// that these do not depend on. Such values need not be kept for them: the
/// minimum cut may let copies wait, which read what the forward pass kept.
void WeightSeparator::copyRecomputed(const DenseSet<Operation *> &needed) {
  IRMapping mapping;
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    if (!needed.contains(&op) || !isLocalRecomputation(&op))
      continue;
    OpBuilder builder(&op);
    builder.setInsertionPointAfter(&op);
    Operation *copy = builder.clone(op, mapping);
    assigned[copy] = call;
    copies.emplace_back(copy, &op);
    op.replaceUsesWithIf(copy, [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return user != copy && isInCall(user) && !needed.contains(user);
    });
  }
  for (auto &[copy, original] : llvm::reverse(copies))
    if (copy->use_empty()) {
      erase(copy);
      copy = nullptr;
    }
  llvm::erase_if(copies, [](auto &pair) { return !pair.first; });
}

void WeightSeparator::erase(Operation *op) {
  assigned.erase(op);
  op->erase();
}

/// Erases the copies that do not wait.
void WeightSeparator::mergeCopies() {
  for (auto [copy, original] : copies) {
    if (!isInCall(copy))
      continue;
    copy->replaceAllUsesWith(original);
    erase(copy);
  }
}

/// Returns true if the gradients of inputs shall not wait for an operation that
/// they do not depend on: a product, or the sum of a gradient over
/// micro-batches.
static bool mayWait(Operation *op) {
  return isa<LinearOp, boost::stablehlo::DotGeneralOp>(op) ||
         getComponent(op) == kGradientsComponent;
}

/// Returns the bytes that a value takes if it is kept for the gradients of
/// weights. What other calls read is kept for them.
int64_t WeightSeparator::getBytesToKeep(Value value) const {
  bool isKept = llvm::any_of(value.getUsers(), [&](Operation *user) {
    return assigned.contains(user) && !isInCall(user);
  });
  return isKept ? 0 : getDenseBytes(getTensorType(value));
}

/// Returns the operations of the call that come after it. What else is not
/// needed, such as a sum over tokens, is where less is kept: this is a minimum
/// cut, whose source are the operations that may wait, and whose sink are those
/// that are needed. Of several, the one that lets most wait.
SmallVector<Operation *>
WeightSeparator::findDeferred(const DenseSet<Operation *> &needed) {
  using Node = FlowNetwork::Node;
  constexpr Node source = 0, sink = 1;
  FlowNetwork network(2);
  llvm::MapVector<Operation *, Node> nodes;
  for (Operation &op : function.front())
    if (isInCall(&op))
      nodes[&op] = network.addNode();
  for (auto [op, node] : nodes) {
    if (needed.contains(op))
      network.addEdge(node, sink, FlowNetwork::kUncuttable);
    else if (mayWait(op))
      network.addEdge(source, node, FlowNetwork::kUncuttable);
    for (Value result : op->getResults()) {
      Node value = network.addNode();
      network.addEdge(value, node, getBytesToKeep(result));
      for (Operation *user : result.getUsers()) {
        auto reader = nodes.find(user);
        if (reader == nodes.end())
          continue;
        // Kept if the reader waits; what waits is read by what waits.
        network.addEdge(reader->second, value, FlowNetwork::kUncuttable);
        network.addEdge(node, reader->second, FlowNetwork::kUncuttable);
      }
    }
  }
  network.maximizeFlow(source, sink);
  std::vector<bool> isOnSinkSide = network.findSinkSide(sink);
  SmallVector<Operation *> deferred;
  for (auto [op, node] : nodes)
    if (!isOnSinkSide[node])
      deferred.push_back(op);
  return deferred;
}

void WeightSeparator::run() {
  DenseSet<Operation *> needed = findInputGradients();
  copyRecomputed(needed);
  for (Operation *op : findDeferred(needed))
    assigned[op] = weights;
  mergeCopies();
}

void mlir::boost::separateWeights(func::FuncOp function,
                                  const StageCalls &calls,
                                  DenseMap<Operation *, int64_t> &assigned) {
  for (int64_t chunk : llvm::seq(calls.getNumChunks()))
    WeightSeparator(function, calls, chunk, assigned).run();
}
