//===- MinCut.cpp - Minimum cut of a network with capacities --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dinic (1970): shortest augmenting paths, all of one length at a time. The
// search for paths keeps its own stack: programs are as deep as models.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/MinCut.h"

#include <algorithm>

using namespace mlir::boost;

FlowNetwork::Node FlowNetwork::addNode() {
  first.push_back(kNone);
  return static_cast<Node>(first.size()) - 1;
}

void FlowNetwork::addEdge(Node from, Node to, Capacity capacity) {
  auto add = [&](Node tail, Node head, Capacity residual) {
    edges.push_back({head, first[tail], residual});
    first[tail] = static_cast<int32_t>(edges.size()) - 1;
  };
  add(from, to, capacity);
  add(to, from, 0);
}

/// Distances from the source over edges that can carry more.
bool FlowNetwork::computeLevels(Node source, Node sink) {
  level.assign(first.size(), kNone);
  level[source] = 0;
  std::vector<Node> queue = {source};
  for (size_t i = 0; i < queue.size() && level[sink] == kNone; ++i)
    for (int32_t e = first[queue[i]]; e != kNone; e = edges[e].next)
      if (edges[e].residual > 0 && level[edges[e].to] == kNone) {
        level[edges[e].to] = level[queue[i]] + 1;
        queue.push_back(edges[e].to);
      }
  return level[sink] != kNone;
}

/// Sends flow along one shortest path; 0 if there is none left.
FlowNetwork::Capacity FlowNetwork::augment(Node source, Node sink) {
  std::vector<int32_t> path;
  Node node = source;
  while (node != sink) {
    int32_t &e = current[node];
    while (e != kNone &&
           (edges[e].residual == 0 || level[edges[e].to] != level[node] + 1))
      e = edges[e].next;
    if (e != kNone) {
      path.push_back(e);
      node = edges[e].to;
      continue;
    }
    if (path.empty())
      return 0;
    // A dead end: step back over the edge that led here.
    node = edges[path.back() ^ 1].to;
    path.pop_back();
    current[node] = edges[current[node]].next;
  }
  Capacity amount = kUncuttable;
  for (int32_t e : path)
    amount = std::min(amount, edges[e].residual);
  for (int32_t e : path) {
    edges[e].residual -= amount;
    edges[e ^ 1].residual += amount;
  }
  return amount;
}

FlowNetwork::Capacity FlowNetwork::maximizeFlow(Node source, Node sink) {
  Capacity total = 0;
  while (computeLevels(source, sink)) {
    current = first;
    while (Capacity amount = augment(source, sink)) {
      total += amount;
      if (total >= kUncuttable)
        return kUncuttable;
    }
  }
  return total;
}

std::vector<bool> FlowNetwork::findSinkSide(Node sink) const {
  std::vector<bool> onSinkSide(first.size(), false);
  onSinkSide[sink] = true;
  std::vector<Node> queue = {sink};
  for (size_t i = 0; i < queue.size(); ++i)
    for (int32_t e = first[queue[i]]; e != kNone; e = edges[e].next) {
      // Edge e leaves this node; its twin comes from edges[e].to.
      Node from = edges[e].to;
      if (edges[e ^ 1].residual > 0 && !onSinkSide[from]) {
        onSinkSide[from] = true;
        queue.push_back(from);
      }
    }
  return onSinkSide;
}
