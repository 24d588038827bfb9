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

/// What the cost model says of a step.
struct StepEstimate {
  double seconds = 0;
  double networkSeconds = 0; ///< of these, for collectives
  double networkBytes = 0;   ///< that a rank sends
  /// Of the seconds, by the class of the layer.
  std::map<int64_t, double> layers;
};

/// Of a program as it is.
StepEstimate getEstimate(const StepCost &cost);

/// Of a program with `further` repetitions more than that of `fewer`; `more`
/// has one more. Exact if calls that layers share take their tensors one after
/// another, as many as a call may, or as many gradients as `bucketBytes` hold;
/// else their number is taken to grow by the same amount with every repetition.
StepEstimate extrapolate(const StepCost &fewer, const StepCost &more,
                         int64_t further, int64_t bucketBytes,
                         const Machine &machine);

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_EXTRAPOLATION_H
