//===- StageUpdate.h - The update on pipeline stages ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGEUPDATE_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGEUPDATE_H

#include "StageAccumulators.h"

namespace mlir::boost {

class Mesh;

/// Divides the updates that a step chooses from, or the only one, at the spmd
/// level into one function for each stage, which updates the parameters whose
/// gradients the stage has, and erases them. Returns the functions of each
/// update by stage; those of a stage take and give the same tensors. Numbers
/// that depend on tensors of several stages, such as the norm of all gradients,
/// are computed on every stage: ranks that differ along `pipelineAxis` sum what
/// each stage contributes. Of tensors that the update concatenates, such as
/// small matrices of all layers that are factorized at once, each stage has the
/// rows of its own. Fails if other tensors of several stages meet in an
/// operation.
FailureOr<SmallVector<SmallVector<func::FuncOp>>>
divideUpdates(ArrayRef<func::FuncOp> updates,
              const AccumulatorPlaces &accumulators, int64_t stages,
              const Mesh &mesh, int16_t pipelineAxis);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGEUPDATE_H
