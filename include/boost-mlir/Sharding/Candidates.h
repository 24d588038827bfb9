//===- Candidates.h - Ways to spread one operation --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of how the loops of an operation are spread over the mesh.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SHARDING_CANDIDATES_H
#define BOOST_MLIR_SHARDING_CANDIDATES_H

#include "boost-mlir/Sharding/LocalValues.h"

namespace mlir::boost {

/// One way to spread the loops of an operation, and what follows from it.
struct Candidate {
  SmallVector<AxisList> loopAxes;
  SmallVector<LocalForm> operands, results;
  double cost = 0;
};

/// A use of one mesh axis: to spread a loop, to pass on the partial sums of
/// some operands, or none.
struct AxisUse {
  AxisMask axis;
  int loop = kNoLoop;
  SmallVector<unsigned, 2> passed;
};

/// The forms that follow from a use of every mesh axis. A loop has its axes in
/// the order in which they stand in `uses`. Fails where the forms are not
/// legal: a dimension does not divide, or the results would be terms of a sum
/// and of a maximum at once.
FailureOr<Candidate> deriveCandidate(const Mesh &mesh, const RuledOp &ruled,
                                     ArrayRef<AxisUse> uses);

/// Seconds that an operation works on each rank for one of its candidates,
/// beside reading operands and writing results.
struct LocalSeconds {
  double completing = 0; ///< the all-reduces inside of the operation
  double computing = 0;
};

LocalSeconds getLocalSeconds(const RuledOp &ruled, const Candidate &candidate,
                             const Mesh &mesh, const ReshardCost &price);

/// Finds the cheapest legal candidate for an operation.
///
/// For each mesh axis the proposals are: the loop that a placement has fixed;
/// or, if there is none, the loops that operands are already
/// sharded along, those along which results are wanted, no loop, and passing
/// partial sums on where the operation is additive in them. A loop over several
/// axes has them in the order of the mesh, or as an operand or a wanted result
/// has them. A candidate costs
/// the seconds to bring operands into form and results to where they are
/// wanted, and those of computing and of touching memory on the rank.
class CandidateSearch {
public:
  CandidateSearch(const FunctionShardings &shardings, const PartialSums &sums,
                  const LocalValues &values, const ReshardCost &price)
      : shardings(shardings), sums(sums), values(values), price(price) {}

  Candidate findBest(const RuledOp &ruled) const;

private:
  SmallVector<AxisUse> propose(const RuledOp &ruled, AxisMask axis) const;
  SmallVector<int> proposeLoops(const RuledOp &ruled, AxisMask axis) const;
  void applyPreference(const RuledOp &ruled, AxisMask axis,
                       SmallVectorImpl<int> &loops) const;
  bool isContractedBy(const RuledOp &ruled, int loop, AxisMask axis) const;
  bool isShardedBy(Value value, unsigned dim, AxisMask axis) const;
  void proposePasses(const RuledOp &ruled, AxisMask axis,
                     SmallVectorImpl<AxisUse> &uses) const;

  void tryOrders(const RuledOp &ruled, SmallVector<AxisUse> uses,
                 Candidate &best) const;
  SmallVector<AxisList> collectOrders(const RuledOp &ruled) const;
  Candidate deriveIndependent(const RuledOp &ruled) const;
  double getCost(const RuledOp &ruled, const Candidate &candidate) const;
  double getOperandCost(Value operand, const LocalForm &form,
                        AxisMask passed) const;
  double getResultCost(Value result, const LocalForm &form) const;

  const FunctionShardings &shardings;
  const PartialSums &sums;
  const LocalValues &values;
  const ReshardCost &price;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_SHARDING_CANDIDATES_H
