//===- StageStacks.h - Parameters stacked over layers -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGESTACKS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGESTACKS_H

#include "StageCalls.h"

namespace mlir::boost {

class Mesh;

/// Divides parameters that are stacked over layers, as `lax.scan` has them, so
/// that the rows of each chunk of layers are a tensor of their own: `w` of six
/// layers becomes `w@0` and `w@1` of three, with `boost.rows`. Their gradients,
/// accumulators and states are divided alike.
///
/// A parameter stays whole if rows are read other than layer by layer, or if an
/// operation of the update has no sharding rule by which its rows are
/// independent of each other. `functions` are all that have the tensors.
void divideStacks(ArrayRef<func::FuncOp> functions, const LayerChunks &layers,
                  const Mesh &mesh);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGESTACKS_H
