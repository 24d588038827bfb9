//===- PlacementTable.cpp - How arguments are sharded ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/Transforms/PlacementTable.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace mlir::boost;

/// The layer whose operations alone read `argument`; null if there is none.
static LayerAttr getLayerOfUsers(BlockArgument argument) {
  LayerAttr layer;
  for (Operation *user : argument.getUsers()) {
    LayerAttr own = getLayer(user);
    if (!own || (layer && own != layer))
      return {};
    layer = own;
  }
  return layer;
}

/// Returns a common name for arguments at one position of equal layers: parts
/// that differ are replaced by an asterisk, as in "layers.*.mlp.norm".
static std::string getCommonName(func::FuncOp func,
                                 ArrayRef<BlockArgument> arguments) {
  std::string first = getArgName(func, arguments.front().getArgNumber());
  SmallVector<StringRef> common;
  StringRef(first).split(common, '.');
  for (BlockArgument argument : arguments) {
    std::string name = getArgName(func, argument.getArgNumber());
    SmallVector<StringRef> parts;
    StringRef(name).split(parts, '.');
    if (parts.size() != common.size())
      return first;
    for (auto [part, other] : llvm::zip_equal(common, parts))
      if (part != other)
        part = "*";
  }
  std::string name = llvm::join(common, ".");
  return name == "*" ? first : name;
}

static void countParams(func::FuncOp loss, const Mesh &mesh,
                        PlacementTable &table) {
  for (BlockArgument argument : loss.getArguments()) {
    if (!isParameter(argument))
      continue;
    auto sharding = loss.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(),
                                                        kShardingAttr);
    auto type = cast<RankedTensorType>(argument.getType());
    Split split;
    // The placement itself has written it.
    [[maybe_unused]] std::string problem =
        mesh.parseSharding(sharding, type, split);
    assert(problem.empty() && "expects a sharding that fits");
    int64_t parts = mesh.getSize(getAxesOf(split));
    int64_t bytes = getDenseBytes(type);
    ++table.params;
    table.sharded += parts > 1;
    table.bytes += bytes;
    table.localBytes += bytes / parts;
  }
}

PlacementTable PlacementTable::get(func::FuncOp loss, const Mesh &mesh) {
  // By class, -1 being what belongs to no layer; by position in the layer,
  // sharding and reason.
  using GroupKey = std::tuple<int64_t, int64_t, Attribute, Attribute>;
  llvm::MapVector<GroupKey, SmallVector<BlockArgument>> groups;
  DenseMap<Attribute, int64_t> sizes;
  std::map<int64_t, llvm::SmallDenseSet<Attribute>> layers;
  for (BlockArgument argument : loss.getArguments()) {
    unsigned index = argument.getArgNumber();
    // A batch that only the first layer reads is not the first of several.
    LayerAttr layer =
        isParameter(argument) ? getLayerOfUsers(argument) : LayerAttr();
    // An argument of no layer is a group of its own.
    int64_t kind = layer ? layer.getKind() : -1;
    int64_t position = layer ? sizes[layer]++ : index;
    layers[kind].insert(layer);
    groups[{kind, position, loss.getArgAttr(index, kShardingAttr),
            loss.getArgAttr(index, kReasonAttr)}]
        .push_back(argument);
  }
  PlacementTable table;
  countParams(loss, mesh, table);
  for (const auto &[kind, members] : layers) {
    LayerClass &layerClass = table.classes.emplace_back();
    layerClass.layers = kind < 0 ? 0 : static_cast<int64_t>(members.size());
    for (auto &[key, arguments] : groups)
      if (std::get<0>(key) == kind)
        layerClass.arguments.push_back(
            {getCommonName(loss, arguments),
             cast<RankedTensorType>(arguments.front().getType()),
             cast<ShardingAttr>(std::get<2>(key)),
             cast<StringAttr>(std::get<3>(key)).getValue(),
             static_cast<int64_t>(arguments.size())});
  }
  return table;
}
