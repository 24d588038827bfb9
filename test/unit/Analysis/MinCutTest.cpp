//===- MinCutTest.cpp - Maximum flow and the cut nearest to the sink ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/MinCut.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace mlir::boost;

namespace {

struct Link {
  int from, to;
  int64_t capacity;
};

FlowNetwork makeNetwork(int nodes, const std::vector<Link> &links) {
  FlowNetwork network(nodes);
  for (const Link &link : links)
    network.addEdge(link.from, link.to, link.capacity);
  return network;
}

/// Capacity of the edges into the sink's side.
int64_t cutOf(const std::vector<Link> &links, const std::vector<bool> &inSink) {
  int64_t cut = 0;
  for (const Link &link : links)
    if (!inSink[link.from] && inSink[link.to])
      cut += link.capacity;
  return cut;
}

TEST(MinCut, TextbookNetwork) {
  // Cormen, Leiserson, Rivest, Stein, figure 26.1: maximum flow 23.
  std::vector<Link> links = {{0, 1, 16}, {0, 2, 13}, {1, 3, 12},
                             {2, 1, 4},  {3, 2, 9},  {2, 4, 14},
                             {4, 3, 7},  {3, 5, 20}, {4, 5, 4}};
  FlowNetwork network = makeNetwork(6, links);
  EXPECT_EQ(network.maximizeFlow(0, 5), 23);
  EXPECT_EQ(cutOf(links, network.findSinkSide(5)), 23);
}

TEST(MinCut, FlowMayBeSentBack) {
  // The shortest path uses the edge between; the maximum does not.
  FlowNetwork network =
      makeNetwork(4, {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {1, 3, 1}, {2, 3, 1}});
  EXPECT_EQ(network.maximizeFlow(0, 3), 2);
}

TEST(MinCut, OfEqualCutsTheOneNearestToTheSink) {
  FlowNetwork network = makeNetwork(4, {{0, 1, 5}, {1, 2, 5}, {2, 3, 5}});
  EXPECT_EQ(network.maximizeFlow(0, 3), 5);
  EXPECT_EQ(network.findSinkSide(3),
            (std::vector<bool>{false, false, false, true}));
}

TEST(MinCut, NothingToCut) {
  FlowNetwork network = makeNetwork(3, {{0, 1, 4}});
  EXPECT_EQ(network.maximizeFlow(0, 2), 0);
  EXPECT_EQ(network.findSinkSide(2), (std::vector<bool>{false, false, true}));
}

TEST(MinCut, UncuttablePath) {
  FlowNetwork network = makeNetwork(
      3, {{0, 1, FlowNetwork::kUncuttable}, {1, 2, FlowNetwork::kUncuttable}});
  EXPECT_EQ(network.maximizeFlow(0, 2), FlowNetwork::kUncuttable);
}

TEST(MinCut, LongChainNeedsNoStack) {
  constexpr int length = 200000;
  FlowNetwork network(length);
  for (int i = 0; i + 1 < length; ++i)
    network.addEdge(i, i + 1, i == length / 2 ? 3 : 7);
  EXPECT_EQ(network.maximizeFlow(0, length - 1), 3);
}

/// The smallest cut over all subsets of the inner nodes.
int64_t bruteForce(int nodes, const std::vector<Link> &links) {
  int64_t best = FlowNetwork::kUncuttable;
  for (int subset = 0; subset < 1 << (nodes - 2); ++subset) {
    std::vector<bool> inSink(nodes);
    inSink[nodes - 1] = true;
    for (int i = 0; i < nodes - 2; ++i)
      inSink[i + 1] = (subset >> i) & 1;
    best = std::min(best, cutOf(links, inSink));
  }
  return best;
}

TEST(MinCut, EqualsAllCutsTriedOnRandomNetworks) {
  std::mt19937 random(7);
  auto pick = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  for (int round = 0; round < 300; ++round) {
    int nodes = 2 + pick(8);
    std::vector<Link> links;
    for (int i = pick(30); i > 0; --i)
      links.push_back({pick(nodes), pick(nodes), pick(20)});
    FlowNetwork network = makeNetwork(nodes, links);
    int64_t flow = network.maximizeFlow(0, nodes - 1);
    ASSERT_EQ(flow, bruteForce(nodes, links)) << "round " << round;
    ASSERT_EQ(flow, cutOf(links, network.findSinkSide(nodes - 1)))
        << "round " << round;
  }
}

} // namespace
