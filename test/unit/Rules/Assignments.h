//===- Assignments.h - All legal ways to spread an operation ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_RULES_ASSIGNMENTS_H
#define BOOST_MLIR_TEST_UNIT_RULES_ASSIGNMENTS_H

#include "boost-mlir/Sharding/Candidates.h"

namespace mlir::boost::test {

/// A use of every axis of a mesh, and what follows from it.
struct Assignment {
  SmallVector<AxisUse> uses;
  Candidate candidate;

  bool isWhole() const;
  bool hasPartialOperands() const;
  /// "x: loop 0, y: partial 1"
  std::string describe(const Mesh &mesh) const;
};

/// Every legal assignment of the axes of a mesh to the loops of an operation
/// (one that may not be spread is left alone), to the partial sums it may pass
/// on, and to nothing; two axes on one loop in both orders. Only arguments of
/// the function can be partial sums.
std::vector<Assignment> enumerateAssignments(const Mesh &mesh,
                                             const RuledOp &ruled);

/// The operation with its rule.
RuledOp getRuled(Operation *op);

/// The meshes that rules are tried on.
ArrayRef<Mesh> getMeshes();

} // namespace mlir::boost::test

#endif // BOOST_MLIR_TEST_UNIT_RULES_ASSIGNMENTS_H
