//===- KeptValues.cpp - What the backward pass reads from memory ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least bytes of forward values from which the backward pass can be
// computed, as a minimum cut.
//
//===----------------------------------------------------------------------===//

#include "KeptValues.h"

#include "boost-mlir/Analysis/MinCut.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

KeptValues::KeptValues(const ForwardPass &forward, const RecomputeRules &rules)
    : forward(forward), rules(rules) {
  collect();
  findMinCut();
}

int64_t KeptValues::getBytes(Value value) {
  return getDenseBytes(getTensorType(value));
}

bool KeptValues::mayRecompute(Value value) const {
  Operation *op = value.getDefiningOp();
  auto kind = static_cast<RecomputeClasses>(getRecomputeClass(op));
  if (kind == static_cast<RecomputeClasses>(RecomputeClass::Never) ||
      forward.isCarried(value))
    return false;
  if (forward.isFree(op))
    return true;
  int64_t layer = forward.getLayer(op);
  if (layer < 1 || layer > forward.getNumLayers())
    return false;
  bool isAmongFirst = rules.layers < 0 || layer <= rules.layers;
  return kind & (isAmongFirst ? rules.classes : rules.others);
}

void KeptValues::collect() {
  auto add = [&](Value value) {
    // Constants, counts and masks are at hand, as arguments are.
    bool isNode = forward.defines(value) && !forward.isWeightless(value);
    if (isNode)
      nodes.insert(value);
    return isNode;
  };
  for (Operation *op : forward.getReaders())
    for (Value value : getReadValues(op))
      if (add(value))
        isRead.insert(value);
  for (size_t i = 0; i < nodes.size(); ++i)
    if (mayRecompute(nodes[i]))
      for (Value value : getReadValues(nodes[i].getDefiningOp()))
        add(value);
}

void KeptValues::findMinCut() {
  using Node = FlowNetwork::Node;
  constexpr Node source = 0, sink = 1;
  FlowNetwork network(2 + 2 * nodes.size());
  DenseMap<Value, Node> entries;
  for (auto [i, value] : llvm::enumerate(nodes))
    entries[value] = static_cast<Node>(2 + 2 * i);
  for (Value value : nodes) {
    Node entry = entries[value], exit = entry + 1;
    network.addEdge(entry, exit, getBytes(value));
    if (isRead.contains(value))
      network.addEdge(exit, sink, FlowNetwork::kUncuttable);
    if (!mayRecompute(value)) {
      network.addEdge(source, entry, FlowNetwork::kUncuttable);
      continue;
    }
    for (Value operand : getReadValues(value.getDefiningOp()))
      if (auto it = entries.find(operand); it != entries.end())
        network.addEdge(it->second + 1, entry, FlowNetwork::kUncuttable);
  }
  network.maximizeFlow(source, sink);
  std::vector<bool> onSinkSide = network.findSinkSide(sink);
  for (Value value : nodes)
    if (Node entry = entries[value];
        !onSinkSide[entry] && onSinkSide[entry + 1])
      kept.push_back(value);
  isKept.insert_range(kept);
  llvm::sort(kept, [&](Value a, Value b) {
    auto key = [&](Value value) {
      return std::make_pair(forward.getPosition(value.getDefiningOp()),
                            cast<OpResult>(value).getResultNumber());
    };
    return key(a) < key(b);
  });
}
