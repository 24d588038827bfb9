//===- FormSearch.h - The cheapest forms of all values ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds how the arguments of a loss should be sharded over one mesh axis: the
// whole program at once, under a price that adds up.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SHARDING_FORMSEARCH_H
#define BOOST_MLIR_SHARDING_FORMSEARCH_H

#include "boost-mlir/Analysis/CostGraph.h"
#include "boost-mlir/Sharding/Candidates.h"
#include "boost-mlir/Sharding/FunctionShardings.h"
#include "boost-mlir/Sharding/Reshard.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::boost {

/// The price of a training step of a loss as a sum over its operations and
/// values, each of which depends on few decisions.
///
/// Decided are, of every operation, the loop that is spread over the axis (or
/// that none is, or that it passes partial sums on); of every argument, the
/// dimension that is sharded over it. What is spread over other axes is given.
/// Operations that different layers have in common decide alike
/// (AlikeLayers.h), and so do their arguments. The price adds up
///
/// - of every operation, the seconds of computing and of touching its tensors
///   on the rank, forward, and backward once more for every operand that has a
///   gradient;
/// - of every value, the seconds of the collectives from the form in which it
///   is made to each form in which it is read, and of those that its gradients
///   take the opposite way: a gradient is a partial sum where the operation is
///   spread along a loop that the operand does not have;
/// - of every parameter, what an update of its shard touches.
///
/// Collectives are priced one by one: that later passes merge them, let them
/// wait or recompute values is not seen. What is found is therefore priced once
/// more as the program that it makes (PlacementSearch.h).
class FormSearch {
public:
  /// `shardings` is the loss, of which other axes than `axis` are propagated.
  FormSearch(const FunctionShardings &shardings, AxisMask axis,
             const Machine &machine);

  /// The best sharding of an argument, and the cost of the alternatives.
  struct ArgumentForm {
    Split split;
    /// The best split that is another one; none if there is no other.
    std::optional<Split> next;
    /// The seconds of a step that it takes more.
    double nextSeconds = 0;
  };
  struct Result {
    /// Seconds of a step under this price.
    double seconds = 0;
    std::vector<ArgumentForm> arguments;
    /// Shardings of the results of operations that are sharded over the axis.
    DenseMap<Value, Split> values;
  };

  /// The cheapest forms; with what else would cost only if `alternatives`,
  /// which takes one more minimization for every argument. None if the program
  /// is too entangled for an exact answer.
  std::optional<Result> find(bool alternatives = false) const;

private:
  /// One way to decide an operation or an argument.
  struct Choice {
    Candidate candidate;
    /// For each operand, the axes over which its gradient is a partial sum.
    SmallVector<AxisMask, 3> gradientPartial;
  };
  /// One decision: for an operation of equal layers, or for an argument.
  struct Decision {
    unsigned variable;
    int64_t count = 0;
    std::vector<Choice> choices;
  };
  /// An operand: the decision of its operation, and its number.
  using Use = std::pair<unsigned, unsigned>;
  /// Identifies the values that equal decisions make and that equal uses read:
  /// the decision that makes the value, the number of the result, and the uses.
  struct FlowKey {
    unsigned producer;
    unsigned result;
    std::vector<Use> uses;
    bool operator<(const FlowKey &other) const {
      return std::tie(producer, result, uses) <
             std::tie(other.producer, other.result, other.uses);
    }
  };

  void findActive();
  void decideOperations();
  void decideArguments();
  void priceOperation(const RuledOp &ruled, const Decision &decision);
  void priceUpdate(unsigned decision, RankedTensorType type);
  void priceFlows();
  void priceFlow(const FlowKey &key, Value value, double count);
  void priceResults();
  double getMoveCost(Value value, const LocalForm &made, const LocalForm &read,
                     AxisMask gradientPartial) const;
  std::vector<Choice> listChoices(const RuledOp &ruled) const;
  std::vector<Choice> listChoices(BlockArgument argument) const;
  const LocalForm &getMade(unsigned decision, unsigned result,
                           unsigned choice) const {
    return decisions[decision].choices[choice].candidate.results[result];
  }

  const FunctionShardings &shardings;
  AxisMask axis;
  ReshardCost price;
  CostGraph graph;
  /// Values that depend on a parameter: they have gradients.
  DenseSet<Value> active;
  std::vector<Decision> decisions;
  DenseMap<Operation *, unsigned> decisionOfOp;
  std::vector<unsigned> decisionOfArgument;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_SHARDING_FORMSEARCH_H
