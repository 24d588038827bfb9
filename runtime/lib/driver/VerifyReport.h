//===- VerifyReport.h - What `eval --verify` found --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_VERIFYREPORT_H
#define BOOST_RUNTIME_DRIVER_VERIFYREPORT_H

#include "common/Program.h"

#include <cmath>

namespace boost_rt {

/// One tensor that was compared.
struct ComparedTensor {
  std::string name, location, phase;
  std::vector<int64_t> shape;
  /// How it was held when it was looked at.
  std::string held;
  ElementType type;
  /// The largest difference of an element, what it may be, and the largest
  /// magnitude of the reference.
  double error = 0, bound = 0, scale = 0;
  /// By how much all elements are too large, relative to the reference, and
  /// what that may be.
  double gain = 0, gainBound = 0;

  bool isWithinBound() const {
    return error <= bound && std::abs(gain) <= gainBound;
  }
  /// The error or the gain as a share of its bound, whichever is larger.
  double ratio() const;
};

/// The compared tensors in program order.
struct VerifyReport {
  std::vector<ComparedTensor> tensors;
  float loss = 0;
  int64_t ranks = 1;

  /// The first that is out of its bound, or null.
  const ComparedTensor *findFirstError() const;

  /// A table for people, and what came of it.
  void print() const;
  void printJson() const;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_VERIFYREPORT_H
