//===- TensorDescriptions.h - Tensors in the manifest -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_TENSORDESCRIPTIONS_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_TENSORDESCRIPTIONS_H

#include "StageArena.h"

namespace mlir::boost::rt {

/// Describes the named tensors as the manifest does: the fields of
/// `boost.tensor`, types, shapes and shardings, and where they lie in the
/// arenas of the stages that have them. Parts of packed tensors take their
/// place. `isStaged` says whether the program has pipeline stages.
ArrayAttr describeTensors(MLIRContext *context, const NamedTensors &tensors,
                          const Mesh &mesh, ArrayRef<StageArena> arenas,
                          bool isStaged);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_TENSORDESCRIPTIONS_H
