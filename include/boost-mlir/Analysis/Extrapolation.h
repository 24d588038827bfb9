//===- Extrapolation.h - What a step of many layers takes -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs are straight-line code: where layers repeat, every further
// repetition adds the difference between two programs of which one has a
// repetition more. What layers share does not add up: the update of 64 tensors
// is one call, and so is a bucket of gradients. Their tensors add up, and are
// divided into calls anew.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_EXTRAPOLATION_H
#define BOOST_MLIR_ANALYSIS_EXTRAPOLATION_H

#include "boost-mlir/Analysis/CostModel.h"

namespace mlir::boost {

/// The predicted time of a step.
struct StepEstimate {
  double seconds = 0;
  double networkSeconds = 0; ///< of these, for collectives
  double networkBytes = 0;   ///< that a rank sends
  /// The seconds of layers, by their class.
  std::map<int64_t, double> layers;

  /// Adds another estimate `times` times.
  void add(const StepEstimate &other, double times = 1);
};

/// Returns the estimate of one call of a function.
StepEstimate getEstimate(const FunctionCost &cost);

/// Returns the estimate of a program as a whole.
StepEstimate getEstimate(const StepCost &cost);

/// Estimates a function that does what several do. Calls that layers share
/// process their tensors together, as many as a call may have, or as many
/// gradients as `bucketBytes` hold.
StepEstimate getMergedEstimate(ArrayRef<const FunctionCost *> functions,
                               int64_t bucketBytes, const Machine &machine);

/// Estimates a program with `further` repetitions more than that of `fewer`;
/// `more` has one more. Exact if calls that layers share process their tensors
/// in groups of as many as a call may have, or as many gradients as
/// `bucketBytes` hold; otherwise the number of such calls is assumed to grow by
/// a constant per repetition.
StepEstimate extrapolate(const StepCost &fewer, const StepCost &more,
                         int64_t further, int64_t bucketBytes,
                         const Machine &machine);

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_EXTRAPOLATION_H
