//===- StageWeights.cpp - Gradients that are not urgent -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides backward passes into the gradients of inputs, for which another stage
// waits, and those of weights.
//
//===----------------------------------------------------------------------===//

#include "StageCalls.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"

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

  func::FuncOp function;
  /// The backward pass of the chunk, and the call for the rest of it.
  int64_t call, weights;
  bool isFirst;
  DenseMap<Operation *, int64_t> &assigned;
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

void WeightSeparator::run() {
  DenseSet<Operation *> needed = findInputGradients();
  for (auto &[op, own] : assigned)
    if (own == call && !needed.contains(op))
      own = weights;
}

void mlir::boost::separateWeights(func::FuncOp function,
                                  const StageCalls &calls,
                                  DenseMap<Operation *, int64_t> &assigned) {
  for (int64_t chunk : llvm::seq(calls.getNumChunks()))
    WeightSeparator(function, calls, chunk, assigned).run();
}
