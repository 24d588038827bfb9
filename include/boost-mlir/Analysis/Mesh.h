//===- Mesh.h - The named axes of the rank grid -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `shard.grid @mesh` of a module with the names of its axes.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_MESH_H
#define BOOST_MLIR_ANALYSIS_MESH_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::boost {

/// Axes in order, the last one of neighbouring ranks. A group of ranks is a bit
/// mask of axes.
struct MeshAxes {
  SmallVector<std::string> names;
  SmallVector<int64_t> sizes;

  int64_t getGroupSize(int32_t group) const;
  /// Distance between the first and the last rank of a group, plus one.
  int64_t getGroupSpan(int32_t group) const;
  /// Names of the axes of a group, joined by ','.
  std::string getGroupName(int32_t group) const;
};

/// The mesh of a placed module; one rank on axis "tp" without one.
MeshAxes getMeshAxes(ModuleOp module);

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_MESH_H
