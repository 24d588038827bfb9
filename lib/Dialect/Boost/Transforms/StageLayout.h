//===- StageLayout.h - The layers of pipeline stages ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGELAYOUT_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGELAYOUT_H

#include "StageCalls.h"

namespace mlir::boost {

/// Assigns the layers of a function to chunks: as many to each as `layout`
/// says, or, if that is empty, equally many, the last ones one more if need be.
/// Fails if there are fewer layers than
/// chunks, or if the layout has other numbers of them.
FailureOr<LayerChunks> assignLayers(func::FuncOp function,
                                    ArrayRef<int64_t> layout, int64_t chunks);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGELAYOUT_H
