//===- Mesh.cpp - The mesh of ranks and its shardings ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::boost;

Mesh::Mesh(ArrayRef<std::string> names, ArrayRef<int64_t> sizes)
    : names(names.begin(), names.end()), sizes(sizes.begin(), sizes.end()) {}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static llvm::Error refuseMesh(StringRef text, const Twine &reason) {
  return llvm::createStringError(
      "expects a mesh such as 'dp=2,tp=4', but got '" + text + "'; " + reason);
}

static bool isAxisName(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

llvm::Expected<Mesh> Mesh::parse(StringRef text) {
  constexpr int64_t maxAxisSize = 1 << 20, maxRanks = 1 << 30;
  int64_t ranks = 1;
  SmallVector<std::string> names;
  SmallVector<int64_t> sizes;
  SmallVector<StringRef> entries;
  text.split(entries, ',');
  for (StringRef entry : entries) {
    auto [name, number] = entry.trim().split('=');
    if (!entry.contains('=') && entries.size() == 1) {
      number = name;
      name = kTensorAxis;
    }
    int64_t size;
    if (!isAxisName(name) || number.getAsInteger(10, size) || size < 1 ||
        size > maxAxisSize || (ranks *= size) > maxRanks ||
        names.size() == kMaxMeshAxes)
      return refuseMesh(text, "axes have names and sizes of 1 or more, and a "
                              "number alone is the size of 'tp'");
    if (llvm::is_contained(names, name))
      return refuseMesh(text, "it has two axes '" + name + "'");
    names.push_back(name.str());
    sizes.push_back(size);
  }
  return Mesh(names, sizes);
}

std::string Mesh::str() const {
  std::string text;
  for (auto [name, size] : llvm::zip_equal(names, sizes))
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(size);
  return text;
}

bool llvm::cl::parser<Mesh>::parse(Option &option, StringRef /*name*/,
                                   StringRef text, Mesh &mesh) {
  Expected<Mesh> parsed = Mesh::parse(text);
  if (!parsed)
    return option.error(toString(parsed.takeError()));
  mesh = std::move(*parsed);
  return false;
}

void llvm::cl::parser<Mesh>::printOptionDiff(const Option &option,
                                             const Mesh &mesh,
                                             const OptVal & /*byDefault*/,
                                             size_t width) const {
  printOptionName(option, width);
  outs() << "= " << mesh << "\n";
}

void llvm::cl::parser<Mesh>::anchor() {}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static FailureOr<Mesh> readMesh(shard::GridOp grid) {
  auto axes = grid->getAttrOfType<ArrayAttr>(kAxesAttr);
  if (!axes)
    return grid->emitError()
           << "expects '" << kAxesAttr << "' to name each of its "
           << grid.getRank() << " axes";
  if (static_cast<size_t>(grid.getRank()) > kMaxMeshAxes)
    return grid->emitError() << "expects at most " << kMaxMeshAxes
                             << " axes, but got " << grid.getRank();
  if (llvm::any_of(grid.getShape(), ShapedType::isDynamic))
    return grid->emitError() << "expects axes of known size";
  auto names = llvm::map_to_vector(axes.getAsRange<StringAttr>(),
                                   [](StringAttr name) { return name.str(); });
  return Mesh(names, grid.getShape());
}

FailureOr<Mesh> Mesh::get(Operation *op) {
  auto grid = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(
      op, StringAttr::get(op->getContext(), kMeshSymbol));
  if (!grid)
    return op->emitError() << "expects a 'shard.grid' named '@" << kMeshSymbol
                           << "', but there is none; run boost-place first";
  return readMesh(grid);
}

FailureOr<Mesh> Mesh::getOrOneRank(ModuleOp module) {
  auto grid = module.lookupSymbol<shard::GridOp>(kMeshSymbol);
  return grid ? readMesh(grid) : Mesh();
}

void Mesh::resizeAxis(ModuleOp module, StringRef name, int64_t size) {
  auto grid = module.lookupSymbol<shard::GridOp>(kMeshSymbol);
  FailureOr<Mesh> mesh = readMesh(grid);
  if (failed(mesh))
    return;
  SmallVector<int64_t> sizes(mesh->getSizes());
  sizes[*mesh->findAxis(name)] = size;
  grid.setShape(sizes);
}

std::optional<int16_t> Mesh::findAxis(StringRef name) const {
  const auto *found = llvm::find(names, name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<int16_t>(found - names.begin());
}

AxisMask Mesh::getAxisNamed(StringRef name) const {
  std::optional<int16_t> axis = findAxis(name);
  return axis ? AxisMask(1) << *axis : 0;
}

int64_t Mesh::getSize(AxisMask axes) const {
  int64_t size = 1;
  for (int16_t axis : getAxes(axes))
    size *= sizes[axis];
  return size;
}

int64_t Mesh::getSpan(AxisMask axes) const {
  int64_t span = 1;
  for (auto [axis, stride] : llvm::enumerate(computeStrides(sizes)))
    if (axes >> axis & 1)
      span += (sizes[axis] - 1) * stride;
  return span;
}

AxisMask Mesh::getUsedAxes() const {
  AxisMask used = 0;
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (size > 1)
      used |= AxisMask(1) << axis;
  return used;
}

AxisList Mesh::getAxes(AxisMask axes) const {
  return AxisList::inMeshOrder(axes & ((AxisMask(1) << getNumAxes()) - 1));
}

std::string Mesh::describe(const AxisList &axes, StringRef separator) const {
  std::string text;
  for (int16_t axis : axes)
    text += (text.empty() ? "" : separator.str()) + names[axis];
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

/// The indices of the axes of each dimension.
std::string Mesh::readAxes(ShardingAttr sharding, int64_t rank,
                           Split &split) const {
  if (sharding.getRank() != rank)
    return ("expects axes for each of " + Twine(rank) +
            " dimensions, but got " + Twine(sharding.getRank()))
        .str();
  for (auto [dim, axes] : llvm::enumerate(sharding.getDimAxes()))
    for (auto name : axes.getAsRange<StringAttr>()) {
      std::optional<int16_t> axis = findAxis(name);
      if (!axis)
        return ("dimension " + Twine(dim) + " is sharded over '" +
                name.getValue() + "', which is not an axis of the mesh (" +
                describe(~AxisMask(0)) + ")")
            .str();
      if (sizes[*axis] > 1)
        split[dim].push_back(*axis);
    }
  return "";
}

std::string Mesh::parseLocalSharding(Attribute attr, RankedTensorType type,
                                     Split &split) const {
  split.assign(type.getRank(), {});
  auto sharding = dyn_cast_or_null<ShardingAttr>(attr);
  if (!sharding)
    return ("expects '" + kShardingAttr + "', but there is none").str();
  return readAxes(sharding, type.getRank(), split);
}

std::string Mesh::parseSharding(Attribute attr, RankedTensorType type,
                                Split &split) const {
  std::string problem = parseLocalSharding(attr, type, split);
  if (!problem.empty())
    return problem;
  for (auto [dim, axes] : llvm::enumerate(split))
    if (int64_t size = type.getDimSize(dim); size % getSize(axes) != 0)
      return ("dimension " + Twine(dim) + " of size " + Twine(size) +
              " cannot be sharded into " + Twine(getSize(axes)) +
              " equal parts over axis '" + describe(axes) +
              "'; sizes that would do: " + listDivisors(size))
          .str();
  return "";
}

AxisMask Mesh::getPartialAxes(Attribute attr) const {
  AxisMask axes = 0;
  if (auto sharding = dyn_cast_or_null<ShardingAttr>(attr))
    for (StringAttr name : sharding.getPartialAxes())
      if (std::optional<int16_t> axis = findAxis(name))
        axes |= AxisMask(1) << *axis;
  return axes & getUsedAxes();
}

static SmallVector<StringAttr> nameAxes(MLIRContext *context,
                                        ArrayRef<std::string> names,
                                        const AxisList &axes) {
  return llvm::map_to_vector(axes, [&](int16_t axis) {
    return StringAttr::get(context, names[axis]);
  });
}

ShardingAttr Mesh::getShardingAttr(MLIRContext *context,
                                   ArrayRef<AxisList> split, AxisMask partial,
                                   Reduction reduction) const {
  SmallVector<ArrayAttr> dims;
  for (const AxisList &axes : split) {
    SmallVector<StringAttr> list = nameAxes(context, names, axes);
    dims.push_back(ArrayAttr::get(
        context, SmallVector<Attribute>(list.begin(), list.end())));
  }
  return ShardingAttr::get(
      context, dims, nameAxes(context, names, getAxes(partial)), reduction);
}

ShardingAttr Mesh::withPartialSum(ShardingAttr sharding, AxisMask axes) const {
  MLIRContext *context = sharding.getContext();
  return ShardingAttr::get(context, sharding.getDimAxes(),
                           nameAxes(context, names, getAxes(axes)),
                           Reduction::Sum);
}

RankedTensorType Mesh::getLocalType(RankedTensorType global,
                                    ArrayRef<AxisList> split) const {
  SmallVector<int64_t> shape(global.getShape());
  for (auto [size, axes] : llvm::zip_equal(shape, split))
    size /= getSize(axes);
  return global.clone(shape);
}

std::optional<SmallVector<int64_t>>
Mesh::getGlobalShape(ArrayRef<int64_t> local, ShardingAttr sharding) const {
  SmallVector<int64_t> shape(local);
  if (!sharding)
    return shape;
  for (auto [size, axes] : llvm::zip_equal(shape, sharding.getDimAxes()))
    for (auto name : axes.getAsRange<StringAttr>())
      if (std::optional<int16_t> axis = findAxis(name);
          axis && llvm::MulOverflow(size, sizes[*axis], size))
        return std::nullopt;
  return shape;
}

AxisMask mlir::boost::getAxesOf(ArrayRef<AxisList> split) {
  AxisMask axes = 0;
  for (const AxisList &dim : split)
    axes |= dim.getSet();
  return axes;
}
