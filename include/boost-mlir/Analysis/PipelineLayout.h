//===- PipelineLayout.h - The layers of pipeline stages ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the number of layers of each chunk of a pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_PIPELINELAYOUT_H
#define BOOST_MLIR_ANALYSIS_PIPELINELAYOUT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace mlir::boost {

/// Divides a sequence into `parts` runs of at least one element so that the
/// largest sum of a run is smallest, and returns the length of each. `weights`
/// has at least as many elements. Of equally good divisions it is the one whose
/// last runs are longest.
SmallVector<int64_t> divideEvenly(ArrayRef<double> weights, int64_t parts);

/// Returns why `layers` layers cannot be divided into `chunks` chunks, or not
/// as `layout` says unless it is empty; an empty text if they can.
std::string checkLayout(ArrayRef<int64_t> layout, int64_t layers,
                        int64_t chunks);

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_PIPELINELAYOUT_H
