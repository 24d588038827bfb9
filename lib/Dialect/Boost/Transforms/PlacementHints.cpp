//===- PlacementHints.cpp - Shardings that the program asks for -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"

using namespace mlir;
using namespace mlir::boost;

/// The axis that `"name=size"` means: the one of this name, or else the only
/// one of this size; 0 if there is none.
static AxisMask findAxis(const Mesh &mesh, StringRef name, int64_t size) {
  if (AxisMask axis = mesh.getAxisNamed(name))
    return axis;
  AxisMask found = 0;
  for (unsigned axis = 0; axis < mesh.getNumAxes(); ++axis)
    if (mesh.getAxisSize(axis) == size) {
      if (found)
        return 0;
      found = AxisMask(1) << axis;
    }
  return found;
}

/// The axes of one dimension in the order of the hint, or why they cannot be.
static std::optional<AxisList> readDimension(const Mesh &mesh, ArrayAttr axes,
                                             int64_t size, AxisMask used,
                                             std::string &why) {
  AxisList list;
  for (StringAttr text : axes.getAsRange<StringAttr>()) {
    auto [name, number] = text.getValue().split('=');
    int64_t wanted;
    if (number.getAsInteger(10, wanted) || wanted == 1)
      continue;
    AxisMask axis = findAxis(mesh, name, wanted);
    if (!axis) {
      why = ("the mesh has no axis '" + name + "' and not one axis of size " +
             number)
                .str();
      return std::nullopt;
    }
    if (axis & (used | list.getSet())) {
      why = "it shards over axis '" + mesh.describe(axis) + "' twice";
      return std::nullopt;
    }
    list.push_back(llvm::countr_zero(axis));
  }
  if (size % mesh.getSize(list) != 0) {
    why = mesh.describe(list) + " = " + std::to_string(mesh.getSize(list)) +
          " does not divide " + std::to_string(size);
    return std::nullopt;
  }
  return list.restrictedTo(mesh.getUsedAxes());
}

static std::optional<Split> readSplit(const Mesh &mesh, ArrayAttr hint,
                                      ArrayRef<int64_t> shape,
                                      std::string &why) {
  if (hint.size() != shape.size()) {
    why = "it does not list axes for each dimension";
    return std::nullopt;
  }
  Split split;
  AxisMask used = 0;
  for (auto [axes, size] :
       llvm::zip_equal(hint.getAsRange<ArrayAttr>(), shape)) {
    auto list = readDimension(mesh, axes, size, used, why);
    if (!list)
      return std::nullopt;
    split.push_back(*list);
    used |= list->getSet();
  }
  return split;
}

void mlir::boost::readHints(func::FuncOp func, const Mesh &mesh,
                            Placement &placement) {
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto hint = func.getArgAttrOfType<ArrayAttr>(index, kHintAttr);
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!hint || !type)
      continue;
    std::string why;
    if (std::optional<Split> split =
            readSplit(mesh, hint, type.getShape(), why))
      placement.keep(index, *split, "as the program's own sharding says");
    else
      emitRemark(argument.getLoc())
          << "the sharding that the program gives "
          << "\"" << getArgName(func, index) << "\" is not followed: " << why;
  }
}
