//===- CostGraphTest.cpp - Exact minima of dependent choices --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/CostGraph.h"

#include "gtest/gtest.h"

#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::boost;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {
/// A cost of some variables as a function of all of them.
struct Term {
  std::vector<unsigned> variables;
  std::vector<double> costs;

  double operator()(ArrayRef<unsigned> own, ArrayRef<unsigned> sizes) const {
    size_t entry = 0;
    for (auto [variable, choice] : llvm::zip_equal(variables, own))
      entry = entry * sizes[variable] + choice;
    return costs[entry];
  }
};

/// Every combination of choices is tried.
struct BruteForce {
  std::vector<unsigned> sizes;
  std::vector<Term> terms;

  double getCost(ArrayRef<unsigned> choices) const {
    double sum = 0;
    for (const Term &term : terms) {
      SmallVector<unsigned> own;
      for (unsigned variable : term.variables)
        own.push_back(choices[variable]);
      sum += term(own, sizes);
    }
    return sum;
  }

  double getMinimum() const {
    std::vector<unsigned> choices(sizes.size(), 0);
    double least = kInfinity;
    while (true) {
      least = std::min(least, getCost(choices));
      size_t i = 0;
      while (i < sizes.size() && ++choices[i] == sizes[i])
        choices[i++] = 0;
      if (i == sizes.size())
        return least;
    }
  }
};
} // namespace

/// Costs are multiples of 1/4, so that sums are exact in any order.
static BruteForce makeRandom(unsigned seed) {
  std::mt19937 random(seed);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  BruteForce problem;
  for (unsigned i = 0, n = 1 + below(7); i < n; ++i)
    problem.sizes.push_back(1 + below(4));
  for (unsigned i = 0, n = below(12); i < n; ++i) {
    Term term;
    size_t entries = 1;
    for (unsigned variable = 0; variable < problem.sizes.size(); ++variable)
      if (below(3) == 0 && term.variables.size() < 3) {
        term.variables.push_back(variable);
        entries *= problem.sizes[variable];
      }
    std::shuffle(term.variables.begin(), term.variables.end(), random);
    for (size_t entry = 0; entry < entries; ++entry)
      term.costs.push_back(below(10) == 0 ? kInfinity : below(100) / 4.0);
    problem.terms.push_back(std::move(term));
  }
  return problem;
}

static CostGraph makeGraph(const BruteForce &problem) {
  CostGraph graph;
  for (unsigned size : problem.sizes)
    graph.addVariable(size);
  for (const Term &term : problem.terms)
    graph.add(term.variables, [&](ArrayRef<unsigned> choices) {
      return term(choices, problem.sizes);
    });
  return graph;
}

TEST(CostGraph, equalsBruteForce) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    BruteForce problem = makeRandom(seed);
    auto minimum = makeGraph(problem).minimize();
    ASSERT_TRUE(minimum);
    EXPECT_EQ(minimum->cost, problem.getMinimum()) << "seed " << seed;
    ASSERT_EQ(minimum->choices.size(), problem.sizes.size());
    EXPECT_EQ(problem.getCost(minimum->choices), minimum->cost)
        << "seed " << seed;
  }
}

TEST(CostGraph, takesLongCyclesQuickly) {
  // Neighbors in a cycle want to differ; an odd one cannot please all.
  CostGraph graph;
  constexpr unsigned length = 10001;
  for (unsigned i = 0; i < length; ++i)
    graph.addVariable(2);
  for (unsigned i = 0; i < length; ++i)
    graph.add({i, (i + 1) % length}, [](ArrayRef<unsigned> choices) {
      return choices[0] == choices[1] ? 1.0 : 0.0;
    });
  EXPECT_EQ(graph.minimize(/*maxEntries=*/4)->cost, 1.0);
}

TEST(CostGraph, refusesTablesThatAreTooLarge) {
  // Every pair of eight variables depends on each other.
  CostGraph graph;
  for (unsigned i = 0; i < 8; ++i)
    graph.addVariable(3);
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned j = 0; j < i; ++j)
      graph.add({i, j}, [](ArrayRef<unsigned>) { return 1.0; });
  EXPECT_FALSE(graph.minimize(/*maxEntries=*/2186));
  EXPECT_TRUE(graph.minimize(/*maxEntries=*/2187));
}

TEST(CostGraph, takesTheFirstOfEqualChoices) {
  CostGraph graph;
  unsigned variable = graph.addVariable(3);
  graph.add({variable}, [](ArrayRef<unsigned> choices) {
    return choices[0] == 0 ? 2.0 : 1.0;
  });
  EXPECT_EQ(graph.minimize()->choices, std::vector<unsigned>{1});
}
