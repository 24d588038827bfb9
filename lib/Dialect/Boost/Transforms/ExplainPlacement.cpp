//===- ExplainPlacement.cpp - A remark on how arguments are sharded -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what a placement has decided as a table.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "boost-mlir/Dialect/Boost/Transforms/PlacementTable.h"
#include "boost-mlir/Support/Wrap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
/// A row of the table.
struct Row {
  std::string name, shape;
  StringRef reason;
};
} // namespace

static std::string describeBytes(int64_t bytes) {
  return llvm::formatv("{0:f2} MiB", static_cast<double>(bytes) / (1 << 20));
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
  PlacementTable table = PlacementTable::get(func, mesh);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "placement '" << placement << "' shards " << table.sharded << " of "
     << table.params << " parameters\na rank holds "
     << describeBytes(table.localBytes) << " of " << describeBytes(table.bytes);
  for (const PlacementTable::LayerClass &layerClass : table.classes) {
    int64_t layers = layerClass.layers;
    if (layers == 0)
      os << "\noutside of the layers:";
    else if (layers == 1)
      os << "\none layer:";
    else
      os << "\neach of " << layers << " equal layers:";
    SmallVector<Row> rows;
    for (const PlacementTable::Argument &argument : layerClass.arguments) {
      std::string name = argument.name;
      if (argument.count < layers)
        name += " (" + std::to_string(argument.count) + " of them)";
      rows.push_back({name, describeShape(argument.type, argument.sharding),
                      argument.reason});
    }
    printRows(rows, os);
  }
  emitRemark(getUserLocation(func)) << text;
}
