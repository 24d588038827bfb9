//===- MinCut.h - Minimum cut of a network with capacities ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maximum flow by Dinic's algorithm, and the cut that it proves minimal.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_MINCUT_H
#define BOOST_MLIR_ANALYSIS_MINCUT_H

#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace mlir::boost {

/// A directed network of numbered nodes.
class FlowNetwork {
public:
  using Node = int32_t;
  using Capacity = int64_t;
  /// The capacity of an edge that no cut may contain.
  static constexpr Capacity kUncuttable =
      std::numeric_limits<Capacity>::max() / 4;

  explicit FlowNetwork(int32_t numNodes = 0) : first(numNodes, kNone) {}

  Node addNode();
  void addEdge(Node from, Node to, Capacity capacity);

  /// Saturates the network and returns the capacity of a minimum cut, or
  /// kUncuttable if every cut contains an uncuttable edge. Once per network.
  Capacity maximizeFlow(Node source, Node sink);

  /// After maximizeFlow, for every node whether it stands on the sink's side of
  /// the minimum cut that is nearest to the sink.
  std::vector<bool> findSinkSide(Node sink) const;

private:
  static constexpr int32_t kNone = -1;

  /// Edges are stored in pairs: edge ^ 1 runs backwards.
  struct Edge {
    Node to;
    int32_t next;      ///< the next edge from the same node
    Capacity residual; ///< what more it can carry
  };

  bool computeLevels(Node source, Node sink);
  Capacity augment(Node source, Node sink);

  std::vector<int32_t> first;
  std::vector<Edge> edges;
  std::vector<int32_t> level, current;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_MINCUT_H
