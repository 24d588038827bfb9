//===- VerifyReport.h - What `eval --verify` found --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_VERIFYREPORT_H
#define BOOST_RUNTIME_DRIVER_VERIFYREPORT_H

#include "common/Communicator.h"
#include "common/Program.h"

#include <cmath>
#include <set>

namespace boost_rt {

/// One tensor that was compared.
struct ComparedTensor {
  std::string name, location, phase;
  std::vector<int64_t> shape;
  /// The form in which ranks held it.
  std::string held;
  ElementType type;
  /// The largest difference of an element, what it may be, and the largest
  /// magnitude of the reference.
  double error = 0, bound = 0, scale = 0;
  /// By how much all elements are too large, relative to the reference, and
  /// what that may be.
  double gain = 0, gainBound = 0;
  /// True if the reference is finite: a NaN is as far from a NaN as from any
  /// number.
  bool isComparable = true;

  /// A bound that is not finite shows nothing.
  bool isWithinBound() const {
    return error <= bound && std::abs(gain) <= gainBound &&
           std::isfinite(bound) && std::isfinite(gainBound);
  }
  /// The error or the gain as a share of its bound, whichever is larger.
  double ratio() const;
};

/// The result of the comparison, on rank 0.
struct VerifyReport {
  /// In program order.
  std::vector<ComparedTensor> tensors;
  /// Errors other than tensors that are out of their bounds.
  std::vector<std::string> findings;
  /// The functions that were run on each of so many sets of inputs.
  std::set<std::string> functions;
  int64_t inputSets = 0;
  float loss = 0;
  int64_t ranks = 1;

  /// Rank 0 gets the findings of all ranks.
  void gatherFindings(Communicator &communicator);

  /// The first that is out of its bound, or null.
  const ComparedTensor *findFirstError() const;

  /// The first with a reference that nothing can be compared with, or null.
  const ComparedTensor *findIncomparable() const;

  /// On rank 0. Without a comparison nothing is verified.
  bool isVerified() const {
    return findings.empty() && !tensors.empty() && !functions.empty() &&
           !findFirstError() && !findIncomparable();
  }

  /// A table for people, and what came of it.
  void print() const;
  void printJson() const;

private:
  void printVerdict() const;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_VERIFYREPORT_H
