//===- Verification.h - What a correct program may compute ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors of a program in double, and how far from them rounding can
// carry a correct program. docs/Verify.md derives the bound.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_REFERENCE_VERIFICATION_H
#define BOOST_MLIR_REFERENCE_VERIFICATION_H

#include "boost-mlir/Reference/Program.h"

namespace mlir::boost::reference {

/// A tensor of the reference in double.
struct BoundedTensor {
  std::string name;
  Tensor value;
  /// Bound of the largest difference of an element.
  double bound = 0;
  /// Bound of the gain, a relative error that all elements share.
  double gainBound = 0;
};

/// A function that is evaluated after others, from what they have left: their
/// results replace the inputs of the same names, and then `inputs` do.
struct ReferenceRun {
  Program program;
  NamedTensors inputs;
};

/// Evaluates graph-level functions one after the other: once in double, and
/// `samples` times (an even number) with random roundings, which give the
/// bounds. Gives the tensors that probes of the first run show, `0.probe.SITE`,
/// in the order in which they are reached, and the results of all of them,
/// `RUN.result.NAME`.
FailureOr<std::vector<BoundedTensor>>
evaluateWithBounds(ArrayRef<ReferenceRun> runs, int64_t samples);

/// The relative error of the factor that fits a tensor to its reference best,
/// <values - reference, reference> / <reference, reference>; 0 where the
/// reference is 0.
double getGain(ArrayRef<double> values, ArrayRef<double> reference);

/// The value that |t| exceeds with this probability, where t has Student's
/// distribution with an even number of degrees of freedom.
double getStudentQuantile(int64_t freedom, double probability);

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_REFERENCE_VERIFICATION_H
