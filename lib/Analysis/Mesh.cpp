//===- Mesh.cpp - The named axes of the rank grid -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads shard.grid and answers questions about groups of ranks.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/Mesh.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::boost;

int64_t MeshAxes::getGroupSize(int32_t group) const {
  int64_t size = 1;
  for (auto [axis, extent] : llvm::enumerate(sizes))
    if (group >> axis & 1)
      size *= extent;
  return size;
}

int64_t MeshAxes::getGroupSpan(int32_t group) const {
  int64_t span = 1, stride = 1;
  for (int64_t axis = static_cast<int64_t>(sizes.size()) - 1; axis >= 0;
       --axis) {
    if (group >> axis & 1)
      span += (sizes[axis] - 1) * stride;
    stride *= sizes[axis];
  }
  return span;
}

std::string MeshAxes::getGroupName(int32_t group) const {
  std::string name;
  for (auto [axis, axisName] : llvm::enumerate(names))
    if (group >> axis & 1)
      name += (name.empty() ? "" : ",") + axisName;
  return name;
}

MeshAxes mlir::boost::getMeshAxes(ModuleOp module) {
  MeshAxes mesh;
  auto grid = module.lookupSymbol<shard::GridOp>(kMeshSymbol);
  if (!grid)
    return {{"tp"}, {1}};
  auto names = grid->getAttrOfType<ArrayAttr>(kAxesAttr);
  for (auto [axis, size] : llvm::enumerate(grid.getShape())) {
    mesh.sizes.push_back(size);
    mesh.names.push_back(names && axis < names.size()
                             ? cast<StringAttr>(names[axis]).str()
                             : ("axis" + Twine(axis)).str());
  }
  return mesh;
}
