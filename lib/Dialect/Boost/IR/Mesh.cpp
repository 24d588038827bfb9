//===- Mesh.cpp - The mesh of ranks and boost.split -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::boost;

Mesh::Mesh(ArrayRef<std::string> names, ArrayRef<int64_t> sizes)
    : names(names.begin(), names.end()), sizes(sizes.begin(), sizes.end()) {}

FailureOr<Mesh> Mesh::get(Operation *op) {
  auto grid = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(
      op, StringAttr::get(op->getContext(), kMeshSymbol));
  if (!grid)
    return op->emitError() << "expects a 'shard.grid' named '@" << kMeshSymbol
                           << "', but there is none; run boost-place first";
  auto axes = grid->getAttrOfType<ArrayAttr>(kAxesAttr);
  if (!axes || axes.size() != grid.getShape().size() ||
      !llvm::all_of(axes, [](Attribute name) { return isa<StringAttr>(name); }))
    return grid->emitError()
           << "expects '" << kAxesAttr << "' to name each of its "
           << grid.getShape().size() << " axes";
  Mesh mesh({}, grid.getShape());
  for (StringAttr name : axes.getAsRange<StringAttr>())
    mesh.names.push_back(name.str());
  if (llvm::any_of(mesh.sizes, ShapedType::isDynamic))
    return grid->emitError() << "expects axes of known size";
  return mesh;
}

int64_t Mesh::getSize(AxisMask axes) const {
  int64_t size = 1;
  for (int16_t axis : getAxes(axes))
    size *= sizes[axis];
  return size;
}

AxisMask Mesh::getUsedAxes() const {
  AxisMask used = 0;
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (size > 1)
      used |= AxisMask(1) << axis;
  return used;
}

SmallVector<int16_t> Mesh::getAxes(AxisMask axes) const {
  SmallVector<int16_t> indices;
  for (unsigned axis = 0; axis < getRank(); ++axis)
    if (axes & (AxisMask(1) << axis))
      indices.push_back(axis);
  return indices;
}

std::string Mesh::describe(AxisMask axes) const {
  std::string text;
  for (int16_t axis : getAxes(axes))
    text += (text.empty() ? "" : ", ") + names[axis];
  return text;
}

/// The divisors of `size`, for a message.
static std::string listDivisors(int64_t size) {
  std::string text;
  for (int64_t divisor = 1; divisor <= size && divisor <= 1024; ++divisor)
    if (size % divisor == 0)
      text += (text.empty() ? "" : ", ") + std::to_string(divisor);
  return text;
}

/// Reads the axes of one dimension; `seen` are those of the dimensions before.
std::string Mesh::parseAxes(unsigned dim, Attribute entry, AxisMask &seen,
                            AxisMask &axes) const {
  auto axisNames = dyn_cast<ArrayAttr>(entry);
  if (!axisNames)
    return ("dimension " + Twine(dim) + " has no list of axes").str();
  AxisMask previous = 0;
  for (Attribute element : axisNames) {
    auto name = dyn_cast<StringAttr>(element);
    if (!name)
      return ("dimension " + Twine(dim) + " is cut by an axis without a name")
          .str();
    const auto *found = llvm::find(names, name.getValue());
    if (found == names.end())
      return ("dimension " + Twine(dim) + " is cut by '" + name.getValue() +
              "', which is no axis of the mesh (" + describe(~AxisMask(0)) +
              ")")
          .str();
    AxisMask axis = AxisMask(1) << (found - names.begin());
    if (seen & axis)
      return ("axis '" + name.getValue() + "' is used twice").str();
    if (previous > axis)
      return ("dimension " + Twine(dim) +
              " does not list its axes in the order of the mesh")
          .str();
    seen |= previous = axis;
    axes |= axis & getUsedAxes();
  }
  return "";
}

std::string Mesh::parseLocalSplit(Attribute attr, RankedTensorType type,
                                  Split &split) const {
  split.assign(type.getRank(), 0);
  auto dims = dyn_cast_or_null<ArrayAttr>(attr);
  if (!dims || dims.size() != split.size())
    return ("expects '" + kSplitAttr + "' with a list of axes for each of " +
            Twine(split.size()) + " dimensions")
        .str();
  AxisMask seen = 0;
  for (auto [dim, entry] : llvm::enumerate(dims))
    if (std::string problem = parseAxes(dim, entry, seen, split[dim]);
        !problem.empty())
      return problem;
  return "";
}

std::string Mesh::parseSplit(Attribute attr, RankedTensorType type,
                             Split &split) const {
  std::string problem = parseLocalSplit(attr, type, split);
  if (!problem.empty())
    return problem;
  for (auto [dim, axes] : llvm::enumerate(split))
    if (int64_t size = type.getDimSize(dim); size % getSize(axes) != 0)
      return ("dimension " + Twine(dim) + " of size " + Twine(size) +
              " cannot be cut into " + Twine(getSize(axes)) +
              " equal parts over axis '" + describe(axes) +
              "'; sizes that would do: " + listDivisors(size))
          .str();
  return "";
}

std::string Mesh::parsePartial(Attribute attr, AxisMask &axes) const {
  axes = 0;
  if (!attr)
    return "";
  auto list = dyn_cast<ArrayAttr>(attr);
  if (!list)
    return ("expects '" + kPartialAttr + "' with a list of axes").str();
  for (Attribute element : list) {
    auto name = dyn_cast<StringAttr>(element);
    const auto *found = name ? llvm::find(names, name.getValue()) : names.end();
    if (found == names.end())
      return ("'" + kPartialAttr + "' names no axis of the mesh (" +
              describe(~AxisMask(0)) + ")")
          .str();
    axes |= AxisMask(1) << (found - names.begin());
  }
  axes &= getUsedAxes();
  return "";
}

static ArrayAttr nameAxes(Builder &builder, ArrayRef<std::string> names,
                          ArrayRef<int16_t> axes) {
  SmallVector<Attribute> list;
  for (int16_t axis : axes)
    list.push_back(builder.getStringAttr(names[axis]));
  return builder.getArrayAttr(list);
}

ArrayAttr Mesh::getPartialAttr(MLIRContext *context, AxisMask axes) const {
  Builder builder(context);
  return nameAxes(builder, names, getAxes(axes));
}

ArrayAttr Mesh::getSplitAttr(MLIRContext *context,
                             ArrayRef<AxisMask> split) const {
  Builder builder(context);
  SmallVector<Attribute> dims;
  for (AxisMask axes : split)
    dims.push_back(nameAxes(builder, names, getAxes(axes)));
  return builder.getArrayAttr(dims);
}

RankedTensorType Mesh::getLocalType(RankedTensorType global,
                                    ArrayRef<AxisMask> split) const {
  SmallVector<int64_t> shape(global.getShape());
  for (auto [size, axes] : llvm::zip_equal(shape, split))
    size /= getSize(axes);
  return global.clone(shape);
}

RankedTensorType Mesh::getGlobalType(RankedTensorType local,
                                     ArrayRef<AxisMask> split) const {
  SmallVector<int64_t> shape(local.getShape());
  for (auto [size, axes] : llvm::zip_equal(shape, split))
    size *= getSize(axes);
  return local.clone(shape);
}

AxisMask mlir::boost::getAxesOf(ArrayRef<AxisMask> split) {
  AxisMask axes = 0;
  for (AxisMask dim : split)
    axes |= dim;
  return axes;
}
