//===- StageLayout.h - The layers of pipeline stages ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGELAYOUT_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGELAYOUT_H

#include "StageCalls.h"

namespace mlir::boost {

/// Divides a sequence into `parts` runs of at least one element so that the
/// largest sum of a run is smallest, and returns the length of each. `weights`
/// has at least as many elements. Of equally good divisions it is the one whose
/// last runs are longest.
SmallVector<int64_t> divideEvenly(ArrayRef<double> weights, int64_t parts);

/// Assigns the layers of a function to chunks: as many to each as `layout`
/// says, or, if that is empty, so that the chunk with most floating-point
/// operations has as few as possible. The embedding counts with the first
/// layer, head and loss with the last. Fails if there are fewer layers than
/// chunks, or if the layout has other numbers of them.
FailureOr<LayerChunks> assignLayers(func::FuncOp function,
                                    ArrayRef<int64_t> layout, int64_t chunks);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGELAYOUT_H
