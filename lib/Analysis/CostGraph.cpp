//===- CostGraph.cpp - Costs of choices that depend on each other ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable is eliminated by adding up the tables that speak of it and, for
// every combination of the other variables in them, keeping the least cost and
// the choice that attains it. What is left is a table of the others. The
// choices are read back in the opposite order.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/CostGraph.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::boost;

using Scope = std::vector<unsigned>;

/// Counts through all combinations of choices, the last one fastest.
static bool countUp(std::vector<unsigned> &choices, ArrayRef<unsigned> sizes) {
  for (size_t i = choices.size(); i-- > 0;) {
    if (++choices[i] < sizes[i])
      return true;
    choices[i] = 0;
  }
  return false;
}

unsigned CostGraph::addVariable(unsigned choices) {
  assert(choices > 0 && "expects something to choose");
  sizes.push_back(choices);
  return sizes.size() - 1;
}

void CostGraph::add(ArrayRef<unsigned> variables, Cost cost) {
  // Tables have their variables in ascending order.
  std::vector<unsigned> order(variables.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return variables[a] < variables[b];
  });
  Scope scope;
  std::vector<unsigned> extents;
  size_t entries = 1;
  for (unsigned position : order) {
    scope.push_back(variables[position]);
    extents.push_back(sizes[variables[position]]);
    entries *= extents.back();
  }
  assert(std::adjacent_find(scope.begin(), scope.end()) == scope.end() &&
         "expects different variables");
  std::vector<double> &table =
      tables.try_emplace(scope, entries, 0.0).first->second;
  std::vector<unsigned> choices(scope.size(), 0), given(scope.size());
  size_t entry = 0;
  do {
    for (auto [i, position] : llvm::enumerate(order))
      given[position] = choices[i];
    table[entry++] += cost(given);
  } while (countUp(choices, extents));
}

//===----------------------------------------------------------------------===//
// Elimination
//===----------------------------------------------------------------------===//

namespace mlir::boost {
/// The tables that are left while variables are eliminated one by one.
class Elimination {
public:
  explicit Elimination(const CostGraph &graph) : sizes(graph.sizes) {
    tablesOf.resize(sizes.size());
    neighbors.resize(sizes.size());
    for (const auto &[scope, costs] : graph.tables)
      addTable({scope, costs});
  }

  std::optional<CostGraph::Minimum> run(size_t maxEntries);

private:
  struct Table {
    Scope scope;
    std::vector<double> costs;
  };
  /// The best choice of a variable for all combinations of others.
  struct Step {
    unsigned variable;
    Scope others;
    std::vector<unsigned> best;
  };

  void addTable(Table table);
  size_t countEntries(unsigned variable) const;
  void eliminate(unsigned variable);

  ArrayRef<unsigned> sizes;
  std::vector<Table> tables;
  /// The tables that speak of a variable, and the other variables in them.
  std::vector<std::set<size_t>> tablesOf;
  std::vector<std::set<unsigned>> neighbors;
  std::vector<Step> steps;
  double constant = 0;
};
} // namespace mlir::boost

void Elimination::addTable(Table table) {
  if (table.scope.empty()) {
    constant += table.costs.front();
    return;
  }
  for (unsigned variable : table.scope) {
    tablesOf[variable].insert(tables.size());
    for (unsigned other : table.scope)
      if (other != variable)
        neighbors[variable].insert(other);
  }
  tables.push_back(std::move(table));
}

/// The size of the table that is left once `variable` is eliminated.
size_t Elimination::countEntries(unsigned variable) const {
  size_t entries = 1;
  for (unsigned other : neighbors[variable])
    if (__builtin_mul_overflow(entries, sizes[other], &entries))
      return std::numeric_limits<size_t>::max();
  return entries;
}

void Elimination::eliminate(unsigned variable) {
  Step step{variable,
            Scope(neighbors[variable].begin(), neighbors[variable].end()),
            {}};
  std::vector<unsigned> extents;
  for (unsigned other : step.others)
    extents.push_back(sizes[other]);

  // How far the entry of each table moves with a choice of each variable.
  struct Addend {
    const std::vector<double> *costs;
    std::vector<size_t> strides;
    size_t ownStride = 0;
  };
  std::vector<Addend> addends;
  for (size_t index : tablesOf[variable]) {
    const Table &table = tables[index];
    Addend addend{&table.costs, std::vector<size_t>(step.others.size(), 0)};
    size_t stride = 1;
    for (unsigned other : llvm::reverse(table.scope)) {
      if (other == variable)
        addend.ownStride = stride;
      else
        addend.strides[llvm::lower_bound(step.others, other) -
                       step.others.begin()] = stride;
      stride *= sizes[other];
    }
    addends.push_back(std::move(addend));
  }

  Table result{step.others, {}};
  result.costs.reserve(countEntries(variable));
  std::vector<unsigned> choices(step.others.size(), 0);
  std::vector<double> sums(sizes[variable]);
  do {
    llvm::fill(sums, 0.0);
    for (const Addend &addend : addends) {
      size_t entry = 0;
      for (auto [choice, stride] : llvm::zip_equal(choices, addend.strides))
        entry += choice * stride;
      for (double &sum : sums) {
        sum += (*addend.costs)[entry];
        entry += addend.ownStride;
      }
    }
    auto least = std::min_element(sums.begin(), sums.end());
    result.costs.push_back(*least);
    step.best.push_back(least - sums.begin());
  } while (countUp(choices, extents));

  for (size_t index : std::set<size_t>(tablesOf[variable])) {
    for (unsigned other : tables[index].scope)
      tablesOf[other].erase(index);
    tables[index] = {};
  }
  for (unsigned other : step.others)
    neighbors[other].erase(variable);
  addTable(std::move(result));
  steps.push_back(std::move(step));
}

std::optional<CostGraph::Minimum> Elimination::run(size_t maxEntries) {
  std::set<std::pair<size_t, unsigned>> queue;
  std::vector<size_t> entries(sizes.size());
  for (unsigned variable = 0; variable < sizes.size(); ++variable) {
    entries[variable] = countEntries(variable);
    queue.insert({entries[variable], variable});
  }
  // The variable that leaves the smallest table goes first.
  while (!queue.empty()) {
    auto [size, variable] = *queue.begin();
    if (size > maxEntries)
      return std::nullopt;
    queue.erase(queue.begin());
    eliminate(variable);
    for (unsigned other : steps.back().others) {
      queue.erase({entries[other], other});
      entries[other] = countEntries(other);
      queue.insert({entries[other], other});
    }
  }
  CostGraph::Minimum minimum{std::vector<unsigned>(sizes.size(), 0), constant};
  for (const Step &step : llvm::reverse(steps)) {
    size_t entry = 0;
    for (unsigned other : step.others)
      entry = entry * sizes[other] + minimum.choices[other];
    minimum.choices[step.variable] = step.best[entry];
  }
  return minimum;
}

std::optional<CostGraph::Minimum> CostGraph::minimize(size_t maxEntries) const {
  return Elimination(*this).run(maxEntries);
}
