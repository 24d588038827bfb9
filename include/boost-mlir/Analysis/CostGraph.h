//===- CostGraph.h - Costs of choices that depend on each other -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Minimizes a sum of costs, each of which depends on a few discrete variables,
// exactly: by dynamic programming over the variables, known as variable or
// bucket elimination (Dechter, Artificial Intelligence 113, 1999).
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_COSTGRAPH_H
#define BOOST_MLIR_ANALYSIS_COSTGRAPH_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <optional>
#include <vector>

namespace mlir::boost {

/// Variables, each with a number of choices, and costs of what is chosen for
/// several of them together. A cost may be infinite: then it is not allowed.
///
///   CostGraph graph;
///   unsigned a = graph.addVariable(2), b = graph.addVariable(3);
///   graph.add({a}, [](auto v) { return v[0] == 0 ? 1.0 : 0.0; });
///   graph.add({a, b}, [](auto v) { return v[0] == v[1] ? 0.0 : 5.0; });
///   graph.minimize()->choices;  // {1, 1}
class CostGraph {
public:
  using Cost = function_ref<double(ArrayRef<unsigned> choices)>;

  /// The choice for each variable, and the sum of all costs.
  struct Minimum {
    std::vector<unsigned> choices;
    double cost = 0;
  };

  /// Adds a variable of `choices` >= 1 choices and returns its number.
  unsigned addVariable(unsigned choices);
  unsigned getNumVariables() const { return sizes.size(); }
  unsigned getNumChoices(unsigned variable) const { return sizes[variable]; }

  /// Adds a cost of different variables. `cost` is called once for each
  /// combination of their choices.
  void add(ArrayRef<unsigned> variables, Cost cost);

  /// The choices of least cost; of several the same ones in every run. None if
  /// a table of more than `maxEntries` costs would be needed.
  std::optional<Minimum> minimize(size_t maxEntries = size_t(1) << 22) const;

private:
  /// The costs by the choices of ascending variables, those of the last one
  /// next to each other.
  using Tables = std::map<std::vector<unsigned>, std::vector<double>>;

  friend class Elimination;
  std::vector<unsigned> sizes;
  Tables tables;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_COSTGRAPH_H
