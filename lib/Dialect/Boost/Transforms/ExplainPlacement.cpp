//===- ExplainPlacement.cpp - A remark on how arguments are sharded -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what a placement has written, and makes a table of it. Equal layers are
// placed alike, so that what is said of an argument of one of them is said
// once.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "boost-mlir/Support/Wrap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
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

namespace {
/// Arguments that one row is about: those at one position of equal layers, with
/// one sharding for one reason.
using GroupKey = std::tuple<int64_t, int64_t, Attribute, Attribute>;

/// A row of the table.
struct Row {
  std::string name, shape, reason;
};

/// Counts for the summary.
struct Totals {
  int64_t params = 0, sharded = 0, bytes = 0, localBytes = 0;
};
} // namespace

static std::string describeBytes(int64_t bytes) {
  return llvm::formatv("{0:f2} MiB", static_cast<double>(bytes) / (1 << 20));
}

static Totals countParams(func::FuncOp func, const Mesh &mesh) {
  Totals totals;
  for (BlockArgument argument : func.getArguments()) {
    if (!hasRole(argument, TensorRole::Param))
      continue;
    auto sharding = func.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(),
                                                        kShardingAttr);
    auto type = cast<RankedTensorType>(argument.getType());
    Split split;
    // The placement itself has written it.
    [[maybe_unused]] std::string problem =
        mesh.parseSharding(sharding, type, split);
    assert(problem.empty() && "expects a sharding that fits");
    int64_t parts = mesh.getSize(getAxesOf(split));
    int64_t bytes = getDenseBytes(type);
    ++totals.params;
    totals.sharded += parts > 1;
    totals.bytes += bytes;
    totals.localBytes += bytes / parts;
  }
  return totals;
}

/// What arguments at one position of equal layers are called: parts of their
/// names that differ are an asterisk, as in "layers.*.mlp.norm".
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

/// The global shape, with the axes over which a dimension is sharded behind
/// it: "4096/tp x 1024".
static std::string describeShape(RankedTensorType type, ShardingAttr sharding) {
  std::string text;
  for (auto [size, axes] :
       llvm::zip_equal(type.getShape(), sharding.getDimAxes())) {
    text += (text.empty() ? "" : " x ") + std::to_string(size);
    for (auto axis : axes.getAsRange<StringAttr>())
      text += "/" + axis.str();
  }
  return text.empty() ? "scalar" : text;
}

/// Rows in columns. Reasons that are too long go on below.
static void printRows(ArrayRef<Row> rows, raw_ostream &os) {
  constexpr size_t kWidestName = 40, kNarrowestReason = 30, kGap = 2;
  size_t name = 0, shape = 0;
  for (const Row &row : rows) {
    name = std::max(name, std::min(row.name.size(), kWidestName));
    shape = std::max(shape, row.shape.size());
  }
  size_t before = kGap + name + kGap + shape + kGap;
  size_t width =
      std::max(kTextWidth - std::min(before, kTextWidth), kNarrowestReason);
  for (const Row &row : rows) {
    os << "\n  " << llvm::left_justify(row.name, name);
    if (row.name.size() > name)
      os << "\n  " << std::string(name, ' ');
    os << "  " << llvm::left_justify(row.shape, shape) << "  ";
    llvm::interleave(
        divideLine(row.reason, width), os, [&](StringRef line) { os << line; },
        "\n" + std::string(before, ' '));
  }
}

void mlir::boost::explainPlacement(func::FuncOp func, const Mesh &mesh,
                                   StringRef placement) {
  llvm::MapVector<GroupKey, SmallVector<BlockArgument>> groups;
  DenseMap<Attribute, int64_t> sizes;
  // The layers of a class, -1 being what belongs to no layer.
  std::map<int64_t, llvm::SmallDenseSet<Attribute>> layers;
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    // A batch that only the first layer reads is not the first of several.
    LayerAttr layer = hasRole(argument, TensorRole::Param)
                          ? getLayerOfUsers(argument)
                          : LayerAttr();
    // What belongs to no layer is a group of its own.
    int64_t kind = layer ? layer.getKind() : -1;
    int64_t position = layer ? sizes[layer]++ : index;
    layers[kind].insert(layer);
    groups[{kind, position, func.getArgAttr(index, kShardingAttr),
            func.getArgAttr(index, kReasonAttr)}]
        .push_back(argument);
  }

  Totals totals = countParams(func, mesh);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "placement '" << placement << "' shards " << totals.sharded << " of "
     << totals.params << " parameters\na rank holds "
     << describeBytes(totals.localBytes) << " of "
     << describeBytes(totals.bytes);
  for (const auto &[kind, members] : layers) {
    size_t count = members.size();
    if (kind < 0)
      os << "\noutside of the layers:";
    else if (count == 1)
      os << "\none layer:";
    else
      os << "\neach of " << count << " equal layers:";
    SmallVector<Row> rows;
    for (auto &[key, arguments] : groups) {
      if (std::get<0>(key) != kind)
        continue;
      BlockArgument first = arguments.front();
      std::string name = getCommonName(func, arguments);
      if (kind >= 0 && arguments.size() < count)
        name += " (" + std::to_string(arguments.size()) + " of them)";
      rows.push_back({name,
                      describeShape(cast<RankedTensorType>(first.getType()),
                                    cast<ShardingAttr>(std::get<2>(key))),
                      cast<StringAttr>(std::get<3>(key)).str()});
    }
    printRows(rows, os);
  }
  emitRemark(getUserLocation(func)) << text;
}
